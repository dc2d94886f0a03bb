import { expect, test } from "vitest";
import { exactPriceMinor } from "./exact-price.ts";

test.each([
  ["USD", 999n, 160n],
  ["JPY", 1_500n, 241n],
  ["KWD", 3_085n, 500n],
  ["IDR", 16_500_000n, 2_641_700n],
])("[BEANS-408] an exact number of beans costs whole steps of %s, rounded up", (currencyCode, priceMinor, price) => {
  const pack = { golds: 10_000n, priceMinor, currencyCode };
  expect(exactPriceMinor(1_601n, pack)).toBe(price);
});
