// Reads what vitest and Playwright wrote about their runs: { passed, failures: [name], notRun: [{ name, reason }] }.
import { existsSync, readFileSync } from "node:fs";

const noReason = "skipped without a reason";

/** Counts of vitest's JSON report. A file that broke outside its tests is a failure of its own. */
export function readVitestReport(file) {
  if (!existsSync(file)) return { passed: 0, failures: ["vitest wrote no report"], notRun: [] };
  const report = JSON.parse(readFileSync(file, "utf8"));
  const tests = report.testResults.flatMap((result) => result.assertionResults);
  const broken = report.testResults.filter(
    (result) => result.status === "failed" && !result.assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: tests.filter((test) => test.status === "passed").length,
    failures: [
      ...tests.filter((test) => test.status === "failed").map((test) => test.fullName),
      ...broken.map((result) => result.name),
    ],
    notRun: tests
      .filter((test) => test.status !== "passed" && test.status !== "failed")
      .map((test) => ({ name: test.fullName, reason: noReason })),
  };
}

/** Counts of Playwright's JSON report; with `--list` every test is one that was not run. */
export function readPlaywrightReport(file) {
  if (!existsSync(file)) return { passed: 0, failures: ["playwright wrote no report"], notRun: [] };
  const report = JSON.parse(readFileSync(file, "utf8"));
  const tests = report.suites.flatMap(testsOfSuite);
  return {
    passed: tests.filter((test) => test.status === "expected" || test.status === "flaky").length,
    failures: [
      ...tests.filter((test) => test.status === "unexpected").map((test) => test.name),
      ...report.errors.map((error) => error.message),
    ],
    notRun: tests.filter((test) => test.status === "skipped"),
  };
}

function testsOfSuite(suite) {
  const own = suite.specs.flatMap((spec) =>
    spec.tests.map((test) => ({
      name: spec.title,
      status: test.status,
      reason: test.annotations.find((annotation) => annotation.type === "skip")?.description ?? noReason,
    })),
  );
  return [...own, ...(suite.suites ?? []).flatMap(testsOfSuite)];
}
