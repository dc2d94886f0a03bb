import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MachineStamp } from "./machine.ts";
import { type BenchmarkReport, type Goal, type PeerFigure, isReached, readable } from "./report.ts";

/** A measured figure; some have no goal. */
type ResultFigure = Omit<Goal, "reach"> & Partial<Pick<Goal, "reach">>;

/** One run of one benchmark: a file of `bench/results/`. */
export interface BenchmarkResult {
  readonly benchmark: string;
  /** ISO 8601, UTC; only the day if the time is not known. */
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  /** Load average of one minute; of the run itself if no other work ran. */
  readonly load: string;
  readonly figures: readonly ResultFigure[];
  readonly peers: readonly PeerFigure[];
}

const resultFolder = fileURLToPath(new URL("results", import.meta.url));

/** All results, oldest first: the names of the files begin with the date. */
export function readResults(folder = resultFolder): BenchmarkResult[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as BenchmarkResult);
}

export function writeResult(
  benchmark: string,
  { machine, report }: { machine: MachineStamp; report: BenchmarkReport },
  folder = resultFolder,
): void {
  const { cores, cpu, memoryGiB, node, platform, date, commit, loadAverage } = machine;
  const result: BenchmarkResult = {
    benchmark,
    date,
    commit,
    machine: `${cores} x ${cpu}, ${memoryGiB} GiB, Node.js ${node.replace("v", "")}, ${platform}`,
    load: String(loadAverage[0]),
    figures: report.goals,
    peers: report.peers ?? [],
  };
  mkdirSync(folder, { recursive: true });
  const name = `${date.slice(0, 19).replaceAll(":", "-")}-${commit.replace("+", "")}-${benchmark}.json`;
  writeFileSync(`${folder}/${name}`, `${JSON.stringify(result, null, 2)}\n`);
}

/** The values of one figure over all runs, oldest first. */
export interface Series {
  readonly benchmark: string;
  readonly figure: ResultFigure;
  readonly points: readonly { readonly result: BenchmarkResult; readonly value: number }[];
}

/**
 * One series for each figure, in the order of the newest run that has it. Figures that are compared with peers count,
 * too.
 */
export function seriesOf(results: readonly BenchmarkResult[]): Series[] {
  const series = new Map<string, Series>();
  for (const result of results) {
    const named = new Set(result.figures.map(({ name }) => name));
    const compared = result.peers
      .filter(({ name }) => !named.has(name))
      .flatMap(({ name, unit, bars: [own] }): ResultFigure[] =>
        own ? [{ name, unit, better: "lower", measured: own.value }] : [],
      );
    for (const figure of [...result.figures, ...compared]) {
      const key = `${result.benchmark} ${figure.name}`;
      const points = [...(series.get(key)?.points ?? []), { result, value: figure.measured }];
      series.set(key, { benchmark: result.benchmark, figure, points });
    }
  }
  return [...series.values()].toSorted((one, other) =>
    one.benchmark < other.benchmark ? -1 : one.benchmark > other.benchmark ? 1 : 0,
  );
}

/** The newest value of each figure, as a table in Markdown; a missed goal is bold. The day stands in for an unknown commit. */
export function figureTable(results: readonly BenchmarkResult[] = readResults()): string {
  const rows = seriesOf(results).map(({ benchmark, figure, points }) => {
    const { result, value } = points.at(-1)!;
    const shown = `${readable(value)} ${figure.unit}`.trim();
    const isMissed = figure.reach !== undefined && !isReached({ ...figure, reach: figure.reach, measured: value });
    const goal = figure.reach === undefined ? "" : readable(figure.reach);
    const cells = [benchmark, figure.name, isMissed ? `**${shown}**` : shown, goal];
    const commit = result.commit === "unknown" ? result.date.slice(0, 10) : result.commit;
    return `| ${[...cells, commit, result.load].join(" | ")} |`;
  });
  return ["| benchmark | figure | measured | goal | commit | load |", "|---|---|---|---|---|---|", ...rows].join("\n");
}
