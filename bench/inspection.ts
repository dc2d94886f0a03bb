import { type EngineName, engineNames } from "@fava/server/adapters/classifier/onnx/engine.ts";
import {
  type OnnxClassifier,
  openOnnxClassifier,
  type OpenNsfwMode,
} from "@fava/server/adapters/classifier/onnx/onnx-classifier.ts";
import { systemClock } from "@fava/server/adapters/local/clock.ts";
import type { FrameQuestion } from "@fava/server/ports/frame-classifier.ts";
import { seededRandom } from "@fava/server/test/fakes/random.ts";
import { faceColour, paintedJpeg } from "@fava/server/test/fixtures/frame-pictures.ts";
import { percentile } from "./percentile.ts";
import { type CpuUse, cpuUse } from "./process-tree.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";

interface Setting {
  readonly engine: EngineName;
  readonly workers: number;
  readonly depth: FrameQuestion["depth"];
  readonly openNsfw: OpenNsfwMode;
  /** Whether one frame of six is searched for a face, whose age is estimated. */
  readonly readsFaces: boolean;
}

interface Figures extends Setting {
  readonly framesPerSecond: number;
  /** Processor time of the classifier processes: decoding, measuring, codes in one frame of three, and the models. */
  readonly judgingCpuMs: number;
  /** Processor time of the process that sends the frames. */
  readonly askingCpuMs: number;
  readonly latenciesMs: readonly number[];
}

/** Frames in flight for each worker, so that no worker waits. */
const inFlightEach = 3;
const readyPollMs = 5;
const patientMs = 600_000;

/** Frames of calls through the models: frames a second, cost of each, and start-up time. */
export async function benchInspection({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const picture = await webcamLike();
  const readyMs = await startMs();
  const figures: Figures[] = [];
  for (const engine of engineNames) {
    for (const workers of engine === "onnx-native" ? [1, 2] : [1]) {
      figures.push(...(await measure({ engine, workers, openNsfw: "off", readsFaces: false, picture, isQuick })));
    }
  }
  for (const readsFaces of [false, true])
    for (const openNsfw of ["shadow", "on"] as const)
      figures.push(...(await measure({ engine: "onnx-native", workers: 1, openNsfw, readsFaces, picture, isQuick })));
  return report(figures, { readyMs, bytes: picture.length });
}

function report(figures: readonly Figures[], { readyMs, bytes }: { readyMs: number; bytes: number }): BenchmarkReport {
  const usual = figures[0]!;
  return {
    title: "Inspection: frames of calls through the models",
    columns: [
      "engine",
      "workers",
      "models asked",
      "open_nsfw",
      "age hints",
      "frames/s",
      "CPU ms/frame",
      "frames/s a core",
      "p50 ms",
      "p95 ms",
    ],
    rows: figures.map((one) => [
      one.engine,
      String(one.workers),
      one.depth === "all" ? "all three" : "the first",
      one.openNsfw,
      one.readsFaces ? "one in six" : "off",
      one.framesPerSecond,
      one.judgingCpuMs + one.askingCpuMs,
      framesPerCore(one),
      percentile(one.latenciesMs, 50),
      percentile(one.latenciesMs, 95),
    ]),
    goals: goalsOf(figures, readyMs),
    notes: [
      `A frame of 640 x 480, ${Math.round(bytes / 1_024)} KiB of JPEG; one of three is scanned for codes.`,
      "Latency: one frame at a time. Frames/s and CPU: three in flight for each worker process, measured together with this process.",
      "Frames/s a core: by processor time alone, so that other work of the machine affects it less than frames/s.",
      `Of the first row's processor time, ${usual.askingCpuMs.toFixed(1)} ms a frame are those of this process, which sends the frames.`,
      "Only one worker holds the large model, so two are no faster with all three models.",
    ],
  };
}

function goalsOf(figures: readonly Figures[], readyMs: number): BenchmarkReport["goals"] {
  const usual = figures[0]!;
  const ratioOf = (mode: OpenNsfwMode, withFaces: boolean) => {
    const isMeant = ({ openNsfw, readsFaces, depth }: Figures) =>
      openNsfw === mode && readsFaces === withFaces && depth === "cascade";
    return framesPerCore(figures.find(isMeant)!) / framesPerCore(usual);
  };
  return [
    {
      name: "frames a second and core of processor time, first model, native engine",
      unit: "frames/s",
      better: "higher",
      reach: 60,
      measured: framesPerCore(usual),
    },
    {
      name: "frames a second of one worker, first model, native engine",
      unit: "frames/s",
      better: "higher",
      reach: 50,
      measured: usual.framesPerSecond,
    },
    ...[false, true].flatMap((withFaces) =>
      (["shadow", "on"] as const).map((mode) => ({
        name: `frames a second and core with OPENNSFW=${mode}${withFaces ? " and AGE_HINTS" : ""}, times those without`,
        unit: "times",
        better: "higher" as const,
        reach: 0.65,
        measured: ratioOf(mode, withFaces),
      })),
    ),
    {
      name: "start to the first judgement",
      unit: "ms",
      better: "lower",
      reach: 10_000,
      measured: readyMs,
    },
  ];
}

function open(
  engines: readonly EngineName[],
  { workers, openNsfw, readsFaces }: Pick<Setting, "workers" | "openNsfw" | "readsFaces">,
): OnnxClassifier {
  return openOnnxClassifier({
    engines,
    clock: systemClock,
    random: seededRandom(1),
    logger: { info: () => undefined, warn: (facts: unknown) => console.error(facts) },
    settings: {
      workers,
      auditShare: 0,
      openNsfw,
      readsFaces,
      waitMaxMs: patientMs,
      slowWaitMaxMs: patientMs,
      judgeTimeoutMs: { "onnx-native": patientMs, "onnx-wasm": patientMs },
      openTimeoutMs: patientMs,
    },
  });
}

/** By the processor time of the classifier processes and of the sender. */
function framesPerCore({ judgingCpuMs, askingCpuMs }: Figures): number {
  return 1_000 / (judgingCpuMs + askingCpuMs);
}

/** Of this process and of its children, since their start. */
function cpuNow(): CpuUse {
  return cpuUse(process.pid) ?? { ownMs: NaN, childrenMs: NaN };
}

async function startMs(): Promise<number> {
  const beganMs = performance.now();
  await using frames = open(engineNames, { workers: 1, openNsfw: "off", readsFaces: false });
  await whenReady(frames);
  return performance.now() - beganMs;
}

interface Measured extends Omit<Setting, "depth"> {
  readonly picture: Buffer;
  readonly isQuick: boolean;
}

async function measure({ engine, workers, openNsfw, readsFaces, picture, isQuick }: Measured): Promise<Figures[]> {
  await using frames = open([engine], { workers, openNsfw, readsFaces });
  await whenReady(frames);
  const figures: Figures[] = [];
  for (const depth of ["cascade", "all"] as const) {
    const count = sizeOf({ engine, depth, isQuick });
    const ask = (index: number) =>
      frames.classify(picture, { depth, codes: index % 3 === 0, faces: index % 6 === 0, priority: 2 });
    // Every worker has loaded its models and its code reader before the measurement begins.
    await Promise.all(Array.from({ length: workers * inFlightEach }, (_, index) => ask(index * 3)));
    const latenciesMs: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const beganMs = performance.now();
      await ask(index);
      latenciesMs.push(performance.now() - beganMs);
    }
    const before = cpuNow();
    const beganMs = performance.now();
    let next = 0;
    const lane = async () => {
      while (next < count) await ask(next++);
    };
    await Promise.all(Array.from({ length: workers * inFlightEach }, lane));
    const seconds = (performance.now() - beganMs) / 1_000;
    const after = cpuNow();
    const judgingCpuMs = (after.childrenMs - before.childrenMs) / count;
    const askingCpuMs = (after.ownMs - before.ownMs) / count;
    const framesPerSecond = count / seconds;
    figures.push({
      engine,
      workers,
      depth,
      openNsfw,
      readsFaces,
      framesPerSecond,
      judgingCpuMs,
      askingCpuMs,
      latenciesMs,
    });
  }
  return figures;
}

function sizeOf({ engine, depth, isQuick }: Pick<Setting, "engine" | "depth"> & { isQuick: boolean }): number {
  const whole = { "onnx-native": { cascade: 600, all: 60 }, "onnx-wasm": { cascade: 100, all: 12 } }[engine][depth];
  return isQuick ? Math.ceil(whole / 6) : whole;
}

async function whenReady(frames: OnnxClassifier): Promise<void> {
  while (!frames.isReady()) await new Promise((resolve) => setTimeout(resolve, readyPollMs));
}

/** A drawn face and soft shapes with the noise of a small camera: as many bytes as a frame of a call, and harmless. */
function webcamLike(): Promise<Buffer> {
  const random = seededRandom(7);
  return paintedJpeg(
    (x, y) => {
      const noise = random.integer(-14, 14);
      const face = faceColour((x * 4) / 3, y, { x: 0.66, y: 0.5, size: 0.5 });
      if (face) return [face[0] + noise / 2, face[1] + noise / 2, face[2] + noise / 2];
      const light = 110 + 60 * Math.sin(7 * x + 3 * Math.sin(5 * y)) + noise;
      return [light, light * 0.9, 200 - light / 2];
    },
    { width: 640, height: 480 },
  );
}
