import { expect, test } from "vitest";
import { shareAtMost, totalByTwoLookers } from "./proportions.ts";

test("[SAFE-605] bounds a share as Clopper and Pearson do", () => {
  // Without a hit the bound is 1 - 0.05 ** (1 / of). The others are quantiles of the beta distribution.
  for (const [hits, of, bound] of [
    [0, 3_000, 0.000_998_08],
    [0, 10, 0.258_865_5],
    [1, 10, 0.394_163_3],
    [5, 100, 0.102_253_3],
    [3, 20, 0.343_663_8],
    [3_000, 3_000, 1],
    [0, 0, 1],
  ] as const) {
    expect(shareAtMost(hits, of)).toBeCloseTo(bound, 6);
  }
});

test("bounds a share of a large sample with many hits", () => {
  const bound = shareAtMost(2_000, 100_000);
  expect(bound).toBeGreaterThan(0.02);
  expect(bound).toBeLessThan(0.021);
});

test("estimates the total of what two lookers found", () => {
  expect(totalByTwoLookers({ first: 10, second: 10, both: 10 })).toBe(10);
  expect(totalByTwoLookers({ first: 24, second: 19, both: 9 })).toBe(49);
});
