import { expect, test } from "vitest";
import { KeyedMutex, pairKey } from "./keyed-mutex.ts";

test("runs work of one key in order, also after failures, without delaying other keys", async () => {
  const mutex = new KeyedMutex();
  const done: string[] = [];
  let release = (): void => undefined;
  const first = mutex.run("a", async () => {
    await new Promise<void>((resolve) => (release = resolve));
    done.push("first");
    throw new Error("first failed");
  });
  const second = mutex.run("a", async () => void done.push("second"));
  await mutex.run("b", async () => void done.push("other"));
  expect(done).toEqual(["other"]);
  release();
  await expect(first).rejects.toThrow("first failed");
  await second;
  expect(done).toEqual(["other", "first", "second"]);
});

test("forgets a key without work", async () => {
  const mutex = new KeyedMutex();
  await Promise.allSettled([mutex.run("a", async () => 1), mutex.run("a", () => Promise.reject(new Error("no")))]);
  expect(mutex.size).toBe(0);
});

test("gives a pair the same key in both orders", () => {
  expect(pairKey(12n, 9n)).toBe(pairKey(9n, 12n));
  expect(pairKey(1n, 12n)).not.toBe(pairKey(11n, 2n));
});
