/** `used`: replayed. `stale`: signed before the oldest stored nonce. `full`: reject requests that change anything. */
export type NonceUse = "new" | "used" | "stale" | "full";

export interface SignedCall {
  /** Empty if the request is signed with the public key. */
  readonly sessionId: string;
  readonly nonce: string;
  /** Time of the signature by the client's clock, in milliseconds since the epoch. */
  readonly signedAtMs: number;
}

/** Remembers the nonces of signed requests for at least `nonceMemoryMs`, so that no request can be replayed. */
export interface Nonces {
  use(call: SignedCall): Promise<NonceUse>;
}
