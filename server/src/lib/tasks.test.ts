import { pino } from "pino";
import { expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { RetryPauses, Periodic, retry, Tasks, Timers } from "./tasks.ts";

const logger = pino({ level: "silent" });
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("repeats periodic work, also after a failure, and never overlaps it", async () => {
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

test("waits for running work when disposed", async () => {
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

function recorder() {
  const logged: [object, string][] = [];
  return { logged, logger: { error: (details: object, message: string) => void logged.push([details, message]) } };
}

test("starts tasks at once and in parallel, logs failures, and waits for all when disposed", async () => {
  const { logged, logger } = recorder();
  const tasks = new Tasks({ logger });
  const done: string[] = [];
  let end = () => {};
  tasks.add("one failed", () => new Promise<void>((resolve) => void (end = resolve)).then(() => void done.push("one")));
  tasks.add("two failed", async () => {
    done.push("two");
    throw new Error("no");
  });
  expect([tasks.size, done]).toEqual([2, ["two"]]);
  const disposing = tasks[Symbol.asyncDispose]().then(() => void done.push("disposed"));
  await settled();
  tasks.add("three failed", async () => {
    await settled();
    done.push("three");
  });
  end();
  await disposing;
  expect([tasks.size, done]).toEqual([0, ["two", "one", "three", "disposed"]]);
  expect(logged).toEqual([[{ err: new Error("no") }, "two failed"]]);
});

test("counts a synchronous error as a failed task", async () => {
  const { logged, logger } = recorder();
  const tasks = new Tasks({ logger });
  tasks.add("it failed", () => {
    throw new Error("no");
  });
  await tasks.idle();
  expect(logged).toEqual([[{ err: new Error("no") }, "it failed"]]);
});

test("runs each timer once, and cancels the rest when disposed", () => {
  const clock = new TestClock();
  const timers = new Timers(clock);
  const done: string[] = [];
  timers.after(10, () => done.push("early"));
  timers.after(20, () => done.push("late"));
  clock.advance(10);
  expect([timers.size, done]).toEqual([1, ["early"]]);
  timers[Symbol.dispose]();
  clock.advance(20);
  expect([timers.size, clock.pendingCount, done]).toEqual([0, 0, ["early"]]);
});

test("ends pauses in time or when the owner stops, and starts none afterwards", async () => {
  const clock = new TestClock();
  const pauses = new RetryPauses(clock);
  const done: string[] = [];
  const short = pauses.wait(10).then(() => done.push("short"));
  const long = pauses.wait(1_000).then(() => done.push("long"));
  clock.advance(10);
  await short;
  expect(done).toEqual(["short"]);
  pauses[Symbol.dispose]();
  await long;
  await pauses.wait(1_000);
  expect(clock.pendingCount).toBe(0);
});

test("retries work after each pause until it succeeds, or fails with the last error", async () => {
  const pauses: number[] = [];
  let tries = 0;
  const failing = async () => {
    tries += 1;
    if (tries < 3) throw new Error(`try ${tries}`);
    return "done";
  };
  const waits = { wait: async (delayMs: number) => void pauses.push(delayMs) };
  expect(await retry(failing, { pauses: waits, delayMs: () => 10 * tries })).toBe("done");
  expect(pauses).toEqual([10, 20]);
  tries = 0;
  await expect(retry(failing, { pauses: waits, delayMs: () => (tries < 2 ? 0 : null) })).rejects.toThrow("try 2");
});
