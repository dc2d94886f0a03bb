/** `used`: a replay. `stale`: signed before the oldest stored nonce. `full`: reject a request that changes anything. */
export type NonceUse = "new" | "used" | "stale" | "full";

export interface SignedCall {
  /** Empty for requests that are signed with the public key. */
  readonly sessionId: string;
  readonly nonce: string;
  /** By the client's clock, milliseconds since the epoch. */
  readonly signedAtMs: number;
}

/** Stores the nonces of signed requests for at least `nonceMemoryMs`, so that none can be replayed. */
export interface Nonces {
  use(call: SignedCall): Promise<NonceUse>;
}
