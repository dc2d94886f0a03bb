// Reads the JSON reports of vitest and Playwright as one list of tests: { name, status, why, seconds }. `status` is
// "passed", "flaky" (passed on its second try), "failed" or "skipped"; `why` is the failure, or the reason for
// skipping.
import { existsSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

const noReason = "skipped without a reason";
const reasonLength = 300;
const statuses = { expected: "passed", unexpected: "failed", pending: "skipped", todo: "skipped" };

/** The tests of a report; a missing report is a failure. */
export function readReport(file) {
  if (!existsSync(file)) return [outcome(`${file} was not written`, "failed")];
  const report = JSON.parse(readFileSync(file, "utf8"));
  return report.testResults ? report.testResults.flatMap(vitestFile) : playwrightReport(report);
}

/** One entry of that list. `errors`: messages of its failures, of which the first counts. */
export function outcome(name, status, { errors = [], reason = noReason, seconds = 0 } = {}) {
  const [line] = stripVTControlCharacters(errors[0] ?? "")
    .trim()
    .split("\n");
  return { name, status, why: status === "skipped" ? reason : line.slice(0, reasonLength), seconds };
}

/** A file that failed outside its tests is an additional failure. */
function vitestFile({ name: file, status: ofFile, assertionResults }) {
  const tests = assertionResults.map(({ fullName, status, failureMessages: errors, duration = 0 }) => {
    // A test that passed on a later try keeps the failure of its first.
    const isFlaky = status === "passed" && errors.length > 0;
    return outcome(fullName, isFlaky ? "flaky" : (statuses[status] ?? status), { errors, seconds: duration / 1_000 });
  });
  const isBroken = ofFile === "failed" && tests.every(({ status }) => status !== "failed");
  return isBroken ? [...tests, outcome(file, "failed")] : tests;
}

function playwrightReport({ suites, errors }) {
  return [...suites.flatMap(playwrightSuite), ...errors.map(({ message }) => outcome(message, "failed"))];
}

function playwrightSuite({ specs, suites = [] }) {
  const tests = specs.flatMap(({ title, tests }) =>
    tests.map(({ status, annotations, results }) =>
      outcome(title, statuses[status] ?? status, {
        errors: results.flatMap((result) => result.errors).map((error) => error.message ?? ""),
        reason: annotations.find(({ type }) => type === "skip")?.description,
        seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1_000,
      }),
    ),
  );
  return [...tests, ...suites.flatMap(playwrightSuite)];
}
