import { readFile, writeFile } from "node:fs/promises";
import { stampMachine } from "./machine.ts";
import { benchLighthouse } from "./lighthouse.ts";
import { benchInspection } from "./inspection.ts";
import { benchMatcher } from "./matcher.ts";
import { benchFirstFace } from "./first-face.ts";
import { benchServer } from "./server.ts";
import { benchProcesses } from "./processes.ts";
import { benchStart } from "./start.ts";
import { benchTextRules } from "./text-rules.ts";
import { isReached, printReport, StoppedError } from "./report.ts";
import type { Benchmark } from "./report.ts";

/** `npm run bench -- [names] [--quick]`: runs the named benchmarks, or all, one after the other. */
const benchmarks: Record<string, Benchmark> = {
  matcher: benchMatcher,
  "text-rules": benchTextRules,
  server: benchServer,
  processes: benchProcesses,
  "first-face": benchFirstFace,
  start: benchStart,
  inspection: benchInspection,
  lighthouse: benchLighthouse,
};
const resultFile = new URL("result.json", import.meta.url);

const words = process.argv.slice(2);
const isQuick = words.includes("--quick");
const asked = words.filter((word) => !word.startsWith("--"));
const unknown = [
  ...asked.filter((name) => !benchmarks[name]),
  ...words.filter((word) => word.startsWith("--") && word !== "--quick"),
];
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. Benchmarks: ${Object.keys(benchmarks).join(", ")}; flag: --quick`);
  process.exitCode = 2;
} else {
  try {
    await run(asked.length > 0 ? asked : Object.keys(benchmarks));
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

async function run(names: string[]): Promise<void> {
  const results = await earlierResults();
  for (const name of names) {
    const machine = stampMachine();
    if (machine.loadAverage[0]! > machine.cores / 2)
      console.error(
        `Load average ${machine.loadAverage[0]} on ${machine.cores} cores: these figures will not be quiet.`,
      );
    const report = await benchmarks[name]!({ isQuick });
    printReport(report);
    // A quick run judges nothing: its sizes are not those of the goals.
    if (!isQuick && !report.goals.every(isReached)) process.exitCode = 1;
    results[name] = { machine, isQuick, ...report };
    await writeFile(resultFile, `${JSON.stringify(results, null, 2)}\n`);
    console.log(
      `measured ${machine.date} on ${machine.cores} x ${machine.cpu}, Node ${machine.node}, commit ${machine.commit}`,
    );
  }
}

/** Results of other benchmarks stay in the file. */
async function earlierResults(): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(resultFile, "utf8")) as Record<string, unknown>;
  } catch {
    // No file yet, or one from an interrupted run: it is written anew.
    return {};
  }
}
