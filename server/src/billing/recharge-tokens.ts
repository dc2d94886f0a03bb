import { createHash } from "node:crypto";
import { rechargeTokenMs } from "@fava/wire/limits.ts";
import { addressGroup } from "#lib/address-group.ts";
import type { Clock } from "#ports/clock.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { ShortMemory } from "#ports/short-memory.ts";

const tokenBytes = 32;

/** Whose session a token opens the payment entry for. */
export interface TokenOwner {
  readonly userId: bigint;
  readonly sessionId: string;
}

/**
 * Tokens that open the payment entry, and only that, for ten minutes and for one session, and who used one from where.
 * Kept hashed; whoever takes one asks the database whether its session goes on, so that the end of a session needs to be
 * told to nobody. Where a token is forgotten the browser asks for a new one.
 */
export class RechargeTokens {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #memory: ShortMemory;

  constructor(options: { clock: Clock; random: Random; shortMemory: ShortMemory }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#memory = options.shortMemory;
  }

  /** @throws EndpointError 503 where none can be kept at present; of the others, too. */
  async issue({ userId, sessionId }: TokenOwner): Promise<{ token: string; expiresAtMs: number }> {
    const token = randomId(this.#random, tokenBytes);
    const expiresAtMs = this.#clock.nowMs() + rechargeTokenMs;
    await this.#memory.remember("rechargeToken", new Map([[hashOf(token), `${userId} ${sessionId}`]]));
    return { token, expiresAtMs };
  }

  /** Null for a token that is unknown or too old. */
  async ownerOf(token: string): Promise<TokenOwner | null> {
    const [userId, sessionId] = (await this.#memory.recall("rechargeToken", hashOf(token)))?.split(" ") ?? [];
    return userId === undefined || sessionId === undefined ? null : { userId: BigInt(userId), sessionId };
  }

  /** In this session the person fetched the price list from this address with a token that holds. */
  async visited({ userId, sessionId }: TokenOwner, ip: string): Promise<void> {
    await this.#memory.remember("priceListVisit", new Map([[visitOf(userId, ip), sessionId]]));
  }

  /** In which session they did so in the last ten minutes; null: in none. */
  async visitSession(userId: bigint, ip: string): Promise<string | null> {
    return this.#memory.recall("priceListVisit", visitOf(userId, ip));
  }
}

function visitOf(userId: bigint, ip: string): string {
  return `${userId} ${addressGroup(ip)}`;
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
