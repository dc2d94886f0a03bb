import { expect, test } from "vitest";
import { RingKeys } from "./ring-keys.ts";

const pressed = (key: string, timeStamp: number, change: Partial<Parameters<RingKeys["take"]>[0]> = {}) => ({
  key,
  timeStamp,
  repeat: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  ...change,
});
const nowhere = { closest: () => null };
const onButton = { closest: () => ({}) as Element };

test("accepts on Enter and declines on Escape after a second without typing", () => {
  expect(new RingKeys(0).take(pressed("Enter", 1_000), nowhere)).toBe("accept");
  expect(new RingKeys(0).take(pressed("Escape", 1_000), nowhere)).toBe("decline");
  expect(new RingKeys(0).take(pressed("Escape", 1_000), onButton)).toBe("decline");
});

test("ignores keys of a user who still types, and keys that are held down", () => {
  const keys = new RingKeys(0);
  expect(keys.take(pressed("Enter", 999), nowhere)).toBe("none");
  expect(keys.take(pressed("a", 3_000), nowhere)).toBeNull();
  expect(keys.take(pressed("Enter", 3_500), nowhere)).toBe("none");
  expect(keys.take(pressed("Escape", 4_000), nowhere)).toBe("none");
  expect(keys.take(pressed("Enter", 6_000, { repeat: true }), nowhere)).toBe("none");
  expect(keys.take(pressed("Enter", 8_000), nowhere)).toBe("accept");
});

test("leaves Enter on a button to the button, and key combinations to the browser", () => {
  expect(new RingKeys(0).take(pressed("Enter", 2_000), onButton)).toBeNull();
  expect(new RingKeys(0).take(pressed("Enter", 2_000, { ctrlKey: true }), nowhere)).toBeNull();
});
