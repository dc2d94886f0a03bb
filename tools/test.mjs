// `npm test`: everything there is to check, from a fresh clone, in one command. `--unit` leaves the browsers out.
// With CI=true a test that was not run is a failure.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { npm, prepare, root } from "./lib/bootstrap.mjs";
import { systemPrograms } from "./lib/system-programs.mjs";
import { readPlaywrightReport, readVitestReport } from "./lib/test-reports.mjs";

const reports = join(root, ".cache/test");
const withBrowsers = !process.argv.includes("--unit");

mkdirSync(reports, { recursive: true });
const results = prepare() ? [runChecks(), runVitest(), ...runBrowsers()] : [failure("preparing the checkout")];
summarise(results);

function failure(name) {
  return { passed: 0, failures: [name], notRun: [] };
}

function runChecks() {
  return npm("run", "check").status === 0 ? { passed: 0, failures: [], notRun: [] } : failure("npm run check");
}

function runVitest() {
  const file = join(reports, "vitest.json");
  rmSync(file, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const { status } = runTool("node_modules/vitest/vitest.mjs", ["run", ...reporters]);
  return withExitCode("vitest", status, readVitestReport(file));
}

/** Calls one at a time, since their videos fill the processor; pages two at a time. */
function runBrowsers() {
  const chromium = withBrowsers ? systemPrograms().chromium : null;
  return [runPlaywright(chromium, "calls", 1), runPlaywright(chromium, "pages", 2)];
}

function runPlaywright(chromium, project, workers) {
  const file = join(reports, `playwright-${project}.json`);
  rmSync(file, { force: true });
  const environment = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(chromium && { CHROMIUM_PATH: chromium }) };
  const list = chromium ? ["--reporter=list,json"] : ["--reporter=json", "--list"];
  const { status } = runTool(
    "node_modules/@playwright/test/cli.js",
    ["test", `--project=${project}`, `--workers=${workers}`, `--output=test-results/${project}`, ...list],
    environment,
  );
  const result = readPlaywrightReport(file);
  if (chromium) return withExitCode(`playwright ${project}`, status, result);
  const reason = withBrowsers ? "no Chromium" : "--unit";
  return { ...result, notRun: result.notRun.map(({ name }) => ({ name, reason })) };
}

/** A tool that failed without a failed test, such as by an unhandled error, has failed all the same. */
function withExitCode(name, status, result) {
  if (status === 0 || result.failures.length > 0) return result;
  return { ...result, failures: [`${name} ended with ${status ?? "a signal"}`] };
}

function runTool(program, toolArguments, environment = {}) {
  const env = { ...process.env, ...environment };
  const stdio = ["ignore", "inherit", "inherit"];
  return spawnSync(process.execPath, [program, ...toolArguments], { cwd: root, env, stdio });
}

/** The last line is for machines: `N passed, N failed`, and `, N skipped` where something was. */
function summarise(parts) {
  const passed = parts.reduce((sum, part) => sum + part.passed, 0);
  const failures = parts.flatMap((part) => part.failures);
  const notRun = parts.flatMap((part) => part.notRun);
  console.log("");
  for (const name of failures) console.log(`Failed: ${name}`);
  for (const reason of new Set(notRun.map((test) => test.reason))) {
    const names = notRun.filter((test) => test.reason === reason).map((test) => test.name);
    console.log(`Not run (${reason}): ${names.join("; ")}`);
  }
  const strict = process.env.CI === "true";
  const failed = failures.length + (strict ? notRun.length : 0);
  const skipped = strict || notRun.length === 0 ? "" : `, ${notRun.length} skipped`;
  console.log(`${passed} passed, ${failed} failed${skipped}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
