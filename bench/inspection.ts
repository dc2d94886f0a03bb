import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@fava/server/adapters/local/clock.ts";
import { type EngineName, engineNames } from "@fava/server/adapters/onnx-frames/engine.ts";
import type { OnnxFrames } from "@fava/server/adapters/onnx-frames/onnx-frames.ts";
import { openOnnxFrames } from "@fava/server/adapters/onnx-frames/open-onnx-frames.ts";
import type { FrameQuestion } from "@fava/server/ports/frame-classifier.ts";
import { paintedJpeg } from "@fava/server/testing/frame-pictures.ts";
import { seededRandom } from "@fava/server/testing/random.ts";
import { percentile } from "./percentile.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";

interface Setting {
  readonly engine: EngineName;
  readonly threads: number;
  readonly depth: FrameQuestion["depth"];
}

interface Figures extends Setting {
  readonly framesPerSecond: number;
  /** Of the whole process: decoding, measuring, codes in one frame of three, and the models. */
  readonly cpuMsPerFrame: number;
  readonly latenciesMs: readonly number[];
}

/** Frames in flight for each thread, so that none of them ever waits. */
const inFlightEach = 3;
const readyPollMs = 5;
const patientMs = 600_000;

/** Frames of calls through the models: how many a second, what each costs, how long the start takes. */
export async function benchInspection({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "fava-bench-"));
  try {
    const picture = await webcamLike();
    const firstStartMs = await startMs(dataDirectory);
    const laterStartMs = await startMs(dataDirectory);
    const figures: Figures[] = [];
    for (const engine of engineNames) {
      for (const threads of engine === "onnx-native" ? [1, 2] : [1]) {
        figures.push(...(await measure(dataDirectory, { engine, threads, picture, isQuick })));
      }
    }
    return report(figures, { firstStartMs, laterStartMs, bytes: picture.length });
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

function report(
  figures: readonly Figures[],
  { firstStartMs, laterStartMs, bytes }: { firstStartMs: number; laterStartMs: number; bytes: number },
): BenchmarkReport {
  const usual = figures[0]!;
  return {
    title: "Inspection: frames of calls through the models",
    columns: ["engine", "threads", "models asked", "frames/s", "CPU ms/frame", "p50 ms", "p95 ms"],
    rows: figures.map((one) => [
      one.engine,
      String(one.threads),
      one.depth === "all" ? "all three" : "the first",
      one.framesPerSecond,
      one.cpuMsPerFrame,
      percentile(one.latenciesMs, 50),
      percentile(one.latenciesMs, 95),
    ]),
    goals: [
      {
        name: "frames a second of one thread, first model, native engine",
        unit: "frames/s",
        better: "higher",
        reach: 50,
        measured: usual.framesPerSecond,
      },
      {
        name: "first start to the first judgement",
        unit: "ms",
        better: "lower",
        reach: 10_000,
        measured: firstStartMs,
      },
    ],
    notes: [
      `Start to ready: ${Math.round(firstStartMs)} ms with the conversion, ${Math.round(laterStartMs)} ms after it.`,
      `A frame of 640 x 480, ${Math.round(bytes / 1_024)} KiB of JPEG; codes are looked for in one of three.`,
      "Latency: one frame at a time. Frames/s and CPU: three in flight for each thread, whole process.",
      "The large model sits in one thread, so that two threads are no faster with all three.",
    ],
  };
}

function open(dataDirectory: string, engines: readonly EngineName[], threads: number): OnnxFrames {
  return openOnnxFrames({
    dataDirectory,
    engines,
    clock: systemClock,
    random: seededRandom(1),
    logger: { info: () => undefined, warn: (facts: unknown) => console.error(facts) },
    settings: {
      threads,
      auditShare: 0,
      waitMaxMs: patientMs,
      judgeTimeoutMs: { "onnx-native": patientMs, "onnx-wasm": patientMs },
      openTimeoutMs: patientMs,
    },
  });
}

async function startMs(dataDirectory: string): Promise<number> {
  const beganMs = performance.now();
  await using frames = open(dataDirectory, engineNames, 1);
  await whenReady(frames);
  return performance.now() - beganMs;
}

async function measure(
  dataDirectory: string,
  options: { engine: EngineName; threads: number; picture: Buffer; isQuick: boolean },
): Promise<Figures[]> {
  const { engine, threads, picture, isQuick } = options;
  await using frames = open(dataDirectory, [engine], threads);
  await whenReady(frames);
  const figures: Figures[] = [];
  for (const depth of ["cascade", "all"] as const) {
    const count = sizeOf({ engine, depth, isQuick });
    const ask = (index: number) => frames.classify(picture, { depth, codes: index % 3 === 0, priority: 2 });
    // Every thread has read its models and its code reader before the clock runs.
    await Promise.all(Array.from({ length: threads * inFlightEach }, (_, index) => ask(index * 3)));
    const latenciesMs: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const beganMs = performance.now();
      await ask(index);
      latenciesMs.push(performance.now() - beganMs);
    }
    const cpuBefore = process.cpuUsage();
    const beganMs = performance.now();
    let next = 0;
    const lane = async () => {
      while (next < count) await ask(next++);
    };
    await Promise.all(Array.from({ length: threads * inFlightEach }, lane));
    const seconds = (performance.now() - beganMs) / 1_000;
    const { user, system } = process.cpuUsage(cpuBefore);
    const cpuMsPerFrame = (user + system) / 1_000 / count;
    figures.push({ engine, threads, depth, framesPerSecond: count / seconds, cpuMsPerFrame, latenciesMs });
  }
  return figures;
}

function sizeOf({ engine, depth, isQuick }: Omit<Setting, "threads"> & { isQuick: boolean }): number {
  const whole = { "onnx-native": { cascade: 600, all: 60 }, "onnx-wasm": { cascade: 100, all: 12 } }[engine][depth];
  return isQuick ? Math.ceil(whole / 6) : whole;
}

async function whenReady(frames: OnnxFrames): Promise<void> {
  while (!frames.isReady()) await new Promise((resolve) => setTimeout(resolve, readyPollMs));
}

/** Soft shapes with the noise of a small camera: as many bytes as a frame of a call, and harmless to every model. */
function webcamLike(): Promise<Buffer> {
  const random = seededRandom(7);
  return paintedJpeg(
    (x, y) => {
      const light = 110 + 60 * Math.sin(7 * x + 3 * Math.sin(5 * y)) + random.integer(-14, 14);
      return [light, light * 0.9, 200 - light / 2];
    },
    { width: 640, height: 480 },
  );
}
