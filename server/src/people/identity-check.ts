import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { codes } from "@fava/wire/codes.ts";
import type { ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { EndpointError } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import { type IdentityProvider, IdentityRefusedError, type VerifiedIdentity } from "#ports/identity.ts";
import { type Random, randomId } from "#ports/random.ts";

/** How long a person may take between opening the sign-in popup and choosing an account. */
const nonceMs = 600_000;
const noncesMax = 100_000;
const usedTokensMax = 200_000;

export type LoginInput = ParsedInputOf<Endpoints["login"]>;

/** Decides whether a login names a person for whom a provider vouches, here, now and for the first time. */
export class IdentityCheck {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #providers: readonly IdentityProvider[];
  readonly #log: Pick<Logger, "warn">;
  readonly #nonces: ExpiringSet;
  readonly #usedTokens: ExpiringSet;

  constructor(options: {
    clock: Clock;
    random: Random;
    providers: readonly IdentityProvider[];
    log: Pick<Logger, "warn">;
  }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#providers = options.providers;
    this.#log = options.log;
    this.#nonces = new ExpiringSet(options.clock, noncesMax);
    this.#usedTokens = new ExpiringSet(options.clock, usedTokensMax);
  }

  issueNonce(): string {
    const nonce = randomId(this.#random);
    this.#nonces.add(nonce, this.#clock.nowMs() + nonceMs);
    return nonce;
  }

  /**
   * @throws EndpointError 400 "login failed" for everything that is wrong, without saying what: whoever tries tokens learns
   * nothing (rule SIGNIN-62). The reason goes to the log.
   */
  async verified(input: LoginInput): Promise<{ identity: VerifiedIdentity; provider: IdentityProvider }> {
    try {
      const provider = this.#providers.find(({ loginType }) => loginType === input.login_type);
      if (!provider) throw new IdentityRefusedError("provider is not configured");
      const identity = await provider.verify({ thirdPartyId: input.third_party_id, token: input.third_party_token });
      // Only a genuine token burns its nonce. From here on nothing waits, so of two equal sign-ins one loses.
      if (identity.nonce !== null && !this.#nonces.take(identity.nonce))
        throw new IdentityRefusedError("nonce unknown or used");
      const tokenHash = createHash("sha256").update(input.third_party_token).digest("base64");
      if (!this.#usedTokens.add(tokenHash, identity.expiresAtMs))
        throw new IdentityRefusedError("token was used before");
      return { identity, provider };
    } catch (error) {
      if (!(error instanceof IdentityRefusedError)) throw error;
      this.#log.warn({ loginType: input.login_type, reason: error.reason }, "login refused");
      throw new EndpointError(codes.badInput, "login failed");
    }
  }
}

/**
 * Keys that mean something until a time of their own; when full, those whose time is over make room, and only then the
 * one that was added longest ago. `lru-cache` would let a token that is still good be forgotten, and used again, while
 * others that are over stay.
 */
export class ExpiringSet {
  readonly #clock: Clock;
  readonly #keysMax: number;
  readonly #expiry = new Map<string, number>();

  constructor(clock: Clock, keysMax: number) {
    this.#clock = clock;
    this.#keysMax = keysMax;
  }

  /** False when the key is already there and has not expired. */
  add(key: string, expiresAtMs: number): boolean {
    const known = this.#expiry.get(key);
    if (known !== undefined && known > this.#clock.nowMs()) return false;
    this.#expiry.delete(key);
    if (this.#expiry.size >= this.#keysMax) this.#makeRoom();
    this.#expiry.set(key, expiresAtMs);
    return true;
  }

  /** Removes the key; true when it was there and had not expired. */
  take(key: string): boolean {
    const expiresAtMs = this.#expiry.get(key);
    this.#expiry.delete(key);
    return expiresAtMs !== undefined && expiresAtMs > this.#clock.nowMs();
  }

  #makeRoom(): void {
    const now = this.#clock.nowMs();
    for (const [key, expiresAtMs] of this.#expiry) if (expiresAtMs <= now) this.#expiry.delete(key);
    for (const oldest of this.#expiry.keys()) {
      if (this.#expiry.size < this.#keysMax) return;
      this.#expiry.delete(oldest);
    }
  }
}
