import type { AgePolicy } from "#ports/settings.ts";

/** Whether users of the country need an age check; null: an unknown country, which needs none of its own. */
export function needsAgeCheck({ byCountry, elsewhere }: AgePolicy, countryId: number | null): boolean {
  return countryId !== null && (byCountry.get(countryId) ?? elsewhere);
}

/** Whether any country needs age checks. */
export function hasAgeChecks({ byCountry, elsewhere }: AgePolicy): boolean {
  return elsewhere || [...byCountry.values()].includes(true);
}
