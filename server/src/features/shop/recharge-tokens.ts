import { createHash } from "node:crypto";
import { rechargeTokenMs } from "@fava/wire/limits.ts";
import { LruMap } from "#lru-map.ts";
import type { Clock } from "#ports/clock.ts";
import { type Random, randomId } from "#ports/random.ts";

const tokensMax = 100_000;
const tokenBytes = 32;

/**
 * Tokens that open the payment entry, and only that, for ten minutes and for one session's person. Kept hashed in
 * memory: after a restart the browser asks for a new one.
 */
export class RechargeTokens {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #owners = new LruMap<string, { userId: bigint; sinceMs: number; expiresAtMs: number }>(tokensMax);
  readonly #ended = new LruMap<bigint, number>(tokensMax);

  constructor(options: { clock: Clock; random: Random }) {
    this.#clock = options.clock;
    this.#random = options.random;
  }

  issue(userId: bigint): { token: string; expiresAtMs: number } {
    const token = randomId(this.#random, tokenBytes);
    const sinceMs = this.#clock.nowMs();
    const expiresAtMs = sinceMs + rechargeTokenMs;
    this.#owners.set(hashOf(token), { userId, sinceMs, expiresAtMs });
    return { token, expiresAtMs };
  }

  /** Null for a token that is unknown, too old, or of a session that has ended. */
  ownerOf(token: string): bigint | null {
    const owner = this.#owners.get(hashOf(token));
    if (!owner || owner.expiresAtMs <= this.#clock.nowMs()) return null;
    return owner.sinceMs <= (this.#ended.get(owner.userId) ?? -1) ? null : owner.userId;
  }

  /** The person's session ended: every token of theirs is void. */
  end(userId: bigint): void {
    this.#ended.set(userId, this.#clock.nowMs());
  }
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
