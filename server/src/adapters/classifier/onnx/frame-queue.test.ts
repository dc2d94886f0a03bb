import { expect, test } from "vitest";
import { ClassifierBusyError } from "#ports/frame-classifier.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { FrameQueue, type FrameTask } from "./onnx-classifier.ts";

function taskOf(mark: number) {
  const rejected: Error[] = [];
  const task: FrameTask = {
    order: { picture: Uint8Array.of(mark), ask: "cascade", openNsfw: "none", codes: false, faces: false },
    resolve: () => undefined,
    reject: (error) => void rejected.push(error),
  };
  return { task, rejected };
}

const limits = { waitingMax: 5, waitMaxMs: () => 4_000 };
const markOf = (task: FrameTask | null) => task?.order.picture[0];

test("takes urgent pictures first, and equally urgent ones in order", () => {
  const queue = new FrameQueue(new TestClock(), limits);
  const lanes = [2, 1, 0, 1, 0] as const;
  for (const [index, lane] of lanes.entries()) queue.add(lane, taskOf(index).task);
  expect(lanes.map(() => markOf(queue.take(false)))).toEqual([2, 4, 1, 3, 0]);
  expect(queue.take(true)).toBeNull();
});

test("keeps a picture for the large model until its worker is free", () => {
  const queue = new FrameQueue(new TestClock(), limits);
  queue.add(0, taskOf(1).task);
  queue.add("followUp", taskOf(2).task);
  expect(markOf(queue.take(false))).toBe(1);
  expect(queue.take(false)).toBeNull();
  expect(markOf(queue.take(true))).toBe(2);
});

test("rejects a picture above the maximum, and accepts one after another was taken", () => {
  const queue = new FrameQueue(new TestClock(), limits);
  for (let index = 0; index < 5; index += 1) queue.add(2, taskOf(index).task);
  expect(() => queue.add(0, taskOf(5).task)).toThrow(ClassifierBusyError);
  queue.take(false);
  queue.add(0, taskOf(6).task);
  expect(queue.backlog().waiting).toBe(5);
});

test("gives up a picture that waits for more than 4 s, but not a taken one", () => {
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

test("rejects all waiting pictures and leaves no timer when cleared", () => {
  const clock = new TestClock();
  const queue = new FrameQueue(clock, limits);
  const waiting = taskOf(1);
  queue.add(2, waiting.task);
  queue.clear();
  expect(waiting.rejected[0]).toBeInstanceOf(ClassifierBusyError);
  expect([queue.backlog(), clock.pendingCount]).toEqual([{ waiting: 0, oldestMs: 0 }, 0]);
});
