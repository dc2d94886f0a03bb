import { expect, test } from "vitest";
import { isComposing } from "./composing.ts";

test("detects a press of an input method by its flag, and in Safari by the legacy key code", () => {
  expect(isComposing({ isComposing: true, keyCode: 229 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 13 })).toBe(false);
});
