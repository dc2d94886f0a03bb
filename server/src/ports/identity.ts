import type { LoginType } from "@fava/wire/people.ts";

/** What a provider vouches for. Everything else the client sends about itself is untrusted. */
export interface VerifiedIdentity {
  /** The provider's subject: the only key of the account. */
  thirdPartyId: string;
  /** Claims of the token; null where the provider says nothing. */
  nickname: string | null;
  avatarUrl: string | null;
  /** Nonce claim, to be burnt by the caller; null for Facebook access tokens, which carry none. */
  nonce: string | null;
  /** Until when the token is valid, so that its second use can be refused until then. */
  expiresAtMs: number;
}

/** A forged, expired, foreign or replayed token. `reason` goes to the log, never to the person. */
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
  /** Public client id for the browser. */
  readonly clientId: string;
  /** Live Apple: registered return address. Sandbox: address of the account chooser. Otherwise empty. */
  readonly url: string;
  /** Hosts from which this provider's avatars may be fetched; `*.` before a name: every host under it. */
  readonly avatarHosts: readonly string[];
  /** @throws IdentityRefusedError */
  verify(claimed: { thirdPartyId: string; token: string }): Promise<VerifiedIdentity>;
}

/** Fetches the picture a provider names, once, at sign-in. */
export interface AvatarSource {
  /**
   * The raw bytes of an allowed address, or null where the host is not allowed, the answer is too large (1 MiB), too
   * slow (5 s), redirects elsewhere or is no picture.
   */
  fetch(url: string, allowedHosts: readonly string[]): Promise<Buffer | null>;
}

/** Foreign hosts that a page may use. */
export interface ContentHosts {
  script?: readonly string[];
  style?: readonly string[];
  frame?: readonly string[];
  connect?: readonly string[];
}

/** A person who exists before anybody signs in. */
export interface SeedPerson {
  name: string;
  sex: 1 | 2;
  countryCode: string;
  /** Stored for everybody who is of age. */
  birthday: string;
  standing: "ordinary" | "moderator" | "administrator" | "banned" | "under_age";
  identities: readonly { loginType: LoginType; thirdPartyId: string }[];
}
