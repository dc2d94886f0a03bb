import { expect, test } from "vitest";
import { deskKeyOf, type KeyPress } from "./use-desk-keys.ts";

const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  ...change,
});

test("[DESK-116] letters, digits, Space, Enter, arrows and the question mark are keys of the desk", () => {
  expect(deskKeyOf(press("A"), "free")).toBe("a");
  expect(deskKeyOf(press("3"), "free")).toBe("3");
  expect(deskKeyOf(press(" "), "free")).toBe("Space");
  expect(deskKeyOf(press("Enter"), "free")).toBe("Enter");
  expect(deskKeyOf(press("ArrowLeft"), "free")).toBe("ArrowLeft");
  expect(deskKeyOf(press("?"), "free")).toBe("?");
});

test("[DESK-116] in a field no key is the desk's, except to find", () => {
  for (const key of ["a", "1", " ", "Enter", "?", "ArrowUp"]) expect(deskKeyOf(press(key), "text")).toBeNull();
  expect(deskKeyOf(press("k", { ctrlKey: true }), "text")).toBe("find");
  expect(deskKeyOf(press("k", { metaKey: true }), "free")).toBe("find");
});

test("[DESK-116] on a button Space and Enter press it, letters stay the desk's", () => {
  expect(deskKeyOf(press(" "), "control")).toBeNull();
  expect(deskKeyOf(press("Enter"), "control")).toBeNull();
  expect(deskKeyOf(press("a"), "control")).toBe("a");
  expect(deskKeyOf(press("ArrowDown"), "arrows")).toBeNull();
});

test("[DESK-116] a combination of the browser is left alone", () => {
  expect(deskKeyOf(press("r", { ctrlKey: true }), "free")).toBeNull();
  expect(deskKeyOf(press("a", { altKey: true }), "free")).toBeNull();
  expect(deskKeyOf(press("a", { isComposing: true }), "free")).toBeNull();
});

test("[DESK-116] on an Arabic or Cyrillic keyboard the place of the key counts; a Latin layout keeps its letters", () => {
  expect(deskKeyOf(press("ش", { code: "KeyA" }), "free")).toBe("a");
  expect(deskKeyOf(press("и", { code: "KeyB" }), "free")).toBe("b");
  expect(deskKeyOf(press("٢", { code: "Digit2" }), "free")).toBe("2");
  expect(deskKeyOf(press("ş", { code: "Semicolon" }), "free")).toBeNull();
  expect(deskKeyOf(press("q", { code: "KeyA" }), "free")).toBe("q");
});
