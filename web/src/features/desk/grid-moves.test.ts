import { expect, test } from "vitest";
import { gridMoveOf } from "./ReviewTab.tsx";

test("moves by arrow keys in the grid, mirrored in right-to-left languages", () => {
  const here = { columns: 6, rightToLeft: false };
  expect(["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "a"].map((key) => gridMoveOf(key, here))).toEqual([
    1,
    -1,
    6,
    -6,
    null,
  ]);
  expect(gridMoveOf("ArrowRight", { ...here, rightToLeft: true })).toBe(-1);
  expect(gridMoveOf("ArrowDown", { ...here, rightToLeft: true })).toBe(6);
});
