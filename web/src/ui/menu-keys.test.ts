import { expect, test } from "vitest";
import { nextMenuIndex } from "#ui/menu-keys.ts";

const labels = ["Edit profile", "Contact us", "Terms", "Privacy"];

test("moves by arrows through a menu and around its ends, by Home and End to its ends", () => {
  expect(nextMenuIndex("ArrowDown", -1, labels)).toBe(0);
  expect(nextMenuIndex("ArrowDown", 3, labels)).toBe(0);
  expect(nextMenuIndex("ArrowUp", 0, labels)).toBe(3);
  expect(nextMenuIndex("Home", 2, labels)).toBe(0);
  expect(nextMenuIndex("End", 0, labels)).toBe(3);
});

test("moves to the next item that starts with a typed letter", () => {
  expect(nextMenuIndex("p", 0, labels)).toBe(3);
  expect(nextMenuIndex("P", 3, labels)).toBe(3);
  expect(nextMenuIndex("z", 0, labels)).toBeNull();
  expect(nextMenuIndex("Tab", 0, labels)).toBeNull();
  expect(nextMenuIndex("ArrowDown", 0, [])).toBeNull();
});
