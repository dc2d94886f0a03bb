import { expect, test } from "vitest";
import { minorFromPayermax, payermaxAmount } from "./payermax-payments.ts";

test.each([
  ["USD", 1_999n, "19.99"],
  ["USD", 100n, "1.00"],
  ["JPY", 1_600n, "1600"],
  ["KWD", 1_230n, "1.23"],
  ["TND", 5_000n, "5.00"],
  ["IDR", 1_600_000n, "16000"],
  ["TWD", 300n, "3"],
  ["PKR", 100_000n, "1000"],
  ["COP", 100n, "1"],
])("writes %s %s as %s, and reads it back", (currencyCode, amountMinor, text) => {
  expect(payermaxAmount(amountMinor, currencyCode).text).toBe(text);
  expect(minorFromPayermax(text, currencyCode)).toBe(amountMinor);
});

test.each([
  ["KWD", 1_005n],
  ["IDR", 1_650n],
  ["TWD", 1n],
])("rejects %s %s with more decimals than PayerMax accepts, instead of rounding", (currencyCode, amountMinor) => {
  expect(() => payermaxAmount(amountMinor, currencyCode)).toThrow("does not take");
});

test("reads amounts as Java writes them", () => {
  expect(minorFromPayermax("1.0E7", "IDR")).toBe(1_000_000_000n);
  expect(minorFromPayermax("300", "THB")).toBe(30_000n);
});
