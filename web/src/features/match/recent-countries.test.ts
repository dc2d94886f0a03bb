import { expect, test } from "vitest";
import { recentCountries, rememberCountry } from "./PreferencesSheet.tsx";

test("remembers the last three countries, the newest first and each once", () => {
  expect(recentCountries()).toEqual([]);
  for (const id of [1, 2, 3]) rememberCountry(id);
  expect(recentCountries()).toEqual([3, 2, 1]);
  rememberCountry(1);
  expect(recentCountries()).toEqual([1, 3, 2]);
  rememberCountry(4);
  expect(recentCountries()).toEqual([4, 1, 3]);
});

test("does not remember balanced and global", () => {
  const before = recentCountries();
  rememberCountry(0);
  rememberCountry(-1);
  expect(recentCountries()).toBe(before);
});
