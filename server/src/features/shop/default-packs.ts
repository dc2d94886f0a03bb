import { priceListCountryDefault } from "@fava/wire/limits.ts";
import type { Pack } from "#ports/price-book.ts";

const offered = [
  [1_030_000n, 99_999n],
  [770_000n, 74_999n],
  [510_000n, 49_999n],
  [203_000n, 19_999n],
  [101_000n, 9_999n],
  [10_000n, 999n],
] as const;

/** The packs of the specification (section 3): what a new installation offers. Other countries' lists are empty. */
export const defaultPacks: readonly Omit<Pack, "id">[] = offered.map(([golds, priceMinor]) => ({
  countryId: priceListCountryDefault,
  golds,
  priceMinor,
  currencyCode: "USD",
}));
