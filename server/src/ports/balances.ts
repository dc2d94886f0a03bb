/** What a person can spend. */
export interface Balances {
  /** Beans, never negative. */
  of(userId: bigint): Promise<bigint>;
}
