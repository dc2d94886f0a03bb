import { createHash } from "node:crypto";
import { rechargeTokenMs } from "@fava/wire/limits.ts";
import { addressGroup } from "#lib/address-group.ts";
import type { Clock } from "#ports/clock.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { TemporaryStore } from "#ports/temporary-store.ts";

const tokenBytes = 32;

export interface TokenOwner {
  readonly userId: bigint;
  readonly sessionId: string;
}

/** Tokens that open only the payment entry. They live ten minutes and belong to one session, which each use checks. */
export class RechargeTokens {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #memory: TemporaryStore;

  constructor(options: { clock: Clock; random: Random; temporaryStore: TemporaryStore }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#memory = options.temporaryStore;
  }

  /** @throws EndpointError 503 if the temporary store is unavailable, as the other methods do. */
  async issue({ userId, sessionId }: TokenOwner): Promise<{ token: string; expiresAtMs: number }> {
    const token = randomId(this.#random, tokenBytes);
    const expiresAtMs = this.#clock.nowMs() + rechargeTokenMs;
    await this.#memory.remember("rechargeToken", new Map([[hashOf(token), `${userId} ${sessionId}`]]));
    return { token, expiresAtMs };
  }

  async ownerOf(token: string): Promise<TokenOwner | null> {
    const [userId, sessionId] = (await this.#memory.recall("rechargeToken", hashOf(token)))?.split(" ") ?? [];
    return userId === undefined || sessionId === undefined ? null : { userId: BigInt(userId), sessionId };
  }

  async visited({ userId, sessionId }: TokenOwner, ip: string): Promise<void> {
    await this.#memory.remember("priceListVisit", new Map([[visitOf(userId, ip), sessionId]]));
  }

  /** The session that visited the price list from this address within ten minutes, or null. */
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
