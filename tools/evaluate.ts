import { createWriteStream } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readConfig } from "@fava/server/config.ts";
import { joinConfigured } from "@fava/server/db/configured.ts";
import { openDatabase } from "@fava/server/db/pool.ts";
import { decidedFrames } from "@fava/server/moderation/decided-frames.ts";
import { startFailure } from "@fava/server/start-message.ts";
import { picturesOfCases, type ScoredPicture, type Thresholds, thresholdsDefault } from "./lib/evaluation.ts";
import { casesReport, evaluationReport } from "./lib/evaluation-report.ts";
import { EvaluationError, judged, labelledFiles } from "./lib/labelled-pictures.ts";

/**
 * `npm run moderation:evaluate -- FOLDER | --from-cases`: how well the inspection judges labelled pictures, or the cases
 * that moderators decided. Exits with 1 if settings given by `--against` make a rule worse.
 */
const workTree = fileURLToPath(new URL("..", import.meta.url));
const options = {
  "from-cases": { type: "boolean", default: false },
  against: { type: "string" },
  prevalence: { type: "string", default: "0.01" },
  scores: { type: "string", default: join(workTree, ".cache/evaluation/scores.jsonl") },
} as const;

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const [folder] = positionals;
  if (positionals.length > 1 || (folder === undefined) !== values["from-cases"])
    throw new EvaluationError("name either a folder or --from-cases");
  const prevalence = Number(values.prevalence);
  if (!(prevalence > 0 && prevalence < 1)) throw new EvaluationError("--prevalence must be between 0 and 1");
  const proposed = values.against === undefined ? null : await readThresholds(values.against);
  if (folder === undefined) return print(casesReport(await decidedCases(), proposed));
  const pictures = await scored(folder, values.scores);
  const { lines, isWorse } = evaluationReport({ pictures, prevalence, proposed });
  print(lines);
  if (isWorse) process.exitCode = 1;
}

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new EvaluationError(error instanceof Error ? error.message : String(error));
  }
}

async function readThresholds(path: string): Promise<Thresholds> {
  const names = Object.keys(thresholdsDefault);
  const wrong = () => new EvaluationError(`${path} must be a JSON object of numbers named ${names.join(", ")}`);
  const given: unknown = await readFile(path, "utf8")
    .then(JSON.parse)
    .catch(() => {
      throw wrong();
    });
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw wrong();
  const isKnown = ([name, value]: [string, unknown]) => names.includes(name) && Number.isFinite(value);
  if (!Object.entries(given).every(isKnown)) throw wrong();
  return { ...thresholdsDefault, ...given };
}

async function decidedCases(): Promise<readonly ScoredPicture[]> {
  await using server = await joinConfigured(readConfig());
  await using database = openDatabase(server.url, { max: 1 });
  const { rows } = await database.pool.query<{ found: boolean }>("select to_regclass('cases') is not null as found");
  if (!rows[0]?.found) throw new EvaluationError("this database has no cases yet: start the product once");
  return picturesOfCases(await decidedFrames(database.db));
}

/** Also writes scores and hashes to a file, and no picture or file name. */
async function scored(folder: string, scoresPath: string): Promise<readonly ScoredPicture[]> {
  const files = await labelledFiles(folder, workTree);
  await mkdir(dirname(scoresPath), { recursive: true });
  const output = createWriteStream(scoresPath);
  const pictures: ScoredPicture[] = [];
  const processorMs: number[] = [];
  let unreadable = 0;
  for await (const { file, sha256, verdict } of judged(files)) {
    if (verdict === null) {
      unreadable += 1;
      continue;
    }
    const { label, groups } = file;
    const { explicit: _explicit, phash, code: _code, processorMs: tookMs = 0, ...judgement } = verdict;
    output.write(`${JSON.stringify({ sha256, phash, label, groups, ...judgement })}\n`);
    pictures.push({ label, groups, verdict: judgement });
    processorMs.push(tookMs);
  }
  output.end();
  await finished(output);
  const meanMs = processorMs.reduce((sum, one) => sum + one, 0) / Math.max(1, processorMs.length);
  print([
    `${pictures.length} pictures judged, ${unreadable} unreadable, ${meanMs.toFixed(1)} ms of processor time each with all models`,
    `scores: ${scoresPath}`,
  ]);
  return pictures;
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof EvaluationError ? error.message : startFailure(error)}\n`);
  process.exitCode = 1;
}
