import { expect, test } from "vitest";
import { enterDesk, minutesToBreak } from "./DeskPage.tsx";

const start = 1_000_000;
const minute = 60_000;

test("suggests a break after ninety minutes, despite a short absence", () => {
  const first = enterDesk(null, start);
  expect(minutesToBreak(first, start)).toBe(90);
  expect(minutesToBreak(first, start + 72 * minute)).toBe(18);
  const again = enterDesk({ ...first, leftMs: start + 80 * minute }, start + 85 * minute);
  expect(minutesToBreak(again, start + 90 * minute)).toBe(0);
});

test("counts ten minutes of absence as a break", () => {
  const rested = enterDesk({ sinceMs: start, leftMs: start + 80 * minute }, start + 90 * minute);
  expect(minutesToBreak(rested, start + 90 * minute)).toBe(90);
});
