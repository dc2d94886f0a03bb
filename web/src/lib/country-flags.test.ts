import { countries } from "@fava/wire/countries.ts";
import { hasFlag } from "country-flag-icons";
import { expect, test } from "vitest";

test("[COUNTRY-2] every country has a flag", () => {
  expect(countries.filter(({ code }) => !hasFlag(code))).toEqual([]);
});
