import { afterEach, beforeEach, expect, test } from "vitest";
import { clearForSignOut, readStored, writeStored } from "#lib/storage.ts";
import { currentMatchFilters, reloadMatchFilters, saveMatchFilters } from "./match-filters.ts";

beforeEach(() => {
  clearForSignOut();
  reloadMatchFilters();
});
afterEach(clearForSignOut);

test("searches for everybody, balanced, until the user chooses", () => {
  expect(currentMatchFilters()).toEqual({ sex: 0, country: -1 });
});

test.each([
  [{ sex: 2, country: 18 }, 2, { mode: "country", id: 18 }],
  [{ sex: 1, country: 0 }, 1, { mode: "global", id: 0 }],
  [{ sex: 0, country: -1 }, 0, { mode: "balanced", id: 0 }],
] as const)("stores the filters %j under filterGender and filterCountry", (wish, gender, country) => {
  saveMatchFilters(wish);
  expect(readStored("filterGender")).toBe(gender);
  expect(readStored("filterCountry")).toEqual(country);
  reloadMatchFilters();
  expect(currentMatchFilters()).toEqual(wish);
});

test("reads a stored country without an id as balanced, which is free", () => {
  writeStored("filterCountry", { mode: "country", id: 0 });
  reloadMatchFilters();
  expect(currentMatchFilters().country).toBe(-1);
});

test("resets the filters at sign-out", () => {
  saveMatchFilters({ sex: 2, country: 18 });
  clearForSignOut();
  reloadMatchFilters();
  expect(currentMatchFilters()).toEqual({ sex: 0, country: -1 });
});
