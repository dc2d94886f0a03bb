import { pino } from "pino";
import { expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { Periodic } from "./tasks.ts";

const logger = pino({ level: "silent" });
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("[BEANS-171] periodic work runs again and again, also after a failure, and never twice at once", async () => {
  const clock = new TestClock();
  const ends: (() => void)[] = [];
  let runs = 0;
  const work = () => {
    runs += 1;
    if (runs === 1) return Promise.reject(new Error("the database is away"));
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const periodic = new Periodic({ clock, logger, name: "test", pauseMs: () => 1_000, work });
  clock.advance(1_000);
  await settled();
  clock.advance(1_000);
  clock.advance(5_000);
  expect(runs).toBe(2);
  ends[0]?.();
  await settled();
  clock.advance(1_000);
  expect(runs).toBe(3);
  ends[1]?.();
  await periodic[Symbol.asyncDispose]();
  clock.advance(5_000);
  expect([runs, clock.pendingCount]).toEqual([3, 0]);
});

test("[BEANS-171] disposing waits for the work that runs", async () => {
  const clock = new TestClock();
  let end = () => {};
  let isDisposed = false;
  const work = () => new Promise<void>((resolve) => void (end = resolve));
  const periodic = new Periodic({ clock, logger, name: "test", pauseMs: () => 1, work });
  clock.advance(1);
  const disposing = periodic[Symbol.asyncDispose]().then(() => void (isDisposed = true));
  await settled();
  expect(isDisposed).toBe(false);
  end();
  await disposing;
  expect(clock.pendingCount).toBe(0);
});
