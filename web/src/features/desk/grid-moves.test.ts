import { expect, test } from "vitest";
import { moveOf } from "./ReviewTab.tsx";

test("arrows follow the grid, mirrored from right to left", () => {
  const here = { columns: 6, rightToLeft: false };
  expect(["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "a"].map((key) => moveOf(key, here))).toEqual([
    1,
    -1,
    6,
    -6,
    null,
  ]);
  expect(moveOf("ArrowRight", { ...here, rightToLeft: true })).toBe(-1);
  expect(moveOf("ArrowDown", { ...here, rightToLeft: true })).toBe(6);
});
