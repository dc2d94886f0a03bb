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

test("Enter accepts and Escape declines once nothing was written for a second", () => {
  expect(new RingKeys(0).take(pressed("Enter", 1_000), nowhere)).toBe("accept");
  expect(new RingKeys(0).take(pressed("Escape", 1_000), nowhere)).toBe("decline");
  expect(new RingKeys(0).take(pressed("Escape", 1_000), onButton)).toBe("decline");
});

test("what is still written when it rings answers nothing, nor does a key that is held down", () => {
  const keys = new RingKeys(0);
  expect(keys.take(pressed("Enter", 999), nowhere)).toBe("none");
  expect(keys.take(pressed("a", 3_000), nowhere)).toBeNull();
  expect(keys.take(pressed("Enter", 3_500), nowhere)).toBe("none");
  expect(keys.take(pressed("Escape", 4_000), nowhere)).toBe("none");
  expect(keys.take(pressed("Enter", 6_000, { repeat: true }), nowhere)).toBe("none");
  expect(keys.take(pressed("Enter", 8_000), nowhere)).toBe("accept");
});

test("Enter on a button is that button's, and a key of the browser is the browser's", () => {
  expect(new RingKeys(0).take(pressed("Enter", 2_000), onButton)).toBeNull();
  expect(new RingKeys(0).take(pressed("Enter", 2_000, { ctrlKey: true }), nowhere)).toBeNull();
});
