import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { seeds, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { systemClock } from "#adapters/local/clock.ts";
import {
  ClassifierBusyError,
  type FrameModel,
  frameModels,
  type FrameScores,
  FrameUnreadableError,
  type FrameVerdict,
} from "#ports/frame-classifier.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { childrenOf } from "#test/fixtures/child-processes.ts";
import { classifierProgram, testProgram } from "#test/fixtures/compiled-programs.ts";
import { faceColour, framePictures, paintedJpeg } from "#test/fixtures/frame-pictures.ts";
import { qrCode } from "#test/fixtures/qr-code.ts";
import type { EngineName } from "./engine.ts";
import { type OnnxClassifier, type OnnxClassifierSettings, openOnnxClassifier } from "./onnx-classifier.ts";

// Uses the real engine, since only this shows errors in native code.

/** The machine may be busy with other work. */
const patientMs = 240_000;
vi.setConfig({ testTimeout: patientMs, hookTimeout: patientMs });
/** From the time a worker has a picture. Another test with a virtual clock covers the time in the queue. */
const patiently = { "onnx-native": patientMs, "onnx-wasm": patientMs };
const all = { depth: "all", codes: false, priority: 0 } as const;
const names = Object.keys(framePictures) as (keyof typeof framePictures)[];

interface Opening {
  readonly settings?: Partial<OnnxClassifierSettings>;
  readonly engines?: readonly EngineName[];
  /** Runs workers as TypeScript, like `npm run dev`; compiled by default. */
  readonly isTypeScript?: boolean;
}

function open({ settings = {}, engines, isTypeScript = false }: Opening = {}): OnnxClassifier {
  return openOnnxClassifier({
    clock: systemClock,
    random: { integer: (_min, max) => max },
    logger: { info: () => undefined, warn: () => undefined },
    settings: {
      workers: 1,
      waitMaxMs: patientMs,
      slowWaitMaxMs: patientMs,
      openTimeoutMs: patientMs,
      judgeTimeoutMs: patiently,
      ...settings,
    },
    ...(engines && { engines }),
    ...(!isTypeScript && { program: classifierProgram() }),
  });
}

async function whenReady(frames: OnnxClassifier): Promise<OnnxClassifier> {
  await vi.waitFor(() => expect(frames.isReady()).toBe(true), { timeout: patientMs, interval: 20 });
  return frames;
}

/** Finds the worker process in its command line. */
const workerWords = "frame-worker";
/** Longer than a picture may take; a process pauses after SIGSTOP. */
const pauseMs = 3_000;

/** Results of the native engine: drawing, hentai, neutral, porn, sexy. */
const golden: Record<keyof typeof framePictures, Record<FrameModel, readonly number[]>> = {
  grey: {
    mobilenet: [0.837, 0.024, 0.129, 0.009, 0.002],
    mid: [0.048, 0.042, 0.906, 0.002, 0.002],
    inception: [0.612, 0.073, 0.299, 0.013, 0.003],
  },
  sunset: {
    mobilenet: [0.864, 0.02, 0.11, 0.005, 0.001],
    mid: [0.058, 0.037, 0.905, 0.001, 0.001],
    inception: [0.411, 0.028, 0.543, 0.013, 0.005],
  },
  waves: { mobilenet: [0, 0, 1, 0, 0], mid: [0, 0, 1, 0, 0], inception: [0.001, 0, 0.999, 0, 0] },
  egg: {
    mobilenet: [0.094, 0.002, 0.904, 0, 0],
    mid: [0.023, 0.001, 0.975, 0, 0],
    inception: [0.459, 0.011, 0.529, 0.001, 0],
  },
};
/** Probability of explicit content by open_nsfw. */
const goldenOpenNsfw: Record<keyof typeof framePictures, number> = {
  grey: 0.197,
  sunset: 0.004,
  waves: 0,
  egg: 0.004,
};
const plain = (width: number, height: number, more: { pageHeight?: number } = {}) =>
  sharp({ create: { width, height, channels: 3, background: "#886644", ...more } });
/** Files that are pictures, but not frames as pages send them. */
const oddPictures = {
  "a picture of one pixel": () => plain(1, 1).jpeg().toBuffer(),
  "a picture of 8,000 x 8,000": () => plain(8_000, 8_000).jpeg({ quality: 1 }).toBuffer(),
  "a picture of 8,000 x 1": () => plain(8_000, 1).jpeg().toBuffer(),
  "a truncated picture": async () => (await framePictures.waves()).subarray(0, 2_000),
  "a CMYK picture": () => plain(320, 240).toColourspace("cmyk").jpeg().toBuffer(),
  "a grey picture": () => plain(320, 240).greyscale().jpeg().toBuffer(),
  "an animated picture": () => plain(32, 64, { pageHeight: 32 }).webp().toBuffer(),
  "an empty file": async () => Buffer.alloc(0),
} as const;
/** How much another build of the decoder or the engine may differ. */
const tolerance = 0.02;

function listOf(scores: FrameScores | undefined): number[] {
  if (!scores) throw new Error("a model was not asked");
  return [scores.drawing, scores.hentai, scores.neutral, scores.porn, scores.sexy];
}

/** Whether each picture was judged or rejected as busy; throws for other errors. */
async function outcomesOf(asked: readonly Promise<FrameVerdict>[]): Promise<("judged" | "busy")[]> {
  const settled = await Promise.allSettled(asked);
  return settled.map((outcome) => {
    if (outcome.status === "fulfilled") return "judged";
    if (outcome.reason instanceof ClassifierBusyError) return "busy";
    throw outcome.reason;
  });
}

/** A process that judges pictures without end. */
function judging(): { child: ChildProcess; said: string[]; until: (line: string, count?: number) => Promise<void> } {
  const child = spawn(process.execPath, [testProgram("server/test/fixtures/judging-program.ts")], {
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("results of the models", () => {
  let native: OnnxClassifier;

  beforeAll(async () => {
    native = await whenReady(open({ isTypeScript: true, settings: { openNsfw: "shadow", readsFaces: true } }));
  });

  afterAll(() => native[Symbol.asyncDispose]());

  test("uses the native engine if it is installed", () => {
    expect([native.engine, native.model]).toEqual(["onnx-native", "nsfwjs 4.4.0"]);
  });

  test.each(names)("keeps the results of both families of models for the picture `%s`", async (name) => {
    const { scores, openNsfw, explicit } = await native.classify(await framePictures[name](), all);
    expect(Math.abs((openNsfw ?? 1) - goldenOpenNsfw[name])).toBeLessThan(tolerance);
    for (const [model, expected] of Object.entries(golden[name])) {
      const seen = listOf(scores[model as FrameModel]);
      expect(seen.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 3);
      for (const [index, share] of seen.entries())
        expect(Math.abs(share - (expected[index] ?? 1))).toBeLessThan(tolerance);
    }
    expect(explicit).toBeLessThan(0.1);
  });

  test("has the same results with WebAssembly", async () => {
    await using frames = await whenReady(
      open({ engines: ["missing" as EngineName, "onnx-wasm"], settings: { openNsfw: "shadow" } }),
    );
    expect(frames.engine).toBe("onnx-wasm");
    for (const name of names) {
      const picture = await framePictures[name]();
      // The largest model takes seconds here, so it gets only one picture.
      const question = { ...all, depth: name === "egg" ? "all" : "cascade" } as const;
      const { scores, openNsfw } = await frames.classify(picture, question);
      const { scores: expected, openNsfw: expectedSecond } = await native.classify(picture, question);
      expect(openNsfw ?? -1).toBeCloseTo(expectedSecond ?? -1, 2);
      expect(Object.keys(scores)).toEqual(Object.keys(expected));
      for (const model of frameModels) {
        if (!expected[model]) continue;
        const said = listOf(expected[model]);
        for (const [index, share] of listOf(scores[model]).entries()) {
          expect(Math.abs(share - (said[index] ?? 1))).toBeLessThan(0.005);
        }
      }
    }
  });

  test("stops at open_nsfw where it decides and is sure, and asks the others otherwise", async () => {
    const everyFrame = { openNsfw: "on", openNsfwShare: { shadow: 0, on: 1 } } as const;
    await using frames = await whenReady(open({ settings: everyFrame }));
    expect(frames.model).toBe("nsfwjs 4.4.0, open_nsfw");
    const clean = await frames.classify(await framePictures.waves(), { ...all, depth: "cascade" });
    expect(clean).toMatchObject({ explicit: 0, scores: {}, openNsfw: expect.closeTo(0, 2) });
    const deep = await frames.classify(await framePictures.waves(), all);
    expect(Object.keys(deep.scores)).toEqual([...frameModels]);
  });

  test("looks for a face and its age on request alone", async () => {
    const at = { x: 0.5, y: 0.5, size: 0.6 };
    const picture = await paintedJpeg((x, y) => faceColour(x, y, at) ?? [90, 110, 130], { width: 480, height: 480 });
    const cascade = { depth: "cascade", codes: false, priority: 2 } as const;
    const { faces } = await native.classify(picture, { ...cascade, faces: true });
    expect(faces?.presence).toBeGreaterThan(0.75);
    expect(faces?.face).toMatchObject({ years: expect.any(Number), under18: expect.any(Number) });
    expect(await native.classify(picture, cascade)).not.toHaveProperty("faces");
  });

  test("judges or rejects odd pictures, and then the next frame", async () => {
    const outcomes: Record<string, string> = {};
    for (const [name, make] of Object.entries(oddPictures)) {
      outcomes[name] = await native.classify(await make(), all).then(
        ({ explicit }) => (explicit < 0.6 ? "clean" : "explicit"),
        (error: unknown) => (error instanceof Error ? error.name : "unknown"),
      );
      expect((await native.classify(await framePictures.egg(), all)).explicit).toBeLessThan(0.1);
    }
    expect(outcomes).toEqual({
      "a picture of one pixel": "clean",
      "a picture of 8,000 x 1": "clean",
      "a CMYK picture": "clean",
      "a grey picture": "clean",
      "an animated picture": "clean",
      "a picture of 8,000 x 8,000": "FrameUnreadableError",
      "a truncated picture": "FrameUnreadableError",
      "an empty file": "FrameUnreadableError",
    });
  });

  test("reads a code in a frame on request, also a turned one", async () => {
    const code = await qrCode("https://t.me/somebody");
    const frame = sharp({ create: { width: 640, height: 480, channels: 3, background: "#667788" } });
    const turned = await sharp(code).rotate(20, { background: "#ffffff" }).png().toBuffer();
    const picture = await frame
      .composite([{ input: turned, left: 200, top: 90 }])
      .jpeg({ quality: 70 })
      .toBuffer();
    const cascade = { depth: "cascade", priority: 2 } as const;
    expect((await native.classify(picture, { ...cascade, codes: true })).code).toBe("https://t.me/somebody");
    expect((await native.classify(picture, { ...cascade, codes: false })).code).toBeNull();
    expect((await native.classify(await framePictures.egg(), { ...cascade, codes: true })).code).toBeNull();
  });

  test("reports an invalid picture as unreadable, and judges the next one", async () => {
    await expect(native.classify(Buffer.from("<svg/>"), all)).rejects.toThrow(FrameUnreadableError);
    expect((await native.classify(await framePictures.egg(), all)).phash).toMatch(/^[0-9a-f]{16}$/);
  });

  test("judges six pictures of each of eight people", async () => {
    const picture = await framePictures.egg();
    // As in calls: all three models judge the first picture of a user, and mostly one or two the others.
    const asked = Array.from({ length: 48 }, (_, index) =>
      native.classify(picture, { ...all, depth: index % 6 === 0 ? "all" : "cascade" }),
    );
    expect(new Set(await outcomesOf(asked))).toEqual(new Set(["judged"]));
  });

  test("does not delay a server that stops while the models are loaded", async () => {
    const frames = open();
    await frames[Symbol.asyncDispose]();
    expect(frames.isReady()).toBe(false);
  });
});

describe("late pictures and killed processes", () => {
  let picture: Buffer;

  beforeAll(async () => {
    picture = await framePictures.egg();
  });

  /** The server learns of a killed worker a moment later, so the first requests may fail. */
  async function whenJudged(frames: OnnxClassifier): Promise<void> {
    await vi.waitFor(() => frames.classify(picture, all), { timeout: patientMs, interval: 50 });
  }

  test("gives up pictures that take too long, without other effects", async () => {
    await using frames = await whenReady(
      open({ settings: { judgeTimeoutMs: { "onnx-native": 50, "onnx-wasm": 50 }, judgeTimeoutMedians: 0 } }),
    );
    const outcomes = [];
    for (let round = 0; round < 2; round += 1) {
      await whenReady(frames);
      outcomes.push(...(await outcomesOf([frames.classify(picture, all), frames.classify(picture, all)])));
    }
    // The large model is loaded first, which takes time, and all three models take more than 50 ms here.
    expect(outcomes).toContain("busy");
    expect(outcomes).toHaveLength(4);
    await whenReady(frames);
  });

  test("continues after a pause of three seconds, and ends with 0 and without a process left when stopped during a picture", async () => {
    const { child, said, until } = judging();
    await until("judged", 2);
    child.kill("SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    child.kill("SIGCONT");
    await until("judged", said.length + 3);
    const workers = childrenOf(child.pid ?? 0, workerWords);
    expect(workers).toHaveLength(1);
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
    expect(said.filter((line) => line !== "judged")).toEqual([]);
    expect(workers.filter(isAlive)).toEqual([]);
  });

  test(
    "replaces a worker that is killed at any moment, and keeps the server running",
    async () => {
      await using frames = await whenReady(open());
      for (const seed of seeds(2)) {
        // After a judged picture, the next worker starts soon.
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
});
