import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

const keyBytes = 32;

/** Signed call ids, by which a page names its call to any server. A ticket grants no access (decision 055). */
export class CallTickets {
  readonly #key: Buffer;

  constructor(serverSecret: string) {
    this.#key = Buffer.from(hkdfSync("sha256", serverSecret, "", "call-ticket/v1", keyBytes));
  }

  of(roomId: string, userId: bigint): string {
    return `${roomId}.${this.#mac(roomId, userId).toString("base64url")}`;
  }

  /** The user's token for this room. All servers compute the same one, so they accept messages sent during a move. */
  tokenOf(roomId: string, userId: bigint): string {
    return this.#mac(`token\n${roomId}`, userId).toString("base64url");
  }

  /** The room of a ticket that was signed for this user; null for any other text. */
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
