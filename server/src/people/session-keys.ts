import { createHash } from "node:crypto";
import { appealOpenMs } from "@fava/wire/limits.ts";
import type { ServerSecret } from "#lib/server-secret.ts";

/** How long a chat signature can open a socket (rule SIGNIN-72). An open socket stays open. */
const chatSignMs = 600_000;
const restoreMs = 600_000;
const appealShape = /^(\d{1,18})\.(\d{1,15})\.([\w-]{43})$/;

export interface PendingDeletion {
  userId: bigint;
  deletedAtMs: number;
}

/** Derives values from the server's secret. Each purpose has its own prefix, so that no value works for two. */
export class SessionKeys {
  readonly #secret: ServerSecret;

  constructor(serverSecret: ServerSecret) {
    this.#secret = serverSecret;
  }

  /** The database stores only hashes of tokens, so that a copy of it opens no session. */
  tokenHash(token: string): string {
    return createHash("sha256").update(token).digest("hex");
  }

  /** The key that signs the requests of a new session: 32 bytes, never stored. */
  signKey(sessionId: string): Buffer {
    return this.#mac("sign", sessionId);
  }

  /** The keys that a session may have: one for each accepted secret, since it began under one of them. */
  signKeys(sessionId: string): readonly Buffer[] {
    return this.#secret.acceptedMacs(textOf("sign", sessionId));
  }

  chatSign(externalId: string, sessionId: string, nowMs: number): string {
    const expiresAtMs = nowMs + chatSignMs;
    const mac = this.#mac("chat", `${externalId}\0${sessionId}\0${expiresAtMs}`).toString("base64url");
    return `${sessionId}.${expiresAtMs}.${mac}`;
  }

  sessionOfChatSign(externalId: string, sign: string, nowMs: number): string | null {
    const match = /^([\w-]{1,64})\.(\d{1,15})\.([\w-]{43})$/.exec(sign);
    const [sessionId, expiry, mac] = [match?.[1], match?.[2], match?.[3]];
    if (sessionId === undefined || expiry === undefined || mac === undefined) return null;
    const isSigned = this.#isSigned("chat", `${externalId}\0${sessionId}\0${expiry}`, mac);
    return isSigned && Number(expiry) > nowMs ? sessionId : null;
  }

  appealToken(banId: bigint, nowMs: number): string {
    const expiresAtMs = nowMs + appealOpenMs;
    return `${banId}.${expiresAtMs}.${this.#mac("appeal", `${banId}\0${expiresAtMs}`).toString("base64url")}`;
  }

  banOfAppealToken(token: string, nowMs: number): bigint | null {
    const match = appealShape.exec(token);
    const [banId, expiry, mac] = match?.slice(1) ?? [];
    if (banId === undefined || mac === undefined) return null;
    const isSigned = this.#isSigned("appeal", `${banId}\0${expiry}`, mac);
    return isSigned && Number(expiry) > nowMs ? BigInt(banId) : null;
  }

  /** A token that reverts this deletion within ten minutes, and no later one. */
  restoreToken({ userId, deletedAtMs }: PendingDeletion, nowMs: number): string {
    const text = `${userId}.${deletedAtMs}.${nowMs + restoreMs}`;
    return `${text}.${this.#mac("restore", text).toString("base64url")}`;
  }

  deletionOfRestoreToken(token: string, nowMs: number): PendingDeletion | null {
    const match = /^((\d{1,19})\.(\d{1,15})\.(\d{1,15}))\.([\w-]{43})$/.exec(token);
    const [text, userId, deletedAt, expiry, mac] = match?.slice(1) ?? [];
    if (text === undefined || userId === undefined || mac === undefined) return null;
    if (!this.#isSigned("restore", text, mac)) return null;
    return Number(expiry) > nowMs ? { userId: BigInt(userId), deletedAtMs: Number(deletedAt) } : null;
  }

  #mac(purpose: string, text: string): Buffer {
    return this.#secret.mac(textOf(purpose, text));
  }

  #isSigned(purpose: string, text: string, mac: string): boolean {
    return this.#secret.isMacOf(textOf(purpose, text), Buffer.from(mac, "base64url"));
  }
}

function textOf(purpose: string, text: string): string {
  return `${purpose}/v1\0${text}`;
}
