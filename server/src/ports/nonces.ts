/** `full`: there is no room to remember another one, so the call must not go on. */
export type NonceUse = "new" | "used" | "full";

/** Remembers the nonces of signed calls for `nonceMemoryMs` at least, so that no call can be replayed. */
export interface Nonces {
  /** Nothing is remembered of calls that were signed before, milliseconds since the epoch. */
  readonly sinceMs: number;
  /** Notes the nonce under its session id, or under the empty string for calls that are signed with the public key. */
  use(sessionId: string, nonce: string): Promise<NonceUse>;
}
