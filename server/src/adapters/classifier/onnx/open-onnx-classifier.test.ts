import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { systemClock } from "#adapters/local/clock.ts";
import { type FrameModel, frameModels, type FrameScores, FrameUnreadableError } from "#ports/frame-classifier.ts";
import { framePictures } from "#test/fixtures/frame-pictures.ts";
import { qrCode } from "#test/fixtures/qr-code.ts";
import type { EngineName } from "./engine.ts";
import { convertModels, modelFiles } from "./model-files.ts";
import { type OnnxClassifier, openOnnxClassifier } from "./onnx-classifier.ts";

/** The machine of the tests may be busy with anything. */
const patientMs = 240_000;
vi.setConfig({ testTimeout: patientMs, hookTimeout: patientMs });
const all = { depth: "all", codes: false, priority: 0 } as const;
const names = Object.keys(framePictures) as (keyof typeof framePictures)[];

let dataDirectory: string;
let native: OnnxClassifier;

function open(engines?: readonly EngineName[]): OnnxClassifier {
  return openOnnxClassifier({
    dataDirectory,
    clock: systemClock,
    random: { integer: (_min, max) => max },
    logger: { info: () => undefined, warn: () => undefined },
    settings: {
      workers: 1,
      judgeTimeoutMs: { "onnx-native": patientMs, "onnx-wasm": patientMs },
      openTimeoutMs: patientMs,
      waitMaxMs: patientMs,
    },
    ...(engines && { engines }),
  });
}

async function whenReady(frames: OnnxClassifier): Promise<OnnxClassifier> {
  await vi.waitFor(() => expect(frames.isReady()).toBe(true), { timeout: patientMs, interval: 100 });
  return frames;
}

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "fava-models-"));
  native = await whenReady(open());
});

afterAll(async () => {
  await native[Symbol.asyncDispose]();
  await rm(dataDirectory, { recursive: true });
});

/** Of the native engine: drawing, hentai, neutral, porn, sexy. */
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
/** What another build of the decoder or the engine may change. */
const tolerance = 0.02;

function listOf(scores: FrameScores | undefined): number[] {
  if (!scores) throw new Error("a model was not asked");
  return [scores.drawing, scores.hentai, scores.neutral, scores.porn, scores.sexy];
}

test("[SAFE-100] the first start converts every model, whole, and the next one uses what is there", async () => {
  const directory = join(dataDirectory, "models");
  const files = Object.values(modelFiles(directory));
  expect((await readdir(directory)).map((name) => join(directory, name)).toSorted()).toEqual(files.toSorted());
  const times = async () => Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  const before = await times();
  convertModels(directory);
  expect(await times()).toEqual(before);
});

test("[SAFE-108] the native engine is used where it is installed", () => {
  expect([native.engine, native.model]).toEqual(["onnx-native", "nsfwjs 4.4.0"]);
});

test.each(names)("[SAFE-101] three models say of the picture `%s` what they always said", async (name) => {
  const { scores, explicit } = await native.classify(await framePictures[name](), all);
  for (const [model, expected] of Object.entries(golden[name])) {
    const seen = listOf(scores[model as FrameModel]);
    expect(seen.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 3);
    for (const [index, share] of seen.entries())
      expect(Math.abs(share - (expected[index] ?? 1))).toBeLessThan(tolerance);
  }
  expect(explicit).toBeLessThan(0.1);
});

test("[SAFE-108] without the native engine WebAssembly says the same", async () => {
  await using frames = await whenReady(open(["missing" as EngineName, "onnx-wasm"]));
  expect(frames.engine).toBe("onnx-wasm");
  for (const name of names) {
    const picture = await framePictures[name]();
    // The largest model takes seconds here: one picture is enough for it.
    const question = { ...all, depth: name === "egg" ? "all" : "cascade" } as const;
    const { scores } = await frames.classify(picture, question);
    const expected = (await native.classify(picture, question)).scores;
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

test("[SAFE-107] a code in a frame is read where codes are asked for, also a turned one", async () => {
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

test("[SAFE-102] what is no picture is unreadable, and the next picture is judged", async () => {
  await expect(native.classify(Buffer.from("<svg/>"), all)).rejects.toThrow(FrameUnreadableError);
  expect((await native.classify(await framePictures.egg(), all)).phash).toMatch(/^[0-9a-f]{16}$/);
});

test("[SAFE-106] a server that stops while the models are being read is not held up", async () => {
  const frames = open();
  await frames[Symbol.asyncDispose]();
  expect(frames.isReady()).toBe(false);
});
