import { expect, test } from "vitest";
import { TestClock } from "./clock.ts";

test("runs due work by time, then by order of registration, each at its own time", () => {
  const clock = new TestClock(1_000);
  const seen: string[] = [];
  const note = (name: string) => () => seen.push(`${name}@${clock.nowMs()}`);
  clock.after(20, note("late"));
  clock.after(10, note("first"));
  clock.after(10, () => {
    note("second")();
    clock.after(5, note("nested"));
  });
  clock.after(31, note("never"));
  clock.advance(30);
  expect(seen).toEqual(["first@1010", "second@1010", "nested@1015", "late@1020"]);
  expect([clock.nowMs(), clock.monotonicMs(), clock.pendingCount]).toEqual([1_030, 30, 1]);
});

test("does not run disposed work", () => {
  const clock = new TestClock();
  const timer = clock.after(10, () => expect.unreachable());
  timer[Symbol.dispose]();
  clock.advance(10);
  expect(clock.pendingCount).toBe(0);
});

test("fails instead of hanging when work keeps rescheduling itself without delay", () => {
  const clock = new TestClock();
  const again = (): void => void clock.after(0, again);
  again();
  expect(() => clock.advance(1)).toThrow("same moment");
});
