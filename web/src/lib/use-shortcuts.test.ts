import { expect, test } from "vitest";
import { shortcutOf, type KeyPress } from "./use-shortcuts.ts";

const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  keyCode: 0,
  ...change,
});

test("accepts letters, digits, Space, Enter, arrows and the question mark on the desk", () => {
  expect(shortcutOf(press("A"), "free")).toBe("a");
  expect(shortcutOf(press("3"), "free")).toBe("3");
  expect(shortcutOf(press(" "), "free")).toBe("Space");
  expect(shortcutOf(press("Enter"), "free")).toBe("Enter");
  expect(shortcutOf(press("ArrowLeft"), "free")).toBe("ArrowLeft");
  expect(shortcutOf(press("?"), "free")).toBe("?");
});

test("accepts no key in a text field but find", () => {
  for (const key of ["a", "1", " ", "Enter", "?", "ArrowUp"]) expect(shortcutOf(press(key), "text")).toBeNull();
  expect(shortcutOf(press("k", { ctrlKey: true }), "text")).toBe("find");
  expect(shortcutOf(press("k", { metaKey: true }), "free")).toBe("find");
});

test("leaves Space and Enter to a focused button, but accepts letters", () => {
  expect(shortcutOf(press(" "), "control")).toBeNull();
  expect(shortcutOf(press("Enter"), "control")).toBeNull();
  expect(shortcutOf(press("a"), "control")).toBe("a");
  expect(shortcutOf(press("ArrowDown"), "arrows")).toBeNull();
});

test("leaves key combinations to the browser", () => {
  expect(shortcutOf(press("r", { ctrlKey: true }), "free")).toBeNull();
  expect(shortcutOf(press("a", { altKey: true }), "free")).toBeNull();
  expect(shortcutOf(press("a", { isComposing: true }), "free")).toBeNull();
  expect(shortcutOf(press("a", { keyCode: 229 }), "free")).toBeNull();
});

test("uses the position of the key on an Arabic or Cyrillic keyboard, and the letters of a Latin layout", () => {
  expect(shortcutOf(press("ش", { code: "KeyA" }), "free")).toBe("a");
  expect(shortcutOf(press("и", { code: "KeyB" }), "free")).toBe("b");
  expect(shortcutOf(press("٢", { code: "Digit2" }), "free")).toBe("2");
  expect(shortcutOf(press("ş", { code: "Semicolon" }), "free")).toBeNull();
  expect(shortcutOf(press("q", { code: "KeyA" }), "free")).toBe("q");
});
