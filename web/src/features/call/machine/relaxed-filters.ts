import { countryBalanced, type MatchFilters } from "@fava/wire/beans.ts";

/**
 * The wider filters that a filtered search may change to, each without one filter or both; none for an unfiltered one.
 */
export function relaxedFilters(wish: MatchFilters): readonly MatchFilters[] {
  const all: readonly MatchFilters[] = [
    { sex: wish.sex, country: countryBalanced },
    { sex: 0, country: wish.country },
    { sex: 0, country: countryBalanced },
  ];
  if (wish.sex !== 0 && wish.country > 0) return all;
  return wish.sex !== 0 || wish.country > 0 ? all.slice(2) : [];
}
