import { expect, test } from "vitest";
import { callKeyAction, type KeyFocus } from "./call-keys.ts";

const press = (key: string, change: Partial<Parameters<typeof callKeyAction>[0]> = {}) => ({
  key,
  code: key.length === 1 ? `Key${key.toUpperCase()}` : key,
  repeat: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  isComposing: false,
  keyCode: 0,
  ...change,
});
const page = (
  change: Partial<{ covered: boolean; panelOpen: boolean; focus: KeyFocus; rightToLeft: boolean }> = {},
) => ({
  covered: false,
  panelOpen: false,
  focus: "other" as KeyFocus,
  rightToLeft: false,
  ...change,
});

test("ends the call on Escape, after the text field and every layer above it", () => {
  expect(callKeyAction(press("Escape"), page())).toBe("end");
  expect(callKeyAction(press("Escape"), page({ focus: "text" }))).toBe("blur");
  expect(callKeyAction(press("Escape"), page({ covered: true }))).toBeNull();
});

test("ignores an Escape that belongs to an input method", () => {
  for (const taken of [{ isComposing: true }, { keyCode: 229 }]) {
    expect(callKeyAction(press("Escape", taken), page({ focus: "text" }))).toBeNull();
    expect(callKeyAction(press("Escape", taken), page({ focus: "text", panelOpen: true }))).toBeNull();
  }
});

test("closes the meter on Escape before the call ends; the other keys work meanwhile", () => {
  expect(callKeyAction(press("Escape"), page({ panelOpen: true }))).toBe("close-panel");
  expect(callKeyAction(press("Escape"), page({ panelOpen: true, focus: "text" }))).toBe("close-panel");
  expect(callKeyAction(press("Escape"), page({ panelOpen: true, covered: true }))).toBeNull();
  expect(callKeyAction(press("ArrowRight"), page({ panelOpen: true }))).toBe("next");
  expect(callKeyAction(press("m"), page({ panelOpen: true }))).toBe("microphone");
});

test("maps the right arrow to Next, except in text, in sliders and under a dialog", () => {
  expect(callKeyAction(press("ArrowRight"), page())).toBe("next");
  expect(callKeyAction(press("ArrowRight"), page({ focus: "text" }))).toBeNull();
  expect(callKeyAction(press("ArrowRight"), page({ focus: "arrows" }))).toBeNull();
  expect(callKeyAction(press("ArrowRight"), page({ covered: true }))).toBeNull();
  expect(callKeyAction(press("ArrowRight", { repeat: true }), page())).toBeNull();
});

test("[SAFE-220] maps X to the emergency exit outside of text, whatever covers the call", () => {
  expect(callKeyAction(press("x"), page())).toBe("panic");
  expect(callKeyAction(press("X"), page())).toBe("panic");
  expect(callKeyAction(press("ч", { code: "KeyX" }), page({ covered: true, panelOpen: true }))).toBe("panic");
  expect(callKeyAction(press("x"), page({ focus: "arrows" }))).toBe("panic");
  expect(callKeyAction(press("x"), page({ focus: "text" }))).toBeNull();
  for (const other of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }]) {
    expect(callKeyAction(press("x", other), page())).toBeNull();
  }
});

test("maps the left arrow to Next in right-to-left languages only", () => {
  expect(callKeyAction(press("ArrowLeft"), page())).toBeNull();
  expect(callKeyAction(press("ArrowLeft"), page({ rightToLeft: true }))).toBe("next");
});

test("maps letters to switches outside of text, and leaves them to the browser with a modifier", () => {
  expect(callKeyAction(press("m"), page())).toBe("microphone");
  expect(callKeyAction(press("v"), page())).toBe("camera");
  expect(callKeyAction(press("f"), page())).toBe("fit");
  expect(callKeyAction(press("i"), page())).toBe("ask");
  expect(callKeyAction(press("f"), page({ focus: "text" }))).toBeNull();
  expect(callKeyAction(press("/", { code: "Slash" }), page())).toBe("write");
  expect(callKeyAction(press("m"), page({ focus: "text" }))).toBeNull();
  expect(callKeyAction(press("v", { ctrlKey: true }), page())).toBeNull();
});
