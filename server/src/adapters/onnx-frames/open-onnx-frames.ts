import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { cascadeThresholdsDefault } from "./cascade.ts";
import { type EngineName, engineNames } from "./engine.ts";
import type { FrameReport, FrameThreadSetup } from "./frame-messages.ts";
import type { FrameWorker, FrameWorkerListener } from "./frame-thread.ts";
import { areModelsConverted, modelFiles } from "./model-files.ts";
import { modelVersion } from "./model-source.ts";
import { OnnxFrames, type OnnxFramesOptions, type OnnxFramesSettings } from "./onnx-frames.ts";
import { spawnWorker } from "./spawn-worker.ts";

export interface OpenOnnxFramesOptions extends Pick<OnnxFramesOptions, "clock" | "random" | "logger"> {
  /** Where the converted models are kept, in `models`: 120 MB. */
  readonly dataDirectory: string;
  readonly settings?: Partial<OnnxFramesSettings>;
  /** Engines to try, the best first. */
  readonly engines?: readonly EngineName[];
}

const threadsMax = 4;

/** One core is left to the rest of the server. */
function defaultSettings(): OnnxFramesSettings {
  return {
    threads: Math.min(threadsMax, Math.max(1, availableParallelism() - 1)),
    // Four seconds of work at 60 pictures a second.
    waitingMax: 250,
    waitMaxMs: 4_000,
    judgeTimeoutMs: { "onnx-native": 2_000, "onnx-wasm": 8_000 },
    openTimeoutMs: 60_000,
    auditShare: 0.05,
  };
}

/** Starts to prepare the models, and answers at once: `isReady` tells when it judges. */
export function openOnnxFrames(options: OpenOnnxFramesOptions): OnnxFrames {
  const { dataDirectory, settings, engines = engineNames } = options;
  const directory = join(dataDirectory, "models");
  const setup = { engines, files: modelFiles(directory), thresholds: cascadeThresholdsDefault };
  return new OnnxFrames({
    ...options,
    settings: { ...defaultSettings(), ...settings },
    model: `nsfwjs ${modelVersion()}`,
    convert: (signal) => convert(directory, signal),
    spawn: (holdsInception, listener) => startWorker({ ...setup, holdsInception }, listener),
  });
}

async function convert(directory: string, signal: AbortSignal): Promise<void> {
  if (areModelsConverted(directory)) return;
  const worker = spawnWorker("./convert-worker.ts", { directory });
  try {
    await once(worker, "exit", { signal });
  } finally {
    await worker.terminate();
  }
  if (!areModelsConverted(directory)) throw new Error("not every model was converted");
}

function startWorker(setup: FrameThreadSetup, listener: FrameWorkerListener): FrameWorker {
  const worker: Worker = spawnWorker("./frame-worker.ts", setup);
  let problem = "it ended by itself";
  worker.on("message", (report: FrameReport) => listener.report(report));
  worker.on("error", (error) => (problem = String(error)));
  worker.on("exit", () => listener.ended(problem));
  return {
    // A copy of its own: the picture may lie in a larger piece of memory, all of which would go with it.
    send: (order) => {
      const picture = Uint8Array.from(order.picture);
      worker.postMessage({ ...order, picture }, [picture.buffer]);
    },
    end: async () => void (await worker.terminate()),
  };
}
