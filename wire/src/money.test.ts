import { expect, test } from "vitest";
import { currencyExponent } from "./currency.ts";
import { majorText, minorFromText } from "./money.ts";

test("[BEANS-80] writes money as integer minor units with its currency and all digits", () => {
  expect(majorText(999n, "USD")).toBe("9.99");
  expect(majorText(5n, "USD")).toBe("0.05");
  expect(majorText(-1998n, "USD")).toBe("-19.98");
  expect(majorText(1200n, "JPY")).toBe("1200");
  expect(majorText(12_345n, "KWD")).toBe("12.345");
});

test.each([
  ["9.99", "USD", 999n],
  ["9.990", "USD", 999n],
  ["10", "USD", 1_000n],
  ["1200", "JPY", 1_200n],
  ["12.3", "KWD", 12_300n],
  ["9.995", "USD", null],
  ["1e3", "USD", null],
  ["-1", "USD", null],
  ["", "USD", null],
  ["1.", "USD", null],
] as const)("[BEANS-80] reads %s %s as %s minor units", (text, currency, minor) => {
  expect(minorFromText(text, currency)).toBe(minor);
});

test("[BEANS-80] reads back what it wrote", () => {
  for (const currency of ["USD", "JPY", "KWD"]) {
    for (const minor of [0n, 1n, 99n, 100n, 99_999n]) {
      expect(minorFromText(majorText(minor, currency), currency)).toBe(minor);
    }
    expect(currencyExponent(currency)).toBeGreaterThanOrEqual(0);
  }
});
