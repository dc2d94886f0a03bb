import type { JWTVerifyGetKey } from "jose";
import type { Clock } from "#ports/clock.ts";
import type { IdentityProvider, VerifiedIdentity } from "#ports/identity.ts";
import { remoteKeys, verifyIdToken } from "./id-token.ts";

const appleKeySetUrl = new URL("https://appleid.apple.com/auth/keys");

/** The popup returns an ID token. Apple sends the user's name to the browser only, and only once. */
export class AppleIdentity implements IdentityProvider {
  readonly loginType = 3;
  readonly mode = "live";
  readonly avatarHosts = [] as const;
  readonly clientId: string;
  readonly url: string;
  readonly #clock: Clock;
  readonly #keys: JWTVerifyGetKey;

  /** `clientId` is the Services ID. */
  constructor(options: { clientId: string; redirectUri: string; clock: Clock; keySetUrl?: URL }) {
    this.clientId = options.clientId;
    this.url = options.redirectUri;
    this.#clock = options.clock;
    this.#keys = remoteKeys(options.keySetUrl ?? appleKeySetUrl);
  }

  verify(claimed: { thirdPartyId: string; token: string }): Promise<VerifiedIdentity> {
    return verifyIdToken(claimed, {
      keys: this.#keys,
      issuers: ["https://appleid.apple.com"],
      audience: this.clientId,
      algorithms: ["RS256"],
      clock: this.#clock,
    });
  }
}
