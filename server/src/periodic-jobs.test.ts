import { expect, test } from "vitest";
import { untilNight } from "./periodic-jobs.ts";

test("runs nightly jobs at 03:00 UTC", () => {
  expect(untilNight(Date.UTC(2026, 0, 1, 2, 59))).toBe(60_000);
  expect(untilNight(Date.UTC(2026, 0, 1, 3))).toBe(86_400_000);
  expect(untilNight(Date.UTC(2026, 0, 1, 23))).toBe(4 * 3_600_000);
});
