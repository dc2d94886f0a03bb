/** What a person can spend. */
export interface Balances {
  /** Beans, never negative. */
  of(userId: bigint): Promise<bigint>;
}

/** What a person can spend on filters now. */
export interface AvailableBalances {
  /** Beans, never negative, and whether balance or spending cap says so. */
  spendable(userId: bigint): Promise<{ have: bigint; limit: "balance" | "cap" }>;
}
