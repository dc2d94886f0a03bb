import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readPlaywrightReport, readVitestReport } from "./test-reports.mjs";

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reports-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function written(report) {
  const file = join(folder, "report.json");
  writeFileSync(file, JSON.stringify(report));
  return file;
}

test("vitest: what failed and what needed a second try are told apart, each with why", () => {
  const one = (fullName, status, failureMessages = []) => ({ fullName, status, failureMessages, duration: 1_500 });
  const assertionResults = [
    one("is right", "passed"),
    one("wavers", "passed", ["\u001b[31mError\u001b[39m: at first\n    at somewhere"]),
    one("is wrong", "failed", ["Error: both times", "Error: both times"]),
    one("waits", "skipped"),
  ];
  const testResults = [
    { name: "/one.test.ts", status: "failed", assertionResults },
    { name: "/broken.test.ts", status: "failed", assertionResults: [] },
  ];
  expect(readVitestReport(written({ testResults }))).toEqual({
    passed: 2,
    failures: ["is wrong: Error: both times", "/broken.test.ts"],
    notRun: [{ name: "waits", reason: "skipped without a reason" }],
    flaky: ["wavers: Error: at first"],
    timings: assertionResults.map(({ fullName }) => ({ name: fullName, seconds: 1.5 })),
  });
  expect(readVitestReport(join(folder, "none.json")).failures).toEqual(["vitest wrote no report"]);
});

test("Playwright: what failed and what needed a second try are told apart, each with why", () => {
  const result = (...messages) => ({ duration: 1_000, errors: messages.map((message) => ({ message })) });
  const one = (title, status, results) => ({ title, tests: [{ status, annotations: [], results }] });
  const skipped = { status: "skipped", annotations: [{ type: "skip", description: "no camera" }], results: [] };
  const inner = { specs: [one("is wrong", "unexpected", [result("Error: both times"), result("Error: both times")])] };
  const specs = [
    one("is right", "expected", [result()]),
    one("wavers", "flaky", [result("Error: at first\n\n  1 | code"), result()]),
    { title: "waits", tests: [skipped] },
  ];
  const report = readPlaywrightReport(
    written({ suites: [{ specs, suites: [inner] }], errors: [{ message: "no such project" }] }),
  );
  expect(report).toMatchObject({
    passed: 2,
    failures: ["is wrong: Error: both times", "no such project"],
    flaky: ["wavers: Error: at first"],
    notRun: [{ name: "waits", reason: "no camera" }],
  });
  expect(report.timings.map(({ seconds }) => seconds)).toEqual([1, 2, 0, 2]);
});
