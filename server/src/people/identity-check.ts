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

/** How long a user may take from opening the sign-in popup to choosing an account. */
const nonceMs = 600_000;

export type LoginInput = ParsedInputOf<Endpoints["login"]>;

/** Verifies a provider's token: genuine, for this site, not expired and not used before. */
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
   * @throws EndpointError 400 "login failed" for any reason, so that an attacker learns nothing (rule SIGNIN-62). The
   * log has the reason.
   */
  async verified(input: LoginInput): Promise<{ identity: VerifiedIdentity; provider: IdentityProvider }> {
    try {
      const provider = this.#providers.find(({ loginType }) => loginType === input.login_type);
      if (!provider) throw new IdentityRefusedError("provider is not configured");
      const identity = await provider.verify({ thirdPartyId: input.third_party_id, token: input.third_party_token });
      // After the signature, so that only a genuine token uses up its nonce. Of two simultaneous uses one fails.
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
