import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { codes } from "@fava/wire/codes.ts";
import type { ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { EndpointError } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import { type IdentityProvider, IdentityRefusedError, type VerifiedIdentity } from "#ports/identity.ts";
import type { OneTimeKeys } from "#ports/one-time-keys.ts";
import { type Random, randomId } from "#ports/random.ts";

/** How long a user may take between opening the sign-in popup and choosing an account. */
const nonceMs = 600_000;

export type LoginInput = ParsedInputOf<Endpoints["login"]>;

/** Verifies that a sign-in provider vouches for the user of a login, for this site, now and for the first time. */
export class IdentityCheck {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #providers: readonly IdentityProvider[];
  readonly #log: Pick<Logger, "warn">;
  readonly #keys: OneTimeKeys;

  constructor(options: {
    clock: Clock;
    random: Random;
    providers: readonly IdentityProvider[];
    oneTimeKeys: OneTimeKeys;
    log: Pick<Logger, "warn">;
  }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#providers = options.providers;
    this.#log = options.log;
    this.#keys = options.oneTimeKeys;
  }

  async issueNonce(): Promise<string> {
    const nonce = randomId(this.#random);
    await this.#keys.add("signInNonce", nonce, nonceMs);
    return nonce;
  }

  /**
   * @throws EndpointError 400 "login failed" whatever is wrong, so that an attacker learns nothing (rule SIGNIN-62).
   * The reason is logged.
   */
  async verified(input: LoginInput): Promise<{ identity: VerifiedIdentity; provider: IdentityProvider }> {
    try {
      const provider = this.#providers.find(({ loginType }) => loginType === input.login_type);
      if (!provider) throw new IdentityRefusedError("provider is not configured");
      const identity = await provider.verify({ thirdPartyId: input.third_party_id, token: input.third_party_token });
      // Only a genuine token spends its nonce, and of two simultaneous uses one loses.
      if (identity.nonce !== null && !(await this.#keys.take("signInNonce", identity.nonce)))
        throw new IdentityRefusedError("nonce unknown or used");
      const tokenHash = createHash("sha256").update(input.third_party_token).digest("base64");
      const lifeMs = Math.max(1, identity.expiresAtMs - this.#clock.nowMs());
      if (!(await this.#keys.add("providerToken", tokenHash, lifeMs)))
        throw new IdentityRefusedError("token was used before");
      return { identity, provider };
    } catch (error) {
      if (!(error instanceof IdentityRefusedError)) throw error;
      this.#log.warn({ loginType: input.login_type, reason: error.reason }, "login refused");
      throw new EndpointError(codes.badInput, "login failed");
    }
  }
}
