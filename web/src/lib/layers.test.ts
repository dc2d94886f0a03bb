import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hasOpenLayer, isTopLayer, pushLayer } from "#lib/layers.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", new EventTarget());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("only the layer on top reacts, and the page's own keys wait until there is none", () => {
  const [dialog, menu] = [Symbol("dialog"), Symbol("menu")];
  expect(hasOpenLayer()).toBe(false);
  const closeDialog = pushLayer(dialog);
  const closeMenu = pushLayer(menu);
  expect([isTopLayer(dialog), isTopLayer(menu)]).toEqual([false, true]);
  closeMenu();
  expect(isTopLayer(menu)).toBe(true);
  vi.runAllTimers();
  expect(isTopLayer(dialog)).toBe(true);
  closeDialog();
  vi.runAllTimers();
  expect(hasOpenLayer()).toBe(false);
});

test("layers may go in any order", () => {
  const [lower, upper] = [Symbol("lower"), Symbol("upper")];
  const closeLower = pushLayer(lower);
  const closeUpper = pushLayer(upper);
  closeLower();
  vi.runAllTimers();
  expect(isTopLayer(upper)).toBe(true);
  closeUpper();
  vi.runAllTimers();
  expect(hasOpenLayer()).toBe(false);
});

test("the press that closes a layer reaches nothing below it, and the next one does, however soon it comes", () => {
  const close = pushLayer(Symbol("dialog"));
  const heardBelow: boolean[] = [];
  window.addEventListener("keydown", close, { once: true });
  window.addEventListener("keydown", () => void heardBelow.push(!hasOpenLayer()));
  window.dispatchEvent(new Event("keydown"));
  window.dispatchEvent(new Event("keydown"));
  expect(heardBelow).toEqual([false, true]);
});
