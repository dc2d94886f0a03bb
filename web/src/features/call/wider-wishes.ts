import { countryBalanced, type MatchWish } from "@fava/wire/beans.ts";

/** The wider searches that a search with filters may become, each by giving up one filter or both; none without filters. */
export function widerWishes(wish: MatchWish): readonly MatchWish[] {
  const all: readonly MatchWish[] = [
    { sex: wish.sex, country: countryBalanced },
    { sex: 0, country: wish.country },
    { sex: 0, country: countryBalanced },
  ];
  if (wish.sex !== 0 && wish.country > 0) return all;
  return wish.sex !== 0 || wish.country > 0 ? all.slice(2) : [];
}
