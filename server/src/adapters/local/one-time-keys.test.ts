import { expect, test } from "vitest";
import { oneTimeKeysContract } from "#test/contracts/one-time-keys-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { LocalOneTimeKeys } from "./one-time-keys.ts";

oneTimeKeysContract("in memory", async () => {
  const clock = new TestClock();
  return {
    keys: new LocalOneTimeKeys({ clock }),
    advance: async (ms) => clock.advance(ms),
    [Symbol.asyncDispose]: async () => undefined,
  };
});

test("limits its memory: drops expired keys first, then the oldest", async () => {
  const clock = new TestClock();
  const keys = new LocalOneTimeKeys({ clock, keysMax: 3 });
  const add = (key: string, lifeMs: number) => keys.add("signInNonce", key, lifeMs);
  await add("long", 1_000);
  await add("short", 10);
  await add("other", 1_000);
  clock.advance(10);
  await add("fourth", 1_000);
  expect(await add("long", 1)).toBe(false);
  await add("fifth", 1_000);
  const taken = await Promise.all(["long", "other", "fourth", "fifth"].map((key) => keys.take("signInNonce", key)));
  expect(taken).toEqual([false, true, true, true]);
});
