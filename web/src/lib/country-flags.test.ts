import { countries } from "@fava/wire/countries.ts";
import { hasFlag } from "country-flag-icons";
import { expect, test } from "vitest";

test("every country has a flag", () => {
  expect(countries.filter(({ code }) => !hasFlag(code))).toEqual([]);
});
