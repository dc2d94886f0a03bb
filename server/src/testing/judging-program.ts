// A small server that judges pictures without end, for tests that pause, stop and kill it: it says in lines what became
// of each picture, and ends with code 0 when it is told to.
import { openOnnxFrames } from "#adapters/classifier/onnx/onnx-frames.ts";
import { systemClock } from "#adapters/local/clock.ts";
import { ClassifierBusyError } from "#ports/frame-classifier.ts";
import { framePictures } from "./frame-pictures.ts";

const dataDirectory = process.argv[2] ?? "";
const picture = await framePictures.egg();
const stop = new Promise<void>((resolve) => process.once("SIGTERM", () => resolve()));
let isStopping = false;
void stop.then(() => (isStopping = true));

const frames = openOnnxFrames({
  dataDirectory,
  clock: systemClock,
  random: { integer: (_min, max) => max },
  logger: { info: () => undefined, warn: (facts: unknown) => say(`warned ${JSON.stringify(facts)}`) },
  settings: { workers: 1 },
});
const judging = judgeOn(frames);
await stop;
await frames[Symbol.asyncDispose]();
await judging;

async function judgeOn(frames: ReturnType<typeof openOnnxFrames>): Promise<void> {
  while (!isStopping) {
    if (!frames.isReady()) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    try {
      await frames.classify(picture, { depth: "all", codes: true, priority: 0 });
      say("judged");
    } catch (error) {
      if (!(error instanceof ClassifierBusyError)) throw error;
      say("not judged");
    }
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
