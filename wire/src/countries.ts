import { countryRows, type Zone } from "./country-table.ts";

export interface Country {
  /** Our own stable id; 18 is the United States. */
  id: number;
  /** ISO 3166-1 alpha-2. */
  code: string;
  /** ISO 3166-1 numeric; 983 for Kosovo, which has none. */
  numeric: number;
  zone: Zone;
}

/** Every country of ISO 3166-1 and Kosovo, ordered by id. */
export const countries: readonly Country[] = countryRows
  .flatMap(([zone, codes]) => codes.split(" ").map((code) => ({ zone, code })))
  .map(({ zone, code }, index) => ({ id: index + 1, code: code.slice(0, 2), numeric: Number(code.slice(2)), zone }));

const byCode = new Map(countries.map((country) => [country.code, country]));

/** Undefined for an unknown id. */
export function countryById(id: number): Country | undefined {
  return countries[id - 1];
}

/** Looks up an upper-case ISO 3166-1 alpha-2 code; undefined for an unknown one. */
export function countryByCode(code: string): Country | undefined {
  return byCode.get(code);
}

/** The 75 countries with the largest audiences, by zone. */
const selectableCodes = [
  "US CA GB DE FR ES IT NL BE PT SE NO DK FI IE AT CH GR RU UA PL RO CZ HU RS BY GE AZ",
  "BR MX AR CO CL PE VE EC BO PY UY DO GT TR SA AE EG IQ JO KW QA LB MA DZ TN IL NG KE ZA",
  "IN PK BD ID PH MY TH VN SG MM JP KR TW HK CN KZ UZ AU",
].join(" ");

/** Choices of the country filter unless the setting `COUNTRIES` names others. */
export const selectableCountryIdsDefault: readonly number[] = selectableCodes
  .split(" ")
  .flatMap((code) => countryByCode(code)?.id ?? []);
