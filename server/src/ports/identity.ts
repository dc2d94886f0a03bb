import type { LoginType } from "@fava/wire/people.ts";

/** Claims that a provider has verified. All other data of the client is untrusted. */
export interface VerifiedIdentity {
  /** The provider's subject: the only key of the account. */
  thirdPartyId: string;
  /** Null where the token has no such claim. */
  nickname: string | null;
  avatarUrl: string | null;
  /** Nonce claim, which the caller must invalidate; null for Facebook access tokens, which have none. */
  nonce: string | null;
  /** Expiry of the token; until then the server refuses a second use. */
  expiresAtMs: number;
}

/** A forged, expired, foreign or replayed token. `reason` is for the log, never for the user. */
export class IdentityRefusedError extends Error {
  override readonly name = "IdentityRefusedError";
  readonly reason: string;
  constructor(reason: string) {
    super(`identity refused: ${reason}`);
    this.reason = reason;
  }
}

export interface IdentityProvider {
  readonly loginType: LoginType;
  readonly mode: "sandbox" | "live";
  readonly clientId: string;
  /** Live Apple: registered return address. Sandbox: address of the account chooser. Otherwise empty. */
  readonly url: string;
  /** Hosts that may serve this provider's avatars; `*.` before a name allows every host under it. */
  readonly avatarHosts: readonly string[];
  /** @throws IdentityRefusedError */
  verify(claimed: { thirdPartyId: string; token: string }): Promise<VerifiedIdentity>;
}

/** Fetches the avatar that a provider names, once, at sign-in. */
export interface AvatarSource {
  /** Null where the host is not allowed, or the response is over 1 MiB, slower than 5 s, or no picture. */
  fetch(url: string, allowedHosts: readonly string[]): Promise<Buffer | null>;
}

/** Third-party hosts that a page may load from. */
export interface ContentHosts {
  script?: readonly string[];
  style?: readonly string[];
  frame?: readonly string[];
  connect?: readonly string[];
}

export interface SeedPerson {
  name: string;
  sex: 1 | 2;
  countryCode: string;
  /** Stored for all who are of age. */
  birthday: string;
  standing: "ordinary" | "moderator" | "administrator" | "banned" | "under_age";
  identities: readonly { loginType: LoginType; thirdPartyId: string }[];
}
