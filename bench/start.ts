import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { percentile } from "./percentile.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";
import { serveProduct } from "./served-product.ts";

const rounds = 5;
const quickRounds = 1;

/** `npm start` with packages installed and the web app built, to the first good answer of `/readyz`. */
export async function benchStart({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  // Builds the web app if it is stale, which is not measured.
  await startOnce(null);
  const first: number[] = [];
  const second: number[] = [];
  for (let round = 0; round < (isQuick ? quickRounds : rounds); round += 1) {
    const dataDirectory = await mkdtemp(join(tmpdir(), "fava-bench-start-"));
    try {
      first.push(await startOnce(dataDirectory));
      second.push(await startOnce(dataDirectory));
    } finally {
      await rm(dataDirectory, { recursive: true, force: true });
    }
  }
  const row = (name: string, seconds: readonly number[]) => [
    name,
    percentile(seconds, 0),
    percentile(seconds, 50),
    percentile(seconds, 100),
  ];
  return {
    title: `Start: npm start to ready, ${first.length} times each`,
    columns: ["", "least s", "p50 s", "most s"],
    rows: [row("first time: new database, people of the sandbox", first), row("second time", second)],
    goals: [
      { name: "first start, p50", unit: "s", better: "lower", reach: 10, measured: percentile(first, 50) },
      { name: "second start, p50", unit: "s", better: "lower", reach: 1.5, measured: percentile(second, 50) },
    ],
    notes: ["from the start of the process to the first good answer of /readyz, asked every 10 ms"],
  };
}

/** Seconds until ready; uses a temporary data directory for null. */
async function startOnce(dataDirectory: string | null): Promise<number> {
  await using product = await serveProduct({
    program: ["tools/start.mjs"],
    ...(dataDirectory !== null && { dataDirectory }),
  });
  return product.readyMs / 1_000;
}
