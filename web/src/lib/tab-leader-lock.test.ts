import { beforeEach, expect, test, vi } from "vitest";
import { holdPageKeyMax, holdPageKeyMin } from "@fava/wire/limits.ts";
import { readStored, removeStored } from "#lib/storage.ts";
import { FakeLocks } from "#testing/fake-locks.ts";
import { TabLeaderLock } from "./tab-leader-lock.ts";

let locks: FakeLocks;

beforeEach(() => {
  locks = new FakeLocks();
  removeStored("holdPageKey");
});

function newTab(): { hold: TabLeaderLock; lost: ReturnType<typeof vi.fn<() => void>> } {
  const lost = vi.fn<() => void>();
  return { hold: new TabLeaderLock(lost, locks.manager), lost };
}

test("takes the hold on load if no other tab has it", async () => {
  const [first, second] = [newTab(), newTab()];
  expect(first.hold.isHeld).toBe(false);
  expect(await first.hold.tryTake()).toBe(true);
  expect(first.hold.isHeld).toBe(true);
  expect(locks.isHeld("fava-page")).toBe(true);
  expect(await second.hold.tryTake()).toBe(false);
  expect(second.hold.isHeld).toBe(false);
  expect(first.lost).not.toHaveBeenCalled();
});

test("takes the hold from another tab, which is told once", async () => {
  const [first, second] = [newTab(), newTab()];
  await first.hold.tryTake();
  await second.hold.take();
  await vi.waitFor(() => expect(first.lost).toHaveBeenCalledTimes(1));
  expect([first.hold.isHeld, second.hold.isHeld]).toEqual([false, true]);
  expect(second.lost).not.toHaveBeenCalled();
  await first.hold.take();
  await vi.waitFor(() => expect(second.lost).toHaveBeenCalledTimes(1));
  expect([first.hold.isHeld, second.hold.isHeld]).toEqual([true, false]);
  expect(first.lost).toHaveBeenCalledTimes(1);
});

test("never steals the hold from itself, however often it asks at once", async () => {
  const { hold, lost } = newTab();
  expect(await Promise.all([hold.tryTake(), hold.take(), hold.tryTake(), hold.take()])).toEqual([
    true,
    undefined,
    true,
    undefined,
  ]);
  // The browser reports a stolen lock after the responses; ask once more, so that such a report would have arrived.
  expect(await newTab().hold.tryTake()).toBe(false);
  expect(hold.isHeld).toBe(true);
  expect(lost).not.toHaveBeenCalled();
});

test("frees a released hold at once, for this tab and others", async () => {
  const [first, second] = [newTab(), newTab()];
  await first.hold.tryTake();
  first.hold.release();
  expect(first.hold.isHeld).toBe(false);
  expect(await first.hold.tryTake()).toBe(true);
  first.hold.release();
  first.hold.release();
  await vi.waitFor(() => expect(locks.isHeld("fava-page")).toBe(false));
  expect(await second.hold.tryTake()).toBe(true);
  expect(first.lost).not.toHaveBeenCalled();
});

test("grants the hold to waiting tabs one after the other, as soon as it is released", async () => {
  const [first, second, third] = [newTab(), newTab(), newTab()];
  const told: string[] = [];
  await first.hold.tryTake();
  await second.hold.waitInLine(() => told.push("second"));
  await second.hold.waitInLine(() => told.push("second again"));
  await third.hold.waitInLine(() => told.push("third"));
  expect([second.hold.isHeld, told]).toEqual([false, []]);
  first.hold.release();
  await vi.waitFor(() => expect(told).toEqual(["second"]));
  expect([second.hold.isHeld, third.hold.isHeld]).toEqual([true, false]);
  second.hold.release();
  await vi.waitFor(() => expect(told).toEqual(["second", "third"]));
  for (const { lost } of [first, second, third]) expect(lost).not.toHaveBeenCalled();
});

test("lets a waiting tab take the hold, and lose it like any other", async () => {
  const [first, second] = [newTab(), newTab()];
  const taken = vi.fn<() => void>();
  await first.hold.tryTake();
  await second.hold.waitInLine(taken);
  expect(await second.hold.tryTake()).toBe(false);
  await second.hold.waitInLine(taken);
  await second.hold.take();
  await vi.waitFor(() => expect(first.lost).toHaveBeenCalledTimes(1));
  expect([second.hold.isHeld, second.lost.mock.calls.length, taken.mock.calls.length]).toEqual([true, 0, 0]);
  await first.hold.waitInLine(taken);
  second.hold.release();
  await vi.waitFor(() => expect(taken).toHaveBeenCalledTimes(1));
  await second.hold.take();
  await vi.waitFor(() => expect(first.lost).toHaveBeenCalledTimes(2));
});

test("grants nothing to a tab that stopped waiting, and does not delay the others", async () => {
  const [first, second, third] = [newTab(), newTab(), newTab()];
  const taken = vi.fn<() => void>();
  await first.hold.tryTake();
  await second.hold.waitInLine(taken);
  second.hold.release();
  first.hold.release();
  await vi.waitFor(() => expect(locks.isHeld("fava-page")).toBe(false));
  expect(await third.hold.tryTake()).toBe(true);
  expect([taken.mock.calls.length, second.hold.isHeld]).toEqual([0, false]);
});

test("reports a browser that refuses locks to the caller", async () => {
  const refusing = { request: () => Promise.reject(new DOMException("no", "SecurityError")) };
  const hold = new TabLeaderLock(() => undefined, refusing as unknown as LockManager);
  await expect(hold.take()).rejects.toThrow("no");
  await expect(hold.tryTake()).rejects.toThrow("no");
  expect(hold.isHeld).toBe(false);
});

test("writes a random number from 1 to 100000 as holdPageKey with the hold", async () => {
  const { hold } = newTab();
  for (const [random, key] of [
    [0, holdPageKeyMin],
    [0.999_999_9, holdPageKeyMax],
  ] as const) {
    vi.spyOn(Math, "random").mockReturnValueOnce(random);
    await hold.take();
    expect(readStored("holdPageKey")).toBe(key);
    hold.release();
  }
  expect([holdPageKeyMin, holdPageKeyMax]).toEqual([1, 100_000]);
});

test("does not change the number without the hold", async () => {
  await newTab().hold.take();
  const key = readStored("holdPageKey");
  expect(await newTab().hold.tryTake()).toBe(false);
  expect(readStored("holdPageKey")).toBe(key);
});
