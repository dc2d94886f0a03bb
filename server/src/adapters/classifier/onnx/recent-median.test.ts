import { expect, test } from "vitest";
import { RecentMedian } from "./onnx-classifier.ts";

test("returns the median of the last values, the lower of two, and 0 before the first", () => {
  const median = new RecentMedian(3);
  expect(median.value).toBe(0);
  for (const value of [9, 1]) median.add(value);
  expect(median.value).toBe(1);
  for (const value of [5, 7]) median.add(value);
  expect(median.value).toBe(5);
});
