import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "./clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const dayMs = 86_400_000;

test("supports a delay longer than a timer of Node.js allows", () => {
  const work = vi.fn<() => void>();
  systemClock.after(60 * dayMs, work);
  vi.advanceTimersByTime(60 * dayMs - 1);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(work).toHaveBeenCalledOnce();
});

test("never runs a disposed delay, however often its timer was set again", () => {
  const timer = systemClock.after(60 * dayMs, () => expect.unreachable());
  vi.advanceTimersByTime(50 * dayMs);
  timer[Symbol.dispose]();
  vi.advanceTimersByTime(60 * dayMs);
  expect(vi.getTimerCount()).toBe(0);
});
