import { expect, test } from "vitest";
import { countries, countryByCode, countryById, selectableCountryIdsDefault } from "./countries.ts";
import { zones } from "./country-table.ts";

test("[COUNTRY-1] uses 18 for the United States, the fallback of the specification", () => {
  expect(countryById(18)).toEqual({ id: 18, code: "US", numeric: 840, zone: zones.northAmerica });
  expect(countryByCode("US")?.id).toBe(18);
});

test("[COUNTRY-1] numbers countries from 1 without gaps, and never changes an id", async () => {
  expect(countries).toHaveLength(250);
  expect(countries.map(({ id }) => id)).toEqual(countries.map((_, index) => index + 1));
  const pairs = countries.slice(0, 250).map(({ id, code }) => `${id}:${code}`);
  const checksum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(pairs.join(" ")));
  expect(Buffer.from(checksum).toString("hex")).toBe(
    "7a842cabfc0c5004fffbffe3ea10a3ef6ce8fcd49a663aab3e599d7fe579b89a",
  );
});

test("[COUNTRY-1] gives each country one well-formed code and numeric code", () => {
  expect(countries.filter(({ code }) => !/^[A-Z]{2}$/.test(code))).toEqual([]);
  expect(countries.filter(({ numeric }) => !(numeric > 0 && numeric < 1_000))).toEqual([]);
  expect(new Set(countries.map(({ code }) => code)).size).toBe(countries.length);
  expect(new Set(countries.map(({ numeric }) => numeric)).size).toBe(countries.length);
});

test("[COUNTRY-1] uses the current numeric codes of ISO 3166-1", () => {
  const sample = {
    BR: 76,
    CW: 531,
    CZ: 203,
    DE: 276,
    ET: 231,
    FR: 250,
    GB: 826,
    RS: 688,
    SA: 682,
    SD: 729,
    TR: 792,
    YE: 887,
  };
  const found = Object.keys(sample).map((code) => [code, countryByCode(code)?.numeric]);
  expect(Object.fromEntries(found)).toEqual(sample);
  // Unicode's region data also has the numeric codes, including former ones: each of ours leads to its country.
  const canonical = (numeric: number) => Intl.getCanonicalLocales(`und-${String(numeric).padStart(3, "0")}`);
  expect(countries.filter(({ code, numeric }) => canonical(numeric)[0] !== `und-${code}`)).toEqual([]);
});

test("offers about 75 countries by default, each once", () => {
  expect(selectableCountryIdsDefault).toHaveLength(75);
  expect(new Set(selectableCountryIdsDefault).size).toBe(75);
  for (const code of ["BR", "US", "GB", "DE", "TR", "SA", "ID", "CN", "IN", "JP", "NG", "AU"])
    expect(selectableCountryIdsDefault).toContain(countryByCode(code)?.id);
});

test("finds no country for an unknown id or code", () => {
  for (const id of [0, -1, 251, 1.5, Number.NaN]) expect(countryById(id)).toBeUndefined();
  for (const code of ["", "us", "ZZ", "USA"]) expect(countryByCode(code)).toBeUndefined();
});

test("gives every zone countries, and neighbours the same zone", () => {
  expect(new Set(countries.map(({ zone }) => zone))).toEqual(new Set(Object.values(zones)));
  expect(countryByCode("TR")?.zone).toBe(countryByCode("EG")?.zone);
  expect(countryByCode("ID")?.zone).toBe(zones.southEastAsia);
});
