import { expect, test } from "vitest";
import { formatScore } from "./desk-format.ts";

const shown = (score: number) => formatScore(score).replace(/[\u2066-\u2069]/g, "");

test("shows a score with two digits, and a tiny one not as none", () => {
  expect([0.62, 0.01, 0.004, 0].map(shown)).toEqual(["0.62", "0.01", "< 0.01", "< 0.01"]);
});
