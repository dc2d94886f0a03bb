import { expect, test } from "vitest";
import { ClassifierBusyError } from "#ports/frame-classifier.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { FrameQueue, type FrameTask } from "./onnx-classifier.ts";

function taskOf(mark: number) {
  const rejected: Error[] = [];
  const task: FrameTask = {
    order: { picture: Uint8Array.of(mark), ask: "cascade", codes: false },
    resolve: () => undefined,
    reject: (error) => void rejected.push(error),
  };
  return { task, rejected };
}

const limits = { waitingMax: 5, waitMaxMs: () => 4_000 };
const markOf = (task: FrameTask | null) => task?.order.picture[0];

test("the urgent ones go first, in each urgency the one that came first", () => {
  const queue = new FrameQueue(new TestClock(), limits);
  const lanes = [2, 1, 0, 1, 0] as const;
  for (const [index, lane] of lanes.entries()) queue.add(lane, taskOf(index).task);
  expect(lanes.map(() => markOf(queue.take(false)))).toEqual([2, 4, 1, 3, 0]);
  expect(queue.take(true)).toBeNull();
});

test("a picture that is to be shown to the large model waits for the thread that holds it", () => {
  const queue = new FrameQueue(new TestClock(), limits);
  queue.add(0, taskOf(1).task);
  queue.add("followUp", taskOf(2).task);
  expect(markOf(queue.take(false))).toBe(1);
  expect(queue.take(false)).toBeNull();
  expect(markOf(queue.take(true))).toBe(2);
});

test("one more than may wait is refused, and there is room again once one was taken", () => {
  const queue = new FrameQueue(new TestClock(), limits);
  for (let index = 0; index < 5; index += 1) queue.add(2, taskOf(index).task);
  expect(() => queue.add(0, taskOf(5).task)).toThrow(ClassifierBusyError);
  queue.take(false);
  queue.add(0, taskOf(6).task);
  expect(queue.backlog().waiting).toBe(5);
});

test("what waits longer than 4 s is given up, and what was taken is not", () => {
  const clock = new TestClock();
  const queue = new FrameQueue(clock, limits);
  const [taken, late, later] = [taskOf(1), taskOf(2), taskOf(3)];
  queue.add(0, taken.task);
  queue.add(1, late.task);
  queue.take(false);
  clock.advance(2_500);
  queue.add(1, later.task);
  expect(queue.backlog()).toEqual({ waiting: 2, oldestMs: 2_500 });
  clock.advance(1_500);
  expect(late.rejected[0]).toBeInstanceOf(ClassifierBusyError);
  expect([taken.rejected, later.rejected]).toEqual([[], []]);
  expect(markOf(queue.take(false))).toBe(3);
  expect(clock.pendingCount).toBe(0);
});

test("cleared, everything that waits is rejected and no timer is left", () => {
  const clock = new TestClock();
  const queue = new FrameQueue(clock, limits);
  const waiting = taskOf(1);
  queue.add(2, waiting.task);
  queue.clear();
  expect(waiting.rejected[0]).toBeInstanceOf(ClassifierBusyError);
  expect([queue.backlog(), clock.pendingCount]).toEqual([{ waiting: 0, oldestMs: 0 }, 0]);
});
