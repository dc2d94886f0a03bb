import { expect, test } from "vitest";
import { exactPriceMinor, shownDigits } from "./exact-price.ts";

test.each([
  ["USD", 999n, 160n],
  ["JPY", 1_500n, 241n],
  ["KWD", 3_085n, 500n],
  ["IDR", 16_500_000n, 2_641_700n],
  ["ISK", 137_977n, 22_100n],
  ["UGX", 3_700_050n, 592_400n],
])("prices an exact number of beans in whole steps of %s, rounded up", (currencyCode, priceMinor, price) => {
  const pack = { golds: 10_000n, priceMinor, currencyCode };
  expect(exactPriceMinor(1_601n, pack)).toBe(price);
});

test.each([
  ["ISK", 22_100n, 0],
  ["ISK", 22_150n, 2],
  ["USD", 22_100n, 2],
  ["JPY", 22_100n, 0],
  ["KWD", 22_000n, 3],
])("shows an amount of %s %i with %i digits after the point", (currencyCode, amount, digits) => {
  expect(shownDigits(amount, currencyCode)).toBe(digits);
});
