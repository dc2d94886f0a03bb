import { expect, test } from "vitest";
import { RecentMedian } from "./onnx-classifier.ts";

test("the middle of the last values is known, the lower of two, and 0 before the first", () => {
  const median = new RecentMedian(3);
  expect(median.value).toBe(0);
  for (const value of [9, 1]) median.add(value);
  expect(median.value).toBe(1);
  for (const value of [5, 7]) median.add(value);
  expect(median.value).toBe(5);
});
