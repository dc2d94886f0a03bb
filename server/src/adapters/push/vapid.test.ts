import { expect, test } from "vitest";
import { isVapidPair, vapidOf } from "./vapid.ts";

test("a secret number that begins with zeros has its whole length, and belongs to its pair", () => {
  const keys = vapidOf("secret 45");
  expect(Buffer.from(keys.privateKey, "base64url").subarray(0, 1)).toEqual(Buffer.alloc(1));
  expect(isVapidPair(keys)).toBe(true);
});
