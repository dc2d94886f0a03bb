import { createHash } from "node:crypto";
import type { LRUCache } from "lru-cache";
import { rechargeTokenMs } from "@fava/wire/limits.ts";
import { addressGroup } from "#lib/address-group.ts";
import { boundedCache } from "#lib/cache.ts";
import type { Clock } from "#ports/clock.ts";
import { type Random, randomId } from "#ports/random.ts";

const tokensMax = 100_000;
/** For so long a recharge needs no token after a price list was fetched with one. */
const visitMs = 600_000;
const tokenBytes = 32;

/**
 * Tokens that open the payment entry, and only that, for ten minutes and for one session's person, and who used one
 * from where. Kept hashed in memory: after a restart the browser asks for a new one.
 */
export class RechargeTokens {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #owners: LRUCache<string, { userId: bigint; sinceMs: number }>;
  /** When somebody fetched the price list from an address, milliseconds since the epoch. */
  readonly #visits: LRUCache<string, number>;
  readonly #ended = boundedCache<bigint, number>({ entriesMax: tokensMax });

  constructor(options: { clock: Clock; random: Random }) {
    this.#clock = options.clock;
    this.#random = options.random;
    const { clock } = options;
    this.#owners = boundedCache({ entriesMax: tokensMax, expiry: { clock, ttlMs: rechargeTokenMs } });
    this.#visits = boundedCache({ entriesMax: tokensMax, expiry: { clock, ttlMs: visitMs } });
  }

  issue(userId: bigint): { token: string; expiresAtMs: number } {
    const token = randomId(this.#random, tokenBytes);
    const sinceMs = this.#clock.nowMs();
    this.#owners.set(hashOf(token), { userId, sinceMs });
    return { token, expiresAtMs: sinceMs + rechargeTokenMs };
  }

  /** Null for a token that is unknown, too old, or of a session that has ended. */
  ownerOf(token: string): bigint | null {
    const owner = this.#owners.get(hashOf(token));
    return !owner || this.#isEndedSince(owner.userId, owner.sinceMs) ? null : owner.userId;
  }

  /** The person fetched the price list from this address with a token that holds. */
  visited(userId: bigint, ip: string): void {
    this.#visits.set(visitOf(userId, ip), this.#clock.nowMs());
  }

  /** Whether they did so in the last ten minutes, in the session that goes on (rule BEANS-168). */
  hasVisited(userId: bigint, ip: string): boolean {
    const atMs = this.#visits.get(visitOf(userId, ip));
    return atMs !== undefined && !this.#isEndedSince(userId, atMs);
  }

  /** The person's session ended: every token and visit of theirs is void. */
  end(userId: bigint): void {
    this.#ended.set(userId, this.#clock.nowMs());
  }

  #isEndedSince(userId: bigint, sinceMs: number): boolean {
    return sinceMs <= (this.#ended.get(userId) ?? -1);
  }
}

function visitOf(userId: bigint, ip: string): string {
  return `${userId} ${addressGroup(ip)}`;
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
