import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";
import { createVitest } from "vitest/node";
import { brokenLines, machines } from "./mutants/list.ts";

/**
 * `npm run test:mutants [WORD ...]`: breaks the code and checks that tests fail. Stryker breaks the state machines;
 * other lines are replaced one at a time. Words choose files, or lines by their consequence.
 */
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const words = process.argv.slice(2);
const isChosen = (...texts: string[]) =>
  words.length === 0 || words.some((word) => texts.some((text) => text.includes(word)));
/** A run that takes longer is in an endless loop, which counts as noticed. */
const runTimeoutMs = 120_000;
/** The share of broken lines that the tests must notice. */
const noticedShareMin = 0.95;

const machinesChosen = machines.filter(({ file }) => isChosen(file));
const linesChosen = brokenLines.flatMap(({ file, tests, lines }) =>
  Object.entries(lines).flatMap(([why, [from, to]]) => (isChosen(file, why) ? { file, tests, why, from, to } : [])),
);
const problems: string[] = [];
for (const machine of machinesChosen) await breakMachine(machine);
if (linesChosen.length > 0) await breakLines();
for (const problem of problems) console.error(problem);
if (machinesChosen.length + linesChosen.length === 0) console.error("no file and no line has these words");
process.exit(problems.length > 0 || machinesChosen.length + linesChosen.length === 0 ? 1 : 0);

async function breakMachine({ file, tests, percentMin }: (typeof machines)[number]): Promise<void> {
  process.env["MUTANT_TESTS"] = tests;
  const results = await new Stryker({ configFile: "tools/mutants/stryker.json", mutate: [file] }).runMutationTest();
  const tried = results.filter(({ status }) => status !== "Ignored");
  const noticed = tried.filter(({ status }) => status === "Killed" || status === "Timeout");
  const score = (100 * noticed.length) / tried.length;
  console.log(`${file}: ${noticed.length} of ${tried.length} mutants noticed, ${score.toFixed(1)} %`);
  if (!(score >= percentMin))
    problems.push(`${file}: ${score.toFixed(1)} % of its mutants were noticed, of ${percentMin} needed`);
}

async function breakLines(): Promise<void> {
  const tests = new Set(linesChosen.flatMap((line) => line.tests));
  if ((await run([...tests])) !== "passed") problems.push("the tests of the broken lines do not pass as the code is");
  let noticed = 0;
  for (const { file, why, from, to, tests } of linesChosen) {
    const restore = replaceInReads(resolve(file), from, to);
    const result = await run(tests);
    restore();
    if (result === "failed") noticed += 1;
    console.log(`${result === "failed" ? "noticed" : `SURVIVED (${result})`} ${file}: ${why}`);
  }
  const needed = Math.ceil(linesChosen.length * noticedShareMin);
  if (noticed < needed)
    problems.push(`${noticed} of ${linesChosen.length} broken lines were noticed, ${needed} needed`);
}

/** Runs tests of the server until the first fails. "broke": no test failed, but the run did not complete. */
async function run(tests: readonly string[]): Promise<"passed" | "failed" | "broke"> {
  const vitest = await createVitest("test", {
    project: ["server"],
    watch: false,
    bail: 1,
    maxWorkers: 1,
    reporters: [{}],
  });
  let hasTimedOut = false;
  const timer = setTimeout(() => {
    hasTimedOut = true;
    // Only the second cancellation kills a worker that is in an endless loop.
    for (let times = 0; times < 2; times += 1) void vitest.cancelCurrentRun("test-failure");
  }, runTimeoutMs);
  await vitest.start([...tests]);
  clearTimeout(timer);
  const hasPassed = vitest.state.getTestModules().every((file) => file.ok()) && vitest.state.errorsSet.size === 0;
  const failed = vitest.state.getCountOfFailedTests();
  await vitest.close();
  return failed > 0 || hasTimedOut ? "failed" : hasPassed ? "passed" : "broke";
}

/** Replaces a line when this process reads a file, as Vite and the migrations do; returns a function that undoes it. */
function replaceInReads(path: string, from: string, to: string): () => void {
  const { readFileSync } = fs;
  const { readFile } = fs.promises;
  const text = readFileSync(path, "utf8").replace(from, () => to);
  const isIt = (name: unknown) => (name instanceof URL ? fileURLToPath(name) : name) === path;
  fs.readFileSync = ((name: never, ...rest: never[]) => (isIt(name) ? text : readFileSync(name, ...rest))) as never;
  fs.promises.readFile = ((name: never, ...rest: never[]) =>
    isIt(name) ? Promise.resolve(text) : readFile(name, ...rest)) as never;
  syncBuiltinESMExports();
  return () => {
    fs.readFileSync = readFileSync;
    fs.promises.readFile = readFile;
    syncBuiltinESMExports();
  };
}
