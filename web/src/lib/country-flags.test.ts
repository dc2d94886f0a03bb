import { countries } from "@fava/wire/countries.ts";
import { hasFlag } from "country-flag-icons";
import { expect, test } from "vitest";

test("has a flag for every country", () => {
  expect(countries.filter(({ code }) => !hasFlag(code))).toEqual([]);
});
