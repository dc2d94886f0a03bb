import type { FilterPrices } from "@fava/wire/beans.ts";

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
