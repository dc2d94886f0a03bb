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

test("lets only the topmost layer react, and the page's own keys only without a layer", () => {
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

test("removes layers in any order", () => {
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

test("hides the press that closes a layer from the layer below, and passes the next one on, however soon", () => {
  const close = pushLayer(Symbol("dialog"));
  const heardBelow: boolean[] = [];
  window.addEventListener("keydown", close, { once: true });
  window.addEventListener("keydown", () => void heardBelow.push(!hasOpenLayer()));
  window.dispatchEvent(new Event("keydown"));
  window.dispatchEvent(new Event("keydown"));
  expect(heardBelow).toEqual([false, true]);
});
