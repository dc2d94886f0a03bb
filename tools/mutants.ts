import { chmodSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeAbandoned, removeRunFolder } from "./lib/run-folder.mjs";
import { mutants as allMutants, problemsOf } from "./mutants/list.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { type Outcome, Workbench } from "./mutants/workbench.ts";

/**
 * `npm run test:mutants`: breaks chosen lines of the dearest parts one at a time, and has the tests notice. Words choose
 * mutants by their file or by what would go wrong. Not Stryker: the ledger is SQL inside of strings, which it cannot
 * change, and it changes everything else where a few lines are those that would hurt people or money.
 */
const root = join(import.meta.dirname, "..");
/** Share of the mutants that must be noticed. */
const atLeast = 0.95;
const atOnce = 2;
const timeoutMs = 90_000;
const unbrokenTimeoutMs = 600_000;
/** A time-out is the mutant's doing only where the same run took far less before. */
const unbrokenSecondsMax = 30;

const words = process.argv.slice(2);
const mutants = allMutants.filter(
  ({ file, why }) => words.length === 0 || words.some((word) => file.includes(word) || why.includes(word)),
);

const problems = mutants.flatMap((mutant) => problemsOf(mutant, root));
if (problems.length > 0 || mutants.length === 0) {
  for (const problem of problems) console.error(problem);
  console.error(problems.length > 0 ? "the list in tools/mutants/ is out of date" : "no mutant has these words");
  process.exitCode = 1;
} else process.exitCode = await tryAll();

/** The exit code. */
async function tryAll(): Promise<number> {
  const startedMs = performance.now();
  removeAbandoned();
  const folder = mkdtempSync(join(tmpdir(), `fava-mutants-${process.pid}-`));
  const benches: Workbench[] = [];
  const remove = () => {
    for (const bench of benches) bench.stop();
    removeRunFolder(folder);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      remove();
      process.exit(1);
    });
  }
  try {
    for (let number = 1; number <= atOnce; number += 1) {
      const own = join(folder, String(number));
      mkdirSync(own);
      // The databases' own account has to get through to its data.
      for (const entered of [folder, own]) chmodSync(entered, 0o755);
      benches.push(new Workbench(root, own));
    }
    const unbroken = await runUnbroken(benches);
    if (!unbroken) return 1;
    const noticed = await tryMutants(benches, unbroken);
    const needed = Math.ceil(mutants.length * atLeast);
    const minutes = secondsSince(startedMs) / 60;
    console.log(`${noticed} of ${mutants.length} noticed, ${needed} needed, in ${minutes.toFixed(1)} minutes`);
    return noticed >= needed ? 0 : 1;
  } finally {
    remove();
  }
}

/** How long tests take on the code as it is. */
interface Unbroken {
  /** Of a run without its tests. */
  readonly startSeconds: number;
  readonly secondsByFile: ReadonlyMap<string, number>;
}

/** Runs every test that a mutant names; null where one fails. */
async function runUnbroken(benches: readonly Workbench[]): Promise<Unbroken | null> {
  const files = [...new Set(mutants.flatMap(({ tests }) => tests))].toSorted();
  const secondsByFile = new Map<string, number>();
  let startSeconds = 0;
  const run = async (bench: Workbench, index: number): Promise<boolean> => {
    const share = files.filter((_, at) => at % benches.length === index);
    // Without a name vitest would run everything.
    if (share.length === 0) return true;
    const beganMs = performance.now();
    const outcome = await bench.check(share, unbrokenTimeoutMs);
    if (outcome.kind === "passed") {
      for (const [file, seconds] of outcome.secondsByFile) secondsByFile.set(file, seconds);
      startSeconds = Math.max(startSeconds, secondsSince(beganMs) - sumOf(outcome.secondsByFile.values()));
      return true;
    }
    console.error(`the tests do not pass as they are: ${wordsOf(outcome)}`);
    if (outcome.kind !== "timed out") console.error(outcome.output);
    return false;
  };
  const passed = await Promise.all(benches.map(run));
  if (passed.includes(false)) return null;
  const sum = sumOf(secondsByFile.values()).toFixed(0);
  console.log(
    `unbroken, ${files.length} files of tests pass; they take ${sum} s, a start ${startSeconds.toFixed(0)} s`,
  );
  return { startSeconds, secondsByFile };
}

/** How many mutants the tests notice. */
async function tryMutants(benches: readonly Workbench[], unbroken: Unbroken): Promise<number> {
  let noticed = 0;
  const waiting = mutants.values();
  const work = async (bench: Workbench) => {
    for (const mutant of waiting as Iterable<Mutant>) {
      const beganMs = performance.now();
      const outcome = await bench.try(mutant, timeoutMs);
      const before = unbroken.startSeconds + sumOf(mutant.tests.map((test) => unbroken.secondsByFile.get(test) ?? 0));
      const isNoticed = outcome.kind === "failed" || (outcome.kind === "timed out" && before <= unbrokenSecondsMax);
      if (isNoticed) noticed += 1;
      const taken = secondsSince(beganMs).toFixed(1).padStart(5);
      console.log(
        `${isNoticed ? "noticed " : "SURVIVED"} ${taken} s  ${mutant.file}: ${mutant.why} (${wordsOf(outcome)})`,
      );
      if (outcome.kind === "broke") console.log(outcome.output);
    }
  };
  await Promise.all(benches.map(work));
  return noticed;
}

function secondsSince(beganMs: number): number {
  return (performance.now() - beganMs) / 1_000;
}

function sumOf(numbers: Iterable<number>): number {
  return [...numbers].reduce((sum, number) => sum + number, 0);
}

function wordsOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case "passed":
      return "all tests passed";
    case "failed":
      return `by "${outcome.test}"`;
    case "broke":
      return "no test failed, but they did not run to their end";
    case "timed out":
      return "timed out";
  }
}
