/** Filter prices. Beans are integers, never fractions. */

export interface FilterPrices {
  /** Beans a minute for a gender filter, a country filter, and both together. */
  gender: number;
  country: number;
  both: number;
}

/** Prices when the settings name none. */
export const filterPricesDefault: FilterPrices = { gender: 1600, country: 800, both: 2000 };

/** 0 both, 1 men, 2 women. */
export type WishedSex = 0 | 1 | 2;
/** Country filters that are no country id: global matches worldwide, balanced matches nearby regions first. */
export const countryGlobal = 0;
export const countryBalanced = -1;

export interface MatchFilters {
  sex: WishedSex;
  country: number;
}

/** Price of the filters in beans a minute. Both together never cost more than the sum of the two (rule BEANS-1). */
export function pricePerMinute(filters: MatchFilters, prices: FilterPrices): number {
  const gender = filters.sex !== 0;
  const country = filters.country > 0;
  if (gender && country) return Math.min(prices.both, prices.gender + prices.country);
  if (gender) return prices.gender;
  return country ? prices.country : 0;
}
