// Reads what vitest and Playwright wrote about their runs: { passed, failures, notRun: [{ name, reason }], flaky, timings }.
import { existsSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

const noReason = "skipped without a reason";
const reasonLength = 300;

/** Of a part that has no tests of its own, such as the checks. */
export function emptyReport(failures = []) {
  return { passed: 0, failures, notRun: [], flaky: [], timings: [] };
}

/** Counts of vitest's JSON report. A file that broke outside its tests is a failure of its own. */
export function readVitestReport(file) {
  if (!existsSync(file)) return emptyReport(["vitest wrote no report"]);
  const report = JSON.parse(readFileSync(file, "utf8"));
  const tests = report.testResults.flatMap((result) => result.assertionResults);
  const broken = report.testResults.filter(
    (result) => result.status === "failed" && !result.assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: tests.filter((test) => test.status === "passed").length,
    failures: [
      ...tests
        .filter((test) => test.status === "failed")
        .map(({ fullName, failureMessages }) => withReason(fullName, failureMessages)),
      ...broken.map((result) => result.name),
    ],
    notRun: tests
      .filter((test) => test.status !== "passed" && test.status !== "failed")
      .map((test) => ({ name: test.fullName, reason: noReason })),
    // A test that passed at last keeps what its first try failed of.
    flaky: tests
      .filter((test) => test.status === "passed" && test.failureMessages.length > 0)
      .map(({ fullName, failureMessages }) => withReason(fullName, failureMessages)),
    timings: tests.map(({ fullName, duration }) => ({ name: fullName, seconds: (duration ?? 0) / 1_000 })),
  };
}

/** Counts of Playwright's JSON report; with `--list` every test is one that was not run. */
export function readPlaywrightReport(file) {
  if (!existsSync(file)) return emptyReport(["playwright wrote no report"]);
  const report = JSON.parse(readFileSync(file, "utf8"));
  const tests = report.suites.flatMap(testsOfSuite);
  return {
    passed: tests.filter((test) => test.status === "expected" || test.status === "flaky").length,
    failures: [
      ...tests.filter((test) => test.status === "unexpected").map(({ name, errors }) => withReason(name, errors)),
      ...report.errors.map((error) => error.message),
    ],
    notRun: tests.filter((test) => test.status === "skipped"),
    flaky: tests.filter((test) => test.status === "flaky").map(({ name, errors }) => withReason(name, errors)),
    timings: tests.map(({ name, seconds }) => ({ name, seconds })),
  };
}

/** The name with the first line of what went wrong first: of a run elsewhere nothing else may have been kept. */
function withReason(name, [first = ""]) {
  const [line = ""] = stripVTControlCharacters(first).trim().split("\n");
  return line === "" ? name : `${name}: ${line.slice(0, reasonLength)}`;
}

function testsOfSuite(suite) {
  const own = suite.specs.flatMap((spec) =>
    spec.tests.map((test) => ({
      name: spec.title,
      status: test.status,
      reason: test.annotations.find((annotation) => annotation.type === "skip")?.description ?? noReason,
      errors: test.results.flatMap((result) => result.errors).map((error) => error.message ?? ""),
      seconds: test.results.reduce((sum, result) => sum + result.duration, 0) / 1_000,
    })),
  );
  return [...own, ...(suite.suites ?? []).flatMap(testsOfSuite)];
}

/** One report of several. */
export function joinedReport(reports) {
  return {
    passed: reports.reduce((sum, report) => sum + report.passed, 0),
    failures: reports.flatMap((report) => report.failures),
    notRun: reports.flatMap((report) => report.notRun),
    flaky: reports.flatMap((report) => report.flaky),
    timings: reports.flatMap((report) => report.timings),
  };
}
