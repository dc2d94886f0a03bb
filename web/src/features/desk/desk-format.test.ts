import { expect, test } from "vitest";
import type { Translate } from "#lib/i18n.ts";
import { formatScore, timeLeftText } from "./desk-format.ts";

const shown = (score: number) => formatScore(score).replace(/[\u2066-\u2069]/g, "");

test("shows a score with two digits, and a tiny one not as none", () => {
  expect([0.62, 0.01, 0.004, 0].map(shown)).toEqual(["0.62", "0.01", "< 0.01", "< 0.01"]);
});

test("shows the rest of the promised time, and by how much it is over", () => {
  const named = ((key: string, values: { time: string }) => `${key} ${values.time}`) as Translate;
  const text = (dueAt: number) => timeLeftText(named, dueAt, 10_000_000).replace(/[\u2066-\u2069]/g, "");
  expect(text(10_000_000 + 240_000)).toBe("desk.row.left 4 min");
  expect(text(10_000_000 + 1)).toBe("desk.row.left 1 min");
  expect(text(10_000_000)).toBe("desk.row.late 1 min");
  expect(text(10_000_000 - 7_500_000)).toBe("desk.row.late 2 hr 5 min");
});
