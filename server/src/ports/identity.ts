import type { LoginType } from "@fava/wire/people.ts";

/** Data that a provider has verified. Nothing else in the client's request is trusted. */
export interface VerifiedIdentity {
  /** The provider's id of the user, which alone identifies the account. */
  thirdPartyId: string;
  /** In lower case, only if the provider has verified it; used to recognize administrators, and never stored. */
  mail: string | null;
  /** Null if the token has no name. */
  nickname: string | null;
  avatarUrl: string | null;
  /** The nonce of the token, which the caller must use up; null for access tokens of Facebook, which have none. */
  nonce: string | null;
  /** When the token expires. Until then the server refuses to accept it a second time. */
  expiresAtMs: number;
}

/** The token is forged, expired, for another site, or used before. `reason` goes to the log, never to the user. */
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
  /** Apple: the registered return address. Sandbox: the address of the account chooser. Otherwise empty. */
  readonly url: string;
  /** Hosts that may serve this provider's avatars. `*.example.com`: every host under `example.com`. */
  readonly avatarHosts: readonly string[];
  /** @throws IdentityRefusedError */
  verify(claimed: { thirdPartyId: string; token: string }): Promise<VerifiedIdentity>;
}

export interface AvatarSource {
  /** Null if the host is not allowed, or the response is over 1 MiB, slower than 5 s, or no picture. */
  fetch(url: string, allowedHosts: readonly string[]): Promise<Buffer | null>;
}

/** Hosts of others from which a page may load content. */
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
  /** Stored for users who are of age. */
  birthday: string;
  standing: "ordinary" | "moderator" | "administrator" | "banned" | "under_age";
  identities: readonly { loginType: LoginType; thirdPartyId: string }[];
}
