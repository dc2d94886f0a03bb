import { expect, test } from "vitest";
import { countryBalanced, countryGlobal, filterPricesDefault, pricePerMinute } from "./beans.ts";

test("[BEANS-2] prices a gender at 1600 beans a minute, a country at 800 and both at 2000", () => {
  expect(filterPricesDefault).toEqual({ gender: 1_600, country: 800, both: 2_000 });
});

test.each([
  ["both, global", { sex: 0, country: countryGlobal }, 0],
  ["both, balanced", { sex: 0, country: countryBalanced }, 0],
  ["men, global", { sex: 1, country: countryGlobal }, 1_600],
  ["women, balanced", { sex: 2, country: countryBalanced }, 1_600],
  ["both, a country", { sex: 0, country: 18 }, 800],
  ["women, a country", { sex: 2, country: 18 }, 2_000],
] as const)("[BEANS-1] %s", (_name, filters, price) => {
  expect(pricePerMinute(filters, filterPricesDefault)).toBe(price);
});

test("[BEANS-1] never prices both filters above the sum of the two", () => {
  expect(pricePerMinute({ sex: 1, country: 18 }, { gender: 100, country: 50, both: 900 })).toBe(150);
});

test("[MATCH-11] uses 0 for global and -1 for balanced", () => {
  expect([countryGlobal, countryBalanced]).toEqual([0, -1]);
});
