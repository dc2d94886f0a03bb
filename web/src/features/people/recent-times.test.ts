import { expect, test } from "vitest";
import { formatAgo, formatLeft } from "./recent-times.ts";

const minute = 60_000;
const hour = 60 * minute;

test("shows how long ago a call was in minutes, then in hours", () => {
  expect(formatAgo(0, 18 * minute, "en")).toBe("18 min. ago");
  expect(formatAgo(0, 3 * hour + 59 * minute, "en")).toBe("3 hr. ago");
  expect(formatAgo(5, 0, "en")).toBe("0 min. ago");
});

test("shows the remaining time in whole hours, then in minutes, and never as zero", () => {
  expect(formatLeft(24 * hour - minute, 0)).toBe("23 hr");
  expect(formatLeft(hour, 0)).toBe("1 hr");
  expect(formatLeft(hour - 1, 0)).toBe("59 min");
  expect(formatLeft(20, 0)).toBe("1 min");
});
