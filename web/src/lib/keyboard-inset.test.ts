import { expect, test } from "vitest";
import { keyboardInset } from "#lib/keyboard-inset.ts";

test("measures the invisible lower part of the window as the keyboard", () => {
  expect(keyboardInset(844, { height: 508, offsetTop: 0, scale: 1 })).toBe(336);
  // iOS scrolls the visible part up to the field.
  expect(keyboardInset(844, { height: 508, offsetTop: 100, scale: 1 })).toBe(236);
});

test("returns 0 for a browser bar, a zoomed page and an old browser", () => {
  expect(keyboardInset(844, { height: 788, offsetTop: 0, scale: 1 })).toBe(0);
  expect(keyboardInset(844, { height: 422, offsetTop: 0, scale: 2 })).toBe(0);
  expect(keyboardInset(844, null)).toBe(0);
});
