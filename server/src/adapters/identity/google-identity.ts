import type { JWTVerifyGetKey } from "jose";
import type { Clock } from "#ports/clock.ts";
import type { IdentityProvider, VerifiedIdentity } from "#ports/identity.ts";
import { remoteKeys, verifyIdToken } from "./id-token.ts";

const googleKeySetUrl = new URL("https://www.googleapis.com/oauth2/v3/certs");

/** Sign in with Google: the `credential` of its script is an ID token. */
export class GoogleIdentity implements IdentityProvider {
  readonly loginType = 1;
  readonly mode = "live";
  readonly url = "";
  readonly avatarHosts = ["*.googleusercontent.com"] as const;
  readonly clientId: string;
  readonly #clock: Clock;
  readonly #keys: JWTVerifyGetKey;

  constructor(options: { clientId: string; clock: Clock; keySetUrl?: URL }) {
    this.clientId = options.clientId;
    this.#clock = options.clock;
    this.#keys = remoteKeys(options.keySetUrl ?? googleKeySetUrl);
  }

  verify(claimed: { thirdPartyId: string; token: string }): Promise<VerifiedIdentity> {
    return verifyIdToken(claimed, {
      keys: this.#keys,
      issuers: ["https://accounts.google.com", "accounts.google.com"],
      audience: this.clientId,
      algorithms: ["RS256"],
      clock: this.#clock,
    });
  }
}
