import { expect, test } from "vitest";
import { nextRowIndex } from "./ConversationList.tsx";

test("moves by Up and Down through the list and stops at its ends, to which Home and End move", () => {
  expect(nextRowIndex("ArrowDown", 0, 3)).toBe(1);
  expect(nextRowIndex("ArrowDown", 2, 3)).toBe(2);
  expect(nextRowIndex("ArrowUp", 0, 3)).toBe(0);
  expect(nextRowIndex("Home", 2, 3)).toBe(0);
  expect(nextRowIndex("End", 0, 3)).toBe(2);
  expect(nextRowIndex("ArrowDown", -1, 3)).toBe(0);
  expect(nextRowIndex("a", 1, 3)).toBeNull();
  expect(nextRowIndex("ArrowDown", -1, 0)).toBeNull();
});
