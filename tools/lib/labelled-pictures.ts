import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, realpath } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { openOnnxClassifier } from "@fava/server/adapters/classifier/onnx/onnx-classifier.ts";
import { systemClock } from "@fava/server/adapters/local/clock.ts";
import { systemRandom } from "@fava/server/adapters/local/random.ts";
import { type FrameClassifier, FrameUnreadableError, type FrameVerdict } from "@fava/server/ports/frame-classifier.ts";
import { type Label, labels, type ScoredPicture } from "./evaluation.ts";

/** The pictures or their labels cannot be used; the message is for the operator. */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";
}

export interface LabelledFile {
  readonly path: string;
  readonly label: Label;
  readonly groups: ScoredPicture["groups"];
}

const picturesMax = 100_000;
const labelsFile = "labels.csv";

/**
 * The pictures of a folder: by `labels.csv` with the columns file, label and any groups, or else by folders that are
 * named after labels.
 *
 * @throws EvaluationError for a folder inside `workTree`, where pictures could be committed by mistake; for an unknown
 *   label; for a file outside of the folder; for no pictures, or more than 100,000.
 */
export async function labelledFiles(folder: string, workTree: string): Promise<readonly LabelledFile[]> {
  const within = await realpath(folder).catch(() => {
    throw new EvaluationError(`${folder} is no folder`);
  });
  if (isInside(within, await realpath(workTree)))
    throw new EvaluationError("the folder is inside the work tree, where a picture could be committed: move it");
  const names = await readdir(within);
  const files = names.includes(labelsFile) ? await byTable(within) : await byFolders(within, names);
  if (files.length === 0)
    throw new EvaluationError(`no pictures: use folders named ${labels.join(", ")}, or ${labelsFile}`);
  return files;
}

async function byFolders(folder: string, names: readonly string[]): Promise<LabelledFile[]> {
  const files: LabelledFile[] = [];
  for (const label of labels.filter((one) => names.includes(one))) {
    for (const entry of await readdir(join(folder, label), { withFileTypes: true })) {
      if (entry.isFile()) addTo(files, { path: join(folder, label, entry.name), label, groups: {} });
    }
  }
  return files;
}

async function byTable(folder: string): Promise<LabelledFile[]> {
  const files: LabelledFile[] = [];
  let columns: string[] | null = null;
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(join(folder, labelsFile), "utf8") })) {
    line += 1;
    if (text.trim() === "") continue;
    const fields = text.split(",").map((field) => field.trim());
    const wrong = (what: string) => new EvaluationError(`${labelsFile}, line ${line}: ${what}`);
    if (columns === null) {
      if (fields[0] !== "file" || fields[1] !== "label") throw wrong("the first columns must be file,label");
      columns = fields;
      continue;
    }
    if (fields.length !== columns.length) throw wrong(`${columns.length} fields expected, ${fields.length} found`);
    const [file = "", name = "", ...values] = fields;
    const label = labels.find((one) => one === name);
    if (!label) throw wrong(`the label is none of ${labels.join(", ")}`);
    const path = await realpath(join(folder, file)).catch(() => null);
    if (path === null || !isInside(path, folder)) throw wrong("there is no such file in the folder");
    const groups = Object.fromEntries(columns.slice(2).map((column, index) => [column, values[index] ?? ""]));
    addTo(files, { path, label, groups });
  }
  return files;
}

function addTo(files: LabelledFile[], file: LabelledFile): void {
  if (files.length >= picturesMax) throw new EvaluationError(`more than ${picturesMax} pictures`);
  files.push(file);
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
}

/** A picture with the verdict of all models, or null where it cannot be read as a frame of a call. */
export interface JudgedFile {
  readonly file: LabelledFile;
  readonly sha256: string;
  readonly verdict: FrameVerdict | null;
}

const readyPollMs = 20;
const readyMaxMs = 60_000;
/** Nobody waits for one picture. */
const patientMs = 600_000;
/** Fewer than the classifier's queue takes; enough that no worker waits. */
const inFlight = 8;

/** Judges the pictures in the product's own processes, with all models, several at once and in no fixed order. */
export async function* judged(files: readonly LabelledFile[]): AsyncGenerator<JudgedFile> {
  await using classifier = openOnnxClassifier({
    clock: systemClock,
    random: systemRandom,
    logger: { info: () => undefined, warn: (fields: object, text?: string) => console.error(text, fields) },
    settings: { openNsfw: "shadow", waitMaxMs: patientMs, slowWaitMaxMs: patientMs },
  });
  await untilReady(classifier);
  const running = new Map<number, Promise<[number, JudgedFile]>>();
  for (const [index, file] of files.entries()) {
    running.set(
      index,
      judge(file, classifier).then((result) => [index, result]),
    );
    if (running.size < inFlight) continue;
    yield await first(running);
  }
  while (running.size > 0) yield await first(running);
}

async function first(running: Map<number, Promise<[number, JudgedFile]>>): Promise<JudgedFile> {
  const [index, result] = await Promise.race(running.values());
  running.delete(index);
  return result;
}

async function untilReady(classifier: FrameClassifier): Promise<void> {
  const beganMs = systemClock.monotonicMs();
  while (!classifier.isReady()) {
    if (systemClock.monotonicMs() - beganMs > readyMaxMs) throw new EvaluationError("the models could not be loaded");
    await new Promise((resolve) => setTimeout(resolve, readyPollMs));
  }
}

async function judge(file: LabelledFile, classifier: FrameClassifier): Promise<JudgedFile> {
  const bytes = await readFile(file.path);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  try {
    return { file, sha256, verdict: await classifier.classify(bytes, { depth: "all", codes: false, priority: 2 }) };
  } catch (error) {
    if (!(error instanceof FrameUnreadableError)) throw error;
    return { file, sha256, verdict: null };
  }
}
