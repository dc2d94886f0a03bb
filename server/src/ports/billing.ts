import type { FilterPrices } from "@fava/wire/beans.ts";

export interface Balances {
  /** Spendable beans, never negative. */
  of(userId: bigint): Promise<bigint>;
}

export interface AvailableBalances {
  /** Beans that can be spent on filters, never negative, and which limit applies: the balance or the spending cap. */
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
  /** The smallest pack of the default country: the rate for showing beans in money. */
  smallestPack(): Pack;
}
