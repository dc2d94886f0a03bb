import type { FilterPrices } from "@fava/wire/beans.ts";

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

export interface Pack {
  id: number;
  countryId: number;
  golds: bigint;
  priceMinor: bigint;
  currencyCode: string;
}

/** What filters and beans cost now; administrators change it while the server runs. Answers from memory. */
export interface PriceBook {
  filterPrices(): FilterPrices;
  /** The smallest pack of the default country: the rate by which beans are shown in money. */
  smallestPack(): Pack;
}
