/**
 * `used`: the call was taken before. `stale`: it was signed before what is remembered begins, so that nobody knows whether
 * it was taken. `full`: it cannot be remembered now, so a call that changes anything must not go on.
 */
export type NonceUse = "new" | "used" | "stale" | "full";

/** What tells one signed call from all others. */
export interface SignedCall {
  /** Empty for calls that are signed with the public key. */
  readonly sessionId: string;
  readonly nonce: string;
  /** By the caller's clock, milliseconds since the epoch. */
  readonly signedAtMs: number;
}

/** Remembers the nonces of signed calls for `nonceMemoryMs` at least, so that no call can be replayed. */
export interface Nonces {
  /** Notes the call's nonce under its session. */
  use(call: SignedCall): Promise<NonceUse>;
}
