import { expect, test } from "vitest";
import { randomCount } from "./online-count.ts";

test("[HOME-5] the displayed count lies between 110000 and 111000, both included", () => {
  expect(randomCount(() => 0)).toBe(110_000);
  expect(randomCount(() => 0.999_999_9)).toBe(111_000);
});
