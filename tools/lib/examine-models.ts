import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "@fava/server/adapters/local/clock.ts";
import {
  faceModels,
  modelFiles,
  type ModelName,
  readModel,
} from "@fava/server/adapters/classifier/onnx/frame-models.ts";
import { type OnnxClassifier, openOnnxClassifier } from "@fava/server/adapters/classifier/onnx/onnx-classifier.ts";
import type { Config } from "@fava/server/config.ts";
import { doubt, fine, type Finding, harm } from "./finding.ts";

/** Opening all models takes a second of processor time on most machines. */
const judgeTimeoutMs = 60_000;
const pollMs = 50;
/** A grey picture of 64 x 48 pixels as WebP. */
const greyPicture = Buffer.from(
  "UklGRjYAAABXRUJQVlA4ICoAAABQAwCdASpAADAAPtFotFMoJiUioqgBABoJaQAAE/GOHwhFgADtUMAAAAA=",
  "base64",
);
/** The models give a grey picture less than this, 0 to 1. */
const greyExplicitMax = 0.5;

/** Whether the files of the models that the settings use are there and undamaged, and whether they judge a picture. */
export async function examineModels(
  { settings }: Config,
  { modelsFolder, judge }: { modelsFolder: URL | undefined; judge: () => Promise<Finding> },
): Promise<readonly Finding[]> {
  const { mode, openNsfw, ageHints } = settings.moderation;
  if (mode !== "auto") return [];
  const left: readonly string[] = [
    ...(openNsfw === "off" ? ["open-nsfw"] : []),
    ...(ageHints === "off" ? faceModels : []),
  ];
  const names = (Object.keys(modelFiles) as ModelName[]).filter((name) => !left.includes(name));
  const problems = (await Promise.all(names.map((name) => problemOf(name, modelsFolder)))).flat();
  if (problems.length > 0) return problems;
  return [fine("Picture models: all are there, and undamaged."), await judge()];
}

/** Without a model of the first family the server judges no picture; without any other it judges with less. */
async function problemOf(name: ModelName, folder: URL | undefined): Promise<readonly Finding[]> {
  const problem = await readModel(name, folder).then(() => null, String);
  if (problem === null) return [];
  if (faceModels.some((one) => one === name)) return [doubt(`Picture models: there will be no age hints. ${problem}`)];
  return name === "open-nsfw"
    ? [doubt(`Picture models: the second family will not judge. ${problem}`)]
    : [harm(`Picture models: no picture will be judged. ${problem}`)];
}

/** Judges a grey picture in a process, as the server does, with the engine that works on this machine. */
export async function judgeGreyPicture(): Promise<Finding> {
  const said: string[] = [];
  const warn = (fields: object) => void said.push(JSON.stringify(fields));
  await using models = openOnnxClassifier({
    clock: systemClock,
    random: { integer: (_min, max) => max },
    logger: { info: () => undefined, warn },
    settings: { workers: 1 },
  });
  try {
    await whenReady(models);
    const { explicit } = await models.classify(greyPicture, { depth: "all", codes: false, priority: 0 });
    if (explicit < greyExplicitMax) return fine(`Picture models: they judge a picture, by ${models.engine}.`);
    return harm(`Picture models: they judge a grey picture as explicit (${explicit.toFixed(2)}). Install Fava again.`);
  } catch (error) {
    const why = [error instanceof Error ? error.message : String(error), ...said].join("; ");
    return harm(
      `Picture models: they judge no picture on this machine: ${why}. Install its packages for this platform.`,
    );
  }
}

async function whenReady(models: OnnxClassifier): Promise<void> {
  const deadlineMs = performance.now() + judgeTimeoutMs;
  while (!models.isReady()) {
    if (performance.now() > deadlineMs) throw new Error("they did not open in time");
    await pause(pollMs);
  }
}
