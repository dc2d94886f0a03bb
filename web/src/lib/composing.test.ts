import { expect, test } from "vitest";
import { isComposing } from "./composing.ts";

test("a press that an input method takes is told by its flag, and in Safari by the old key code alone", () => {
  expect(isComposing({ isComposing: true, keyCode: 229 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 13 })).toBe(false);
});
