import { afterEach, expect, test } from "vitest";
import {
  ClassifierBusyError,
  type FrameModel,
  type FrameQuestion,
  type FrameScores,
  FrameUnreadableError,
} from "#ports/frame-classifier.ts";
import { TestClock } from "#testing/clock.ts";
import type { FrameOrder, FrameReport } from "./frame-messages.ts";
import type { FrameWorker, FrameWorkerListener } from "./frame-thread.ts";
import { OnnxFrames, type OnnxFramesSettings } from "./onnx-frames.ts";

/** A worker that a test speaks for. */
class ScriptedWorker implements FrameWorker {
  readonly holdsInception: boolean;
  readonly #listener: FrameWorkerListener;
  readonly orders: FrameOrder[] = [];
  isEnded = false;

  constructor(holdsInception: boolean, listener: FrameWorkerListener) {
    this.holdsInception = holdsInception;
    this.#listener = listener;
  }

  send(order: FrameOrder): void {
    this.orders.push(order);
  }

  async end(): Promise<void> {
    this.isEnded = true;
    // As a real thread does: it tells that it ended, also when it was told to.
    this.#listener.ended("told to");
  }

  says(report: FrameReport): void {
    this.#listener.report(report);
  }

  crashes(): void {
    this.#listener.ended("segmentation fault");
  }
}

const settings: OnnxFramesSettings = {
  threads: 2,
  waitingMax: 2,
  waitMaxMs: 4_000,
  judgeTimeoutMs: { "onnx-native": 2_000, "onnx-wasm": 8_000 },
  openTimeoutMs: 60_000,
  auditShare: 0.05,
};
const question: FrameQuestion = { depth: "cascade", codes: false, priority: 2 };
const ready: FrameReport = { kind: "ready", engine: "onnx-native" };
const opened: OnnxFrames[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((frames) => frames[Symbol.asyncDispose]()));
});

function setUp(change: Partial<OnnxFramesSettings> = {}, convert = async () => {}) {
  const clock = new TestClock();
  const workers: ScriptedWorker[] = [];
  const draw = { value: 1_000_000 };
  const frames = new OnnxFrames({
    settings: { ...settings, ...change },
    model: "models 1",
    clock,
    random: { integer: () => draw.value },
    logger: { info: () => undefined, warn: () => undefined },
    convert,
    spawn: (holdsInception, listener) => {
      const worker = new ScriptedWorker(holdsInception, listener);
      workers.push(worker);
      return worker;
    },
  });
  opened.push(frames);
  return { clock, workers, frames, draw };
}

async function started(change: Partial<OnnxFramesSettings> = {}) {
  const world = setUp(change);
  await Promise.resolve();
  for (const worker of world.workers) worker.says(ready);
  return { ...world, [0]: world.workers[0] as ScriptedWorker, [1]: world.workers[1] as ScriptedWorker };
}

const picture = (mark: number) => Buffer.from([mark]);
const scores = (explicit: number): FrameScores => ({
  drawing: 0,
  hentai: 0,
  neutral: 1 - explicit,
  porn: explicit,
  sexy: 0,
});

function judged(explicit: { [Model in FrameModel]?: number }, wantsInception = false): FrameReport {
  const all = Object.entries(explicit).map(([model, share]) => [model, scores(share)] as const);
  const verdict = { explicit: 0.5, scores: Object.fromEntries(all), luma: 90, sharpness: 40, phash: "0f", code: null };
  return { kind: "judged", verdict, wantsInception };
}

const marks = (worker: ScriptedWorker) => worker.orders.map((order) => order.picture[0]);

test("[SAFE-105] before the models are there nothing is taken, and nothing waits for them", async () => {
  const { frames, workers } = setUp();
  await expect(frames.classify(picture(1), question)).rejects.toThrow(ClassifierBusyError);
  expect([frames.isReady(), workers.map((worker) => worker.holdsInception)]).toEqual([false, [true, false]]);
  workers[1]?.says({ kind: "ready", engine: "onnx-wasm" });
  expect([frames.isReady(), frames.engine, frames.model]).toEqual([true, "onnx-wasm", "models 1"]);
});

test("[SAFE-105] every thread has one picture, the others wait, and one too many is refused", async () => {
  const { frames, 0: first, 1: second } = await started();
  const verdicts = [1, 2, 3, 4, 5, 6].map((mark) => frames.classify(picture(mark), question));
  expect([marks(first), marks(second), frames.backlog().waiting]).toEqual([[1], [2], 4]);
  await expect(frames.classify(picture(7), question)).rejects.toThrow(ClassifierBusyError);
  second.says(judged({ mobilenet: 0.1 }));
  expect(marks(second)).toEqual([2, 3]);
  expect((await verdicts[1])?.luma).toBe(90);
  await frames[Symbol.asyncDispose]();
  const outcomes = await Promise.allSettled(verdicts);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", ...Array<string>(4).fill("rejected")]);
});

test("[SAFE-103] what the other threads are unsure of goes to the one with the large model, before anything that waits", async () => {
  const { frames, 0: first, 1: second } = await started();
  const verdicts = [1, 2, 3].map((mark) => frames.classify(picture(mark), { ...question, codes: true }));
  second.says(judged({ mobilenet: 0.8, mid: 0.6 }, true));
  await Promise.resolve();
  second.says(judged({ mobilenet: 0.1 }));
  await verdicts[2];
  void frames.classify(picture(4), { ...question, priority: 0 }).catch(() => undefined);
  void frames.classify(picture(5), { ...question, priority: 0 }).catch(() => undefined);
  first.says(judged({ mobilenet: 0.1 }));
  expect(first.orders[1]).toEqual({ picture: picture(2), ask: "inception", codes: false });
  first.says(judged({ inception: 0.4 }));
  const verdict = await verdicts[1];
  expect(verdict?.explicit).toBeCloseTo(0.6);
  expect(Object.keys(verdict?.scores ?? {})).toEqual(["mobilenet", "mid", "inception"]);
});

test("[SAFE-103] one picture in twenty is shown to all models by chance, and every one that the caller wants", async () => {
  const { frames, 0: first, draw } = await started({ threads: 1 });
  const asked = async (depth: FrameQuestion["depth"], value: number) => {
    draw.value = value;
    const verdict = frames.classify(picture(1), { ...question, depth });
    first.says(judged({ mobilenet: 0.1 }));
    await verdict;
    return first.orders.at(-1)?.ask;
  };
  expect(await asked("cascade", 50_000)).toBe("all");
  expect(await asked("cascade", 50_001)).toBe("cascade");
  expect(await asked("all", 1_000_000)).toBe("all");
});

test("[SAFE-102] a picture that cannot be read is that caller's error, and the thread goes on", async () => {
  const { frames, 0: first } = await started({ threads: 1 });
  const verdict = frames.classify(picture(1), question);
  first.says({ kind: "unreadable", reason: "neither JPEG nor WebP" });
  await expect(verdict).rejects.toThrow(FrameUnreadableError);
  expect([first.isEnded, frames.isReady()]).toEqual([false, true]);
});

test("[SAFE-106] a thread that takes longer than 2 s is ended and started again", async () => {
  const { frames, workers, clock, 0: first } = await started({ threads: 1 });
  const verdict = frames.classify(picture(1), question);
  clock.advance(2_000);
  await expect(verdict).rejects.toThrow(ClassifierBusyError);
  expect([first.isEnded, frames.isReady(), workers.length]).toEqual([true, false, 1]);
  clock.advance(1_000);
  first.says(ready);
  expect([workers.length, frames.isReady()]).toEqual([2, false]);
  workers[1]?.says(ready);
  expect(frames.isReady()).toBe(true);
});

test("[SAFE-106] while a large model is read the thread has a minute", async () => {
  const { frames, clock, 0: first } = await started({ threads: 1 });
  const verdict = frames.classify(picture(1), question);
  first.says({ kind: "opening" });
  clock.advance(59_999);
  first.says(judged({ mobilenet: 0.1 }));
  expect((await verdict).luma).toBe(90);
  expect(clock.pendingCount).toBe(0);
});

test("[SAFE-106] a thread that crashes again and again is started later each time, a minute apart at last", async () => {
  const { frames, workers, clock } = await started({ threads: 1 });
  const verdict = frames.classify(picture(1), question);
  const pausesMs: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    const count = workers.length;
    workers.at(-1)?.crashes();
    let pauseMs = 0;
    for (; workers.length === count; pauseMs += 1_000) clock.advance(1_000);
    pausesMs.push(pauseMs);
    workers.at(-1)?.says(ready);
  }
  await expect(verdict).rejects.toThrow(ClassifierBusyError);
  expect(pausesMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  const judgedAgain = frames.classify(picture(2), question);
  workers.at(-1)?.says(judged({ mobilenet: 0.1 }));
  await judgedAgain;
  workers.at(-1)?.crashes();
  clock.advance(1_000);
  expect(workers).toHaveLength(10);
});

test("[SAFE-106] models that cannot be converted are tried again", async () => {
  let attempts = 0;
  const { workers, clock } = setUp({}, async () => {
    attempts += 1;
    if (attempts === 1) throw new Error("the disk is full");
  });
  await Promise.resolve();
  await Promise.resolve();
  expect(workers).toHaveLength(0);
  clock.advance(1_000);
  await Promise.resolve();
  expect([attempts, workers.length]).toEqual([2, 2]);
});

test("[SAFE-106] disposed, every thread ends, nothing is started any more, and no timer is left", async () => {
  const { frames, workers, clock, 1: second } = await started();
  second.crashes();
  await frames[Symbol.asyncDispose]();
  clock.advance(600_000);
  expect(workers.map((worker) => worker.isEnded)).toEqual([true, true]);
  expect([frames.isReady(), clock.pendingCount]).toEqual([false, 0]);
});
