import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { limitsContract } from "#test/contracts/limits-contract.ts";
import { LocalLimits } from "./rate-limits.ts";

limitsContract("in memory", async () => {
  vi.useFakeTimers();
  return {
    limits: (factor) => new LocalLimits({ factor }),
    advance: async (ms) => void vi.advanceTimersByTime(ms),
    [Symbol.asyncDispose]: async () => void vi.useRealTimers(),
  };
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function takeTimes(limits: LocalLimits, times: number, key = "k") {
  const waits: (number | null)[] = [];
  for (let count = 0; count < times; count += 1) waits.push(await limits.take("signInByIdentity", key));
  return waits;
}

test("[GUARD-21] allows the count, tells the next request how long to wait, and allows all again after that", async () => {
  const limits = new LocalLimits({ factor: 1 });
  expect(await takeTimes(limits, 11)).toEqual([...Array.from({ length: 10 }, () => null), 600]);
  vi.advanceTimersByTime(590_000);
  expect(await takeTimes(limits, 1)).toEqual([10]);
  vi.advanceTimersByTime(10_001);
  expect(await takeTimes(limits, 1)).toEqual([null]);
});

test("[GUARD-21] stops a burst by the short window, and a steady stream by the long one", async () => {
  const limits = new LocalLimits({ factor: 1 });
  let allowed = 0;
  for (let second = 0; second < 60; second += 1) {
    for (let count = 0; count < 6; count += 1)
      if ((await limits.take("callByAddress", "203.0.113.5")) === null) allowed += 1;
    vi.advanceTimersByTime(1_000);
  }
  expect(allowed).toBe(300);
  vi.advanceTimersByTime(60_000);
  const burst = await Promise.all(Array.from({ length: 61 }, () => limits.take("callByAddress", "203.0.113.5")));
  expect(burst.filter((wait) => wait === null)).toHaveLength(60);
});

test("counts several at once, and does not multiply a fixed limit", async () => {
  const limits = new LocalLimits({ factor: 100 });
  expect(await limits.take("decodeMsByUser", "ana", 10_000)).toBe(null);
  expect(await limits.waitSeconds("decodeMsByUser", "ana")).toBe(null);
  vi.advanceTimersByTime(20_000);
  expect(await limits.take("decodeMsByUser", "ana", 1)).toBe(40);
  expect(await limits.waitSeconds("decodeMsByUser", "ana")).toBe(40);
  vi.advanceTimersByTime(40_001);
  expect(await limits.waitSeconds("decodeMsByUser", "ana")).toBe(null);
});

test("shares counts between keys above the maximum instead of growing", async () => {
  const limits = new LocalLimits({ factor: 1, keysMax: 50 });
  for (let count = 0; count < 20_000; count += 1) await limits.take("signInByIdentity", `k${count}`);
  expect(vi.getTimerCount()).toBeLessThan(5_000);
  // Each later key shares its count with a few hundred others.
  expect(await takeTimes(limits, 1, "k5")).toEqual([null]);
  expect(await takeTimes(limits, 30, "k19999")).toContain(600);
  vi.advanceTimersByTime(600_001);
  expect(await takeTimes(limits, 10, "k19999")).toEqual(Array.from({ length: 10 }, () => null));
});
