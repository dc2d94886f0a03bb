import { afterEach, expect, test } from "vitest";
import {
  ClassifierBusyError,
  type FrameModel,
  type FrameQuestion,
  type FrameScores,
  FrameUnreadableError,
} from "#ports/frame-classifier.ts";
import { TestClock } from "#test/fakes/clock.ts";
import type { FrameOrder, FrameReport } from "./frame-messages.ts";
import {
  type FrameWorker,
  type FrameWorkerListener,
  OnnxClassifier,
  type OnnxClassifierSettings,
  type OpenNsfwMode,
} from "./onnx-classifier.ts";

/** A worker whose reports the test sends. */
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
    // A real process also reports its end when it was told to end.
    this.#listener.ended("told to");
  }

  says(report: FrameReport): void {
    this.#listener.report(report);
  }

  crashes(): void {
    this.#listener.ended("segmentation fault");
  }
}

const settings: OnnxClassifierSettings = {
  workers: 2,
  waitingMax: 2,
  waitMaxMs: 4_000,
  slowWaitMaxMs: 15_000,
  judgeTimeoutMs: { "onnx-native": 2_000, "onnx-wasm": 8_000 },
  judgeTimeoutMaxMs: 30_000,
  judgeTimeoutMedians: 10,
  openTimeoutMs: 60_000,
  stopWaitMs: 2_000,
  auditShare: 0.05,
  openNsfw: "off",
  openNsfwShare: { shadow: 0.25, on: 0.5 },
  readsFaces: false,
};
const question: FrameQuestion = { depth: "cascade", codes: false, priority: 2 };
const ready: FrameReport = { kind: "ready", engine: "onnx-native" };
const opened: { frames: OnnxClassifier; clock: TestClock }[] = [];

afterEach(async () => {
  for (const { frames, clock } of opened.splice(0)) {
    const stopped = frames[Symbol.asyncDispose]();
    await new Promise(setImmediate);
    clock.advance(settings.stopWaitMs);
    await stopped;
  }
});

/** After a pause of the process, its timers are due at once. */
class PausingClock extends TestClock {
  #pausedMs = 0;

  pause(ms: number): void {
    this.#pausedMs += ms;
  }

  override monotonicMs(): number {
    return super.monotonicMs() + this.#pausedMs;
  }
}

interface SetUpParts {
  clock?: TestClock;
}

function setUp(change: Partial<OnnxClassifierSettings> = {}, { clock = new TestClock() }: SetUpParts = {}) {
  const workers: ScriptedWorker[] = [];
  const draw = { value: 1_000_000 };
  const warned: object[] = [];
  const frames = new OnnxClassifier({
    settings: { ...settings, ...change },
    model: "models 1",
    clock,
    random: { integer: () => draw.value },
    logger: { info: () => undefined, warn: (fields: object) => void warned.push(fields) },
    spawn: (holdsInception, listener) => {
      const worker = new ScriptedWorker(holdsInception, listener);
      workers.push(worker);
      return worker;
    },
  });
  opened.push({ frames, clock });
  return { clock, workers, frames, draw, warned };
}

async function started(change: Partial<OnnxClassifierSettings> = {}, clock = new TestClock()) {
  const world = setUp(change, { clock });
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

test("accepts no picture before the models are loaded, and queues none", async () => {
  const { frames, workers } = setUp();
  await expect(frames.classify(picture(1), question)).rejects.toThrow(ClassifierBusyError);
  expect([frames.isReady(), workers.map((worker) => worker.holdsInception)]).toEqual([false, [true, false]]);
  workers[1]?.says({ kind: "ready", engine: "onnx-wasm" });
  expect([frames.isReady(), frames.engine, frames.model]).toEqual([true, "onnx-wasm", "models 1"]);
});

test("gives each worker one picture, queues the others, and rejects one too many", async () => {
  const { frames, clock, 0: first, 1: second } = await started();
  const verdicts = [1, 2, 3, 4, 5, 6].map((mark) => frames.classify(picture(mark), question));
  expect([marks(first), marks(second), frames.backlog().waiting]).toEqual([[1], [2], 4]);
  await expect(frames.classify(picture(7), question)).rejects.toThrow(ClassifierBusyError);
  second.says(judged({ mobilenet: 0.1 }));
  expect(marks(second)).toEqual([2, 3]);
  expect((await verdicts[1])?.luma).toBe(90);
  const stopped = frames[Symbol.asyncDispose]();
  await Promise.resolve();
  clock.advance(2_000);
  await stopped;
  const outcomes = await Promise.allSettled(verdicts);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", ...Array<string>(4).fill("rejected")]);
});

test("passes unsure pictures to the worker with the large model before all waiting ones", async () => {
  const { frames, 0: first, 1: second } = await started();
  const verdicts = [1, 2, 3].map((mark) => frames.classify(picture(mark), { ...question, codes: true }));
  second.says(judged({ mobilenet: 0.8, mid: 0.6 }, true));
  await Promise.resolve();
  second.says(judged({ mobilenet: 0.1 }));
  await verdicts[2];
  void frames.classify(picture(4), { ...question, priority: 0 }).catch(() => undefined);
  void frames.classify(picture(5), { ...question, priority: 0 }).catch(() => undefined);
  first.says(judged({ mobilenet: 0.1 }));
  expect(first.orders[1]).toEqual({
    picture: picture(2),
    ask: "inception",
    openNsfw: "none",
    codes: false,
    faces: false,
  });
  first.says(judged({ inception: 0.4 }));
  const verdict = await verdicts[1];
  expect(verdict?.explicit).toBeCloseTo(0.6);
  expect(Object.keys(verdict?.scores ?? {})).toEqual(["mobilenet", "mid", "inception"]);
});

test("asks open_nsfw for a share of pictures, first where it decides, and beside all models", async () => {
  const asked = async (openNsfw: OpenNsfwMode, depth: FrameQuestion["depth"], drawn: number) => {
    const { frames, 0: first, draw } = await started({ workers: 1, openNsfw });
    draw.value = drawn;
    const verdict = frames.classify(picture(1), { ...question, depth });
    first.says(judged({ mobilenet: 0.1 }));
    await verdict;
    return first.orders.at(-1)?.openNsfw;
  };
  expect(await asked("off", "all", 100_000)).toBe("none");
  expect(await asked("shadow", "cascade", 250_000)).toBe("beside");
  expect(await asked("shadow", "cascade", 250_001)).toBe("none");
  expect(await asked("on", "cascade", 500_000)).toBe("first");
  expect(await asked("on", "cascade", 500_001)).toBe("none");
  expect(await asked("on", "all", 1_000_000)).toBe("beside");
});

test("accepts pictures although a worker has no open_nsfw, and logs why", async () => {
  const { frames, 0: first, warned } = await started({ workers: 1, openNsfw: "on" });
  first.says({ kind: "withoutOpenNsfw", reason: "the file is damaged" });
  expect(warned).toEqual([{ reason: "the file is damaged" }]);
  const verdict = frames.classify(picture(1), question);
  first.says(judged({ mobilenet: 0.1 }));
  expect((await verdict).openNsfw).toBeUndefined();
});

test("accepts pictures although a worker has no face models, and logs why", async () => {
  const { frames, 0: first, warned } = await started({ workers: 1, readsFaces: true });
  first.says({ kind: "withoutFaces", reason: "the file is damaged" });
  expect(warned).toEqual([{ reason: "the file is damaged" }]);
  const verdict = frames.classify(picture(1), { ...question, faces: true });
  first.says(judged({ mobilenet: 0.1 }));
  expect((await verdict).faces).toBeUndefined();
  expect(first.orders.at(-1)?.faces).toBe(true);
});

test("runs all models for a random picture in twenty, and for each that the caller wants", async () => {
  const { frames, 0: first, draw } = await started({ workers: 1 });
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

test("throws for an unreadable picture, and keeps the worker running", async () => {
  const { frames, 0: first } = await started({ workers: 1 });
  const verdict = frames.classify(picture(1), question);
  first.says({ kind: "unreadable", reason: "neither JPEG nor WebP" });
  await expect(verdict).rejects.toThrow(FrameUnreadableError);
  expect([first.isEnded, frames.isReady()]).toEqual([false, true]);
});

test("gives up a picture after 2 s in the worker, and replaces the worker at once", async () => {
  const { frames, workers, clock, 0: first } = await started({ workers: 1 });
  const verdict = frames.classify(picture(1), question);
  clock.advance(1_000);
  first.says({ kind: "begun" });
  clock.advance(1_999);
  expect(first.isEnded).toBe(false);
  clock.advance(1);
  await expect(verdict).rejects.toThrow(ClassifierBusyError);
  clock.advance(0);
  first.says(ready);
  expect([first.isEnded, workers.length, frames.isReady()]).toEqual([true, 2, false]);
  workers[1]?.says(ready);
  expect(frames.isReady()).toBe(true);
  // A worker that hangs again is replaced later, after twice the time: it may only be slow.
  const again = frames.classify(picture(2), question);
  clock.advance(4_000);
  await expect(again).rejects.toThrow(ClassifierBusyError);
  clock.advance(1_999);
  expect(workers).toHaveLength(2);
  clock.advance(1);
  expect(workers).toHaveLength(3);
});

test("allows a picture ten times the median of the last fifty on a slow machine", async () => {
  const { frames, clock, 0: first } = await started({ workers: 1 });
  const judge = async (tookMs: number) => {
    const verdict = frames.classify(picture(1), question);
    first.says({ kind: "begun" });
    clock.advance(tookMs);
    first.says(judged({ mobilenet: 0.1 }));
    await verdict;
  };
  for (let count = 0; count < 50; count += 1) await judge(400);
  await judge(3_999);
  const late = frames.classify(picture(1), question);
  clock.advance(4_000);
  await expect(late).rejects.toThrow(ClassifierBusyError);
});

/** Gives the newest worker a picture that takes this long; returns whether it was judged. */
async function judgeSlowly({ frames, workers, clock }: ReturnType<typeof setUp>, tookMs: number): Promise<boolean> {
  const verdict = frames.classify(picture(1), question).then(
    () => true,
    () => false,
  );
  const worker = workers.at(-1);
  worker?.says({ kind: "begun" });
  clock.advance(tookMs);
  if (worker && !worker.isEnded) worker.says(judged({ mobilenet: 0.1 }));
  // An ended worker is replaced after a pause, and loads its models.
  for (let second = 0; second < 60 && !frames.isReady(); second += 1) {
    clock.advance(1_000);
    workers.at(-1)?.says(ready);
  }
  return verdict;
}

test("gives a worker that takes 5 s for a picture more time after each timeout, until all succeed", async () => {
  const world = await started({ workers: 1 });
  const outcomes: boolean[] = [];
  for (let count = 0; count < 30; count += 1) outcomes.push(await judgeSlowly(world, 5_000));
  expect(outcomes).toEqual([false, false, ...Array<boolean>(28).fill(true)]);
  expect(world.workers).toHaveLength(3);
});

test("keeps the longer limit while fast pictures were judged before, and lowers it step by step once they are fast again", async () => {
  const world = await started({ workers: 1 });
  for (let count = 0; count < 50; count += 1) await judgeSlowly(world, 100);
  const slow: boolean[] = [];
  for (let count = 0; count < 10; count += 1) slow.push(await judgeSlowly(world, 5_000));
  expect(slow).toEqual([false, false, ...Array<boolean>(8).fill(true)]);
  for (let count = 0; count < 60; count += 1) await judgeSlowly(world, 100);
  expect(await judgeSlowly(world, 2_001)).toBe(false);
});

test("ends a hanging worker after at most 30 s, however long pictures took before", async () => {
  const world = await started({ workers: 1 });
  for (let count = 0; count < 30; count += 1) await judgeSlowly(world, 5_000);
  expect(await judgeSlowly(world, 29_999)).toBe(true);
  const count = world.workers.length;
  expect(await judgeSlowly(world, 30_000)).toBe(false);
  expect(world.workers).toHaveLength(count + 1);
});

test("lets pictures wait longer if each takes long, at most 15 s", async () => {
  const world = await started({ workers: 1 });
  const { frames, clock } = world;
  for (let count = 0; count < 10; count += 1) await judgeSlowly(world, 5_000);
  void frames.classify(picture(1), question).catch(() => undefined);
  let rejectedMs = 0;
  const sinceMs = clock.monotonicMs();
  const waiting = frames.classify(picture(2), question).catch(() => {
    rejectedMs = clock.monotonicMs() - sinceMs;
  });
  for (let second = 0; second < 16; second += 1) {
    clock.advance(1_000);
    await Promise.resolve();
    await Promise.resolve();
  }
  await waiting;
  expect(rejectedMs).toBe(15_000);
});

test("does not count time in which the server was suspended", async () => {
  const clock = new PausingClock();
  const { frames, 0: first } = await started({ workers: 1 }, clock);
  const verdict = frames.classify(picture(1), question);
  first.says({ kind: "begun" });
  clock.advance(1_000);
  clock.pause(60_000);
  clock.advance(400);
  first.says(judged({ mobilenet: 0.1 }));
  expect((await verdict).luma).toBe(90);
});

test("waits at most two seconds for the current picture when stopped", async () => {
  const { frames, clock, 0: first } = await started({ workers: 1 });
  const [inHand, waiting] = [1, 2].map((mark) => frames.classify(picture(mark), question));
  const stopped = frames[Symbol.asyncDispose]();
  await expect(waiting).rejects.toThrow(ClassifierBusyError);
  expect(first.isEnded).toBe(false);
  first.says(judged({ mobilenet: 0.1 }));
  expect((await inHand)?.luma).toBe(90);
  await stopped;
  expect([first.isEnded, clock.pendingCount]).toEqual([true, 0]);
});

test("gives a worker a minute to load a large model", async () => {
  const { frames, clock, 0: first } = await started({ workers: 1 });
  const verdict = frames.classify(picture(1), question);
  first.says({ kind: "opening" });
  clock.advance(59_999);
  first.says(judged({ mobilenet: 0.1 }));
  expect((await verdict).luma).toBe(90);
  expect(clock.pendingCount).toBe(0);
});

test("restarts a repeatedly crashing worker after growing delays of up to a minute", async () => {
  const { frames, workers, clock } = await started({ workers: 1 });
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

test("ends every worker, starts none and leaves no timer when disposed", async () => {
  const { frames, workers, clock, 1: second } = await started();
  second.crashes();
  await frames[Symbol.asyncDispose]();
  clock.advance(600_000);
  expect(workers.map((worker) => worker.isEnded)).toEqual([true, true]);
  expect([frames.isReady(), clock.pendingCount]).toEqual([false, 0]);
});
