import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

const keyBytes = 32;

/**
 * What a page carries of its call, so that any server can look for it: which call it was, signed for one person. It says
 * where a call was and never what it is worth; the row of the call decides (decision 055).
 */
export class CallTickets {
  readonly #key: Buffer;

  constructor(serverSecret: string) {
    this.#key = Buffer.from(hkdfSync("sha256", serverSecret, "", "call-ticket/v1", keyBytes));
  }

  /** The ticket of this person for this room. */
  of(roomId: string, userId: bigint): string {
    return `${roomId}.${this.#mac(roomId, userId).toString("base64url")}`;
  }

  /** Opens this room for this person, the same at whichever server the call is: what a page says on its way between two is taken. */
  tokenOf(roomId: string, userId: bigint): string {
    return this.#mac(`token\n${roomId}`, userId).toString("base64url");
  }

  /** The room of a ticket that was made for this person; null for any other text. */
  roomOf(ticket: string, userId: bigint): string | null {
    const at = ticket.lastIndexOf(".");
    const roomId = ticket.slice(0, Math.max(0, at));
    const mac = Buffer.from(ticket.slice(at + 1), "base64url");
    const expected = this.#mac(roomId, userId);
    return mac.length === expected.length && timingSafeEqual(mac, expected) ? roomId : null;
  }

  #mac(roomId: string, userId: bigint): Buffer {
    return createHmac("sha256", this.#key).update(`${roomId}\n${userId}`).digest();
  }
}
