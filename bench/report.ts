/** A figure that must be reached; `measured` is compared with `reach` as `better` says. */
export interface Goal {
  readonly name: string;
  readonly unit: string;
  readonly better: "lower" | "higher";
  readonly reach: number;
  readonly measured: number;
}

/** One figure of the product beside the same figure of its peers, in the same run; the product comes first. */
export interface PeerFigure {
  readonly name: string;
  readonly unit: string;
  readonly bars: readonly { readonly name: string; readonly value: number }[];
}

/** The result of one benchmark: a table to read and figures to judge. */
export interface BenchmarkReport {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly goals: readonly Goal[];
  readonly peers?: readonly PeerFigure[];
  /** What a reader must know to trust the table. */
  readonly notes: readonly string[];
}

export interface BenchmarkOptions {
  /** Small sizes and few repeats: shows that it works and how it grows, not what to publish. */
  readonly isQuick: boolean;
}

export type Benchmark = (options: BenchmarkOptions) => Promise<BenchmarkReport>;

export function isReached({ better, reach, measured }: Goal): boolean {
  return better === "lower" ? measured <= reach : measured >= reach;
}

/** Three significant digits below 100, whole numbers with separators above. */
export function readable(value: number): string {
  return value < 100 ? String(Number(value.toPrecision(3))) : Math.round(value).toLocaleString("en");
}

export function printReport(report: BenchmarkReport): void {
  const cells = [report.columns, ...report.rows].map((row) =>
    row.map((cell) => (typeof cell === "number" ? readable(cell) : cell)),
  );
  const widths = report.columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  console.log(`\n${report.title}\n`);
  for (const [index, row] of cells.entries()) {
    console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`);
    if (index === 0) console.log(`| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  }
  console.log();
  for (const goal of report.goals) {
    const verdict = isReached(goal) ? "reached" : "missed ";
    console.log(`${verdict}  ${goal.name}: ${readable(goal.measured)} ${goal.unit} (goal ${goal.reach})`);
  }
  for (const note of report.notes) console.log(`note     ${note}`);
}

/** The user stopped a benchmark; all its processes have ended. */
export class StoppedError extends Error {
  override readonly name = "StoppedError";
}
