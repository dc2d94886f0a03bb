import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { ServerSecret } from "#lib/server-secret.ts";

const keyBytes = 32;

/** Signed call ids, by which a page names its call to any server. A ticket grants no access (decision 055). */
export class CallTickets {
  readonly #current: Buffer;
  readonly #accepted: readonly Buffer[];

  constructor(serverSecret: ServerSecret) {
    this.#current = ticketKey(serverSecret.current);
    this.#accepted = serverSecret.accepted(ticketKey);
  }

  of(roomId: string, userId: bigint): string {
    return `${roomId}.${mac(this.#current, roomId, userId).toString("base64url")}`;
  }

  /** The user's token for this room. All servers compute the same one, so they accept messages sent during a move. */
  tokenOf(roomId: string, userId: bigint): string {
    return mac(this.#current, `token\n${roomId}`, userId).toString("base64url");
  }

  /** Whether any accepted secret made this token: during a rotation servers may make different ones. */
  isTokenOf(roomId: string, userId: bigint, token: string): boolean {
    return this.#isSigned(`token\n${roomId}`, userId, token);
  }

  /** The room of a ticket that was signed for this user; null for any other text. */
  roomOf(ticket: string, userId: bigint): string | null {
    const at = ticket.lastIndexOf(".");
    const roomId = ticket.slice(0, Math.max(0, at));
    return this.#isSigned(roomId, userId, ticket.slice(at + 1)) ? roomId : null;
  }

  #isSigned(text: string, userId: bigint, signature: string): boolean {
    const given = Buffer.from(signature, "base64url");
    return this.#accepted.some((key) => {
      const expected = mac(key, text, userId);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }
}

function ticketKey(secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "call-ticket/v1", keyBytes));
}

function mac(key: Buffer, text: string, userId: bigint): Buffer {
  return createHmac("sha256", key).update(`${text}\n${userId}`).digest();
}
