import { join } from "node:path";
import { loadEngine } from "@fava/server/adapters/classifier/onnx/engine.ts";
import { modelFiles } from "@fava/server/adapters/classifier/onnx/model-files.ts";
import { modelEdgePx } from "@fava/server/adapters/classifier/onnx/model-source.ts";
import { PictureCodes } from "@fava/server/adapters/classifier/onnx/picture-codes.ts";
import { decodeSingly, measure, planesOf, readPixels } from "@fava/server/lib/picture-pixels.ts";
import { percentile } from "./percentile.ts";

const rounds = 12;
const framesEach = 15;
/** Until functions are compiled and the code reader has its memory. */
const roundsUncounted = 3;

/**
 * Processor time of each step of one frame, milliseconds, medians of rounds that take turns: what else the machine does
 * weighs on all of them alike. The models lie converted in the data directory.
 */
export async function inspectionSteps(picture: Buffer, dataDirectory: string): Promise<Record<string, number>> {
  // As in the process that judges.
  decodeSingly();
  const pixels = await readPixels(picture);
  const engine = await loadEngine(["onnx-native"]);
  const network = await engine.open(modelFiles(join(dataDirectory, "models")).mobilenet, modelEdgePx.mobilenet);
  const planes = planesOf(pixels, modelEdgePx.mobilenet);
  const codes = new PictureCodes();
  const steps: Record<string, () => unknown> = {
    decoding: () => readPixels(picture),
    "nearest pixels": () => planesOf(pixels, modelEdgePx.mobilenet),
    "brightness, sharpness and hash": () => measure(pixels),
    "the first model": () => network.judge(planes),
    "a search for codes": () => codes.read(pixels),
  };
  const tookMs = new Map<string, number[]>(Object.keys(steps).map((name) => [name, []]));
  for (let round = -roundsUncounted; round < rounds; round += 1) {
    for (const [name, step] of Object.entries(steps)) {
      const before = process.cpuUsage();
      for (let frame = 0; frame < framesEach; frame += 1) await step();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) tookMs.get(name)!.push((user + system) / 1_000 / framesEach);
    }
  }
  return Object.fromEntries([...tookMs].map(([name, values]) => [name, percentile(values, 50)]));
}
