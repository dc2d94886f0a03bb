import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { stampMachine } from "./machine.ts";
import { benchCheapPhone } from "./cheap-phone.ts";
import { benchLighthouse } from "./lighthouse.ts";
import { benchInspection } from "./inspection.ts";
import { benchMatcher } from "./matcher.ts";
import { benchFirstFace } from "./first-face.ts";
import { benchServer } from "./server.ts";
import { benchProcesses } from "./processes.ts";
import { benchStart } from "./start.ts";
import { benchTextRules } from "./text-rules.ts";
import { plotsOf } from "./plots.ts";
import { isReached, printReport, StoppedError } from "./report.ts";
import { writeResult } from "./results.ts";
import type { Benchmark } from "./report.ts";

/**
 * `npm run bench -- [names] [--quick]`: runs the named benchmarks, or all, in order. Each run without `--quick` writes
 * a file of `bench/results/`. `npm run bench -- plots` draws them.
 */
const benchmarks: Record<string, Benchmark> = {
  matcher: benchMatcher,
  "text-rules": benchTextRules,
  server: benchServer,
  processes: benchProcesses,
  "first-face": benchFirstFace,
  "cheap-phone": benchCheapPhone,
  start: benchStart,
  inspection: benchInspection,
  lighthouse: benchLighthouse,
};
const plotFolder = fileURLToPath(new URL("../docs/images/benchmarks", import.meta.url));

const words = process.argv.slice(2);
const isQuick = words.includes("--quick");
const asked = words.filter((word) => !word.startsWith("--"));
const unknown = [
  ...asked.filter((name) => !benchmarks[name]),
  ...words.filter((word) => word.startsWith("--") && word !== "--quick"),
];
if (words.join() === "plots") {
  drawPlots();
} else if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(", ")}. Benchmarks: ${Object.keys(benchmarks).join(", ")}; flag: --quick; or: plots`,
  );
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
  for (const name of names) {
    const machine = stampMachine();
    if (machine.loadAverage[0]! > machine.cores / 2)
      console.error(
        `Load average ${machine.loadAverage[0]} on ${machine.cores} cores: other work will disturb these figures.`,
      );
    const report = await benchmarks[name]!({ isQuick });
    printReport(report);
    // A quick run judges no goals, since its sizes are smaller.
    if (!isQuick && !report.goals.every(isReached)) process.exitCode = 1;
    if (!isQuick) writeResult(name, { machine, report });
    console.log(
      `measured ${machine.date} on ${machine.cores} x ${machine.cpu}, Node ${machine.node}, commit ${machine.commit}`,
    );
  }
}

/** Replaces all plots by those of the results. */
function drawPlots(): void {
  const plots = plotsOf();
  rmSync(plotFolder, { recursive: true, force: true });
  mkdirSync(plotFolder, { recursive: true });
  for (const [name, svg] of plots) writeFileSync(`${plotFolder}/${name}`, svg);
  console.log(`${plots.size} plots in docs/images/benchmarks; npm run documents puts them into docs/benchmarks.md`);
}
