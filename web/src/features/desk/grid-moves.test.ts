import { expect, test } from "vitest";
import { moveOf } from "./ReviewTab.tsx";

test("moves by arrow keys in the grid, mirrored in right-to-left languages", () => {
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
