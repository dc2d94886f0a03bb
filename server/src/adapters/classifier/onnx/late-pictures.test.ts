import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { seeds, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { systemClock } from "#adapters/local/clock.ts";
import { ClassifierBusyError, type FrameVerdict } from "#ports/frame-classifier.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { childrenOf } from "#test/fixtures/child-processes.ts";
import { framePictures } from "#test/fixtures/frame-pictures.ts";
import { type OnnxClassifier, type OnnxClassifierSettings, openOnnxClassifier } from "./onnx-classifier.ts";

// With the real engine: what goes wrong in native code can only be seen there.

/** The machine of the tests may be busy with anything. */
const patientMs = 240_000;
vi.setConfig({ testTimeout: patientMs, hookTimeout: patientMs });
/** From when a picture is in hand: that waiting in the queue does not count is proven by a virtual clock. */
const patiently = { "onnx-native": patientMs, "onnx-wasm": patientMs };
const all = { depth: "all", codes: false, priority: 0 } as const;
/** By which the process that judges is known. */
const workerWords = "frame-worker";
/** A stopped process is one that stands still for longer than a picture may take. */
const pauseMs = 3_000;

let dataDirectory: string;
let picture: Buffer;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "fava-late-"));
  picture = await framePictures.egg();
  await using frames = await opened();
  await frames.classify(picture, all);
});

afterAll(() => rm(dataDirectory, { recursive: true }));

async function opened(settings: Partial<OnnxClassifierSettings> = {}): Promise<OnnxClassifier> {
  const frames = openOnnxClassifier({
    dataDirectory,
    clock: systemClock,
    random: { integer: (_min, max) => max },
    logger: { info: () => undefined, warn: () => undefined },
    settings: { workers: 1, waitMaxMs: patientMs, openTimeoutMs: patientMs, judgeTimeoutMs: patiently, ...settings },
  });
  await whenReady(frames);
  return frames;
}

async function whenReady(frames: OnnxClassifier): Promise<void> {
  await vi.waitFor(() => expect(frames.isReady()).toBe(true), { timeout: patientMs, interval: 20 });
}

/** That a worker was killed is heard a moment later: until then it seems to be there. */
async function whenJudged(frames: OnnxClassifier): Promise<void> {
  await vi.waitFor(() => frames.classify(picture, all), { timeout: patientMs, interval: 50 });
}

/** What became of pictures: judged, or not looked at; anything else is an error. */
async function outcomesOf(asked: readonly Promise<FrameVerdict>[]): Promise<("judged" | "busy")[]> {
  const settled = await Promise.allSettled(asked);
  return settled.map((outcome) => {
    if (outcome.status === "fulfilled") return "judged";
    if (outcome.reason instanceof ClassifierBusyError) return "busy";
    throw outcome.reason;
  });
}

test("[SAFE-106] pictures that take longer than they may are not looked at, and nothing else happens", async () => {
  await using frames = await opened({ judgeTimeoutMs: { "onnx-native": 50, "onnx-wasm": 50 }, judgeTimeoutMedians: 0 });
  const outcomes = [];
  for (let round = 0; round < 2; round += 1) {
    await whenReady(frames);
    outcomes.push(...(await outcomesOf([frames.classify(picture, all), frames.classify(picture, all)])));
  }
  // The large model is opened first, which takes its time, and asking all three takes more than 50 ms here.
  expect(outcomes).toContain("busy");
  expect(outcomes).toHaveLength(4);
  await whenReady(frames);
});

test("[SAFE-106] eight people who send six pictures each are all served", async () => {
  await using frames = await opened();
  const asked = Array.from({ length: 48 }, () => frames.classify(picture, all));
  expect(new Set(await outcomesOf(asked))).toEqual(new Set(["judged"]));
});

/** A program that judges without end, in a process of its own. */
function judging(): { child: ChildProcess; said: string[]; until: (line: string, count?: number) => Promise<void> } {
  const program = fileURLToPath(new URL("../../../../test/fixtures/judging-program.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program, dataDirectory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => said.push(line));
  const times = (line: string) => said.filter((one) => one === line).length;
  return {
    child,
    said,
    until: (line, count = 1) =>
      vi.waitFor(() => expect(times(line)).toBeGreaterThanOrEqual(count), { timeout: patientMs, interval: 20 }),
  };
}

test("[SAFE-106] a server that stands still for three seconds judges on, as if nothing had been", async () => {
  const { child, said, until } = judging();
  await until("judged", 2);
  child.kill("SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  child.kill("SIGCONT");
  await until("judged", said.length + 3);
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
  expect(said.filter((line) => line !== "judged")).toEqual([]);
});

test("[SAFE-106] stopped in the middle of a picture, a server ends with 0 and leaves no process", async () => {
  const { child, until } = judging();
  await until("judged");
  const workers = childrenOf(child.pid ?? 0, workerWords);
  expect(workers).toHaveLength(1);
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
  expect(workers.filter(isAlive)).toEqual([]);
});

test(
  "[SAFE-106] a worker that is killed at any moment is replaced, and the server goes on",
  async () => {
    await using frames = await opened();
    for (const seed of seeds(2)) {
      // After one that was judged, the next worker comes soon.
      await whenJudged(frames);
      const asked = frames.classify(picture, all);
      await new Promise((resolve) => setTimeout(resolve, seededRandom(seed).integer(0, 120)));
      const workers = childrenOf(process.pid, workerWords);
      expect(workers).toHaveLength(1);
      for (const pid of workers) process.kill(pid, "SIGKILL");
      expect(["judged", "busy"], `seed ${seed}`).toContain((await outcomesOf([asked]))[0]);
    }
    await whenJudged(frames);
  },
  storyTimeoutMs(patientMs),
);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
