import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { cascadeThresholdsDefault } from "./cascade.ts";
import { type EngineName, engineNames } from "./engine.ts";
import type { FrameReport, FrameWorkerSetup } from "./frame-messages.ts";
import type { FrameWorker, FrameWorkerListener } from "./frame-slot.ts";
import { forkFile, killChild } from "./fork-file.ts";
import { areModelsConverted, modelFiles } from "./model-files.ts";
import { modelVersion } from "./model-source.ts";
import { OnnxFrames, type OnnxFramesOptions, type OnnxFramesSettings } from "./onnx-frames.ts";

export interface OpenOnnxFramesOptions extends Pick<OnnxFramesOptions, "clock" | "random" | "logger"> {
  /** Where the converted models are kept, in `models`: 120 MB. */
  readonly dataDirectory: string;
  readonly settings?: Partial<OnnxFramesSettings>;
  /** Engines to try, the best first. */
  readonly engines?: readonly EngineName[];
}

const workersMax = 4;

/** One core is left to the rest of the server. */
function defaultSettings(): OnnxFramesSettings {
  return {
    workers: Math.min(workersMax, Math.max(1, availableParallelism() - 1)),
    // Four seconds of work at 60 pictures a second.
    waitingMax: 250,
    waitMaxMs: 4_000,
    judgeTimeoutMs: { "onnx-native": 2_000, "onnx-wasm": 8_000 },
    judgeTimeoutMedians: 10,
    openTimeoutMs: 60_000,
    stopWaitMs: 2_000,
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
  const child = forkFile("./convert-worker.ts", { directory });
  try {
    await once(child, "exit", { signal });
  } finally {
    await killChild(child);
  }
  if (!areModelsConverted(directory)) throw new Error("not every model was converted");
}

function startWorker(setup: FrameWorkerSetup, listener: FrameWorkerListener): FrameWorker {
  const child = forkFile("./frame-worker.ts", setup);
  child.on("message", (report: FrameReport) => listener.report(report));
  // It could not be started at all, or a picture could not be sent: then it ends, too.
  child.on("error", (error) => {
    if (child.pid === undefined) listener.ended(String(error));
  });
  child.on("exit", (code, signal) => listener.ended(`it ended with ${signal ?? `code ${code}`}`));
  return {
    // A child that has just ended takes nothing any more; that it ended is heard by itself.
    send: (order) => void child.send(order, () => undefined),
    end: () => killChild(child),
  };
}
