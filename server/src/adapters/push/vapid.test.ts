import { expect, test } from "vitest";
import { isVapidPair, vapidOf } from "./vapid.ts";

test("keeps leading zeros of a private key, which matches its public key", () => {
  const keys = vapidOf("secret 45");
  expect(Buffer.from(keys.privateKey, "base64url").subarray(0, 1)).toEqual(Buffer.alloc(1));
  expect(isVapidPair(keys)).toBe(true);
});
