import { expect, test } from "vitest";
import { keyboardInset } from "#lib/keyboard-inset.ts";

test("what a keyboard covers is what of the window is not seen, from below", () => {
  expect(keyboardInset(844, { height: 508, offsetTop: 0, scale: 1 })).toBe(336);
  // iOS moves what is seen up to the field.
  expect(keyboardInset(844, { height: 508, offsetTop: 100, scale: 1 })).toBe(236);
});

test("a bar of the browser, a zoomed page and an old browser move nothing", () => {
  expect(keyboardInset(844, { height: 788, offsetTop: 0, scale: 1 })).toBe(0);
  expect(keyboardInset(844, { height: 422, offsetTop: 0, scale: 2 })).toBe(0);
  expect(keyboardInset(844, null)).toBe(0);
});
