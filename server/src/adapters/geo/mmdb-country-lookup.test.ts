import { expect, test } from "vitest";
import { MmdbCountryLookup } from "./mmdb-country-lookup.ts";

const countryLookup = new MmdbCountryLookup();

test.each([
  ["8.8.8.8", "US"],
  ["::ffff:8.8.8.8", "US"],
  ["2001:4860:4860::8888", "US"],
  ["195.175.39.39", "TR"],
])("finds the public address %s in %s", (address, country) => {
  expect(countryLookup.countryOf(address)).toBe(country);
});

test.each(["127.0.0.1", "::1", "10.1.2.3", "192.168.1.1", "fe80::1", "", "nonsense"])(
  "finds no country for %s",
  (address) => {
    expect(countryLookup.countryOf(address)).toBeNull();
  },
);
