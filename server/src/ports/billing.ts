import type { FilterPrices } from "@fava/wire/beans.ts";

export interface Balances {
  /** Spendable beans, never negative. */
  of(userId: bigint): Promise<bigint>;
}

export interface AvailableBalances {
  /** Beans that the user can spend on filters, never negative. `limit`: whether balance or spending cap is lower. */
  spendable(userId: bigint): Promise<{ have: bigint; limit: "balance" | "cap" }>;
}

export interface Pack {
  id: number;
  countryId: number;
  golds: bigint;
  priceMinor: bigint;
  currencyCode: string;
}

/** Current prices of filters and packs, from memory. Administrators change them while the server runs. */
export interface PriceBook {
  filterPrices(): FilterPrices;
  /** The smallest pack of the default country, by which the page shows beans in money. */
  smallestPack(): Pack;
}
