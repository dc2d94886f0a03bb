import { expect, test } from "vitest";
import { t } from "#lib/i18n.ts";
import { formatScore, timeLeftText } from "./desk-format.ts";

const shown = (score: number) => formatScore(score).replace(/[\u2066-\u2069]/g, "");

test("shows a score with two digits, and a tiny one not as none", () => {
  expect([0.62, 0.01, 0.004, 0].map(shown)).toEqual(["0.62", "0.01", "< 0.01", "< 0.01"]);
});

test("shows the rest of the promised time, and by how much it is over", () => {
  const text = (dueAt: number) => timeLeftText(t, dueAt, 1_000_000).replace(/[\u2066-\u2069]/g, "");
  expect(text(1_000_000 + 240_000)).toBe("4 min left");
  expect(text(1_000_000 + 1)).toBe("1 min left");
  expect(text(1_000_000)).toBe("1 min late");
  expect(text(1_000_000 - 7_500_000)).toBe("2 h 5 min late");
});
