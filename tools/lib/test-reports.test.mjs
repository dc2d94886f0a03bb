import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readReport } from "./test-reports.mjs";

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

test("vitest: tells failures from retries, each with its reason", () => {
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
  expect(readReport(written({ testResults }))).toEqual([
    { name: "is right", status: "passed", why: "", seconds: 1.5 },
    { name: "wavers", status: "flaky", why: "Error: at first", seconds: 1.5 },
    { name: "is wrong", status: "failed", why: "Error: both times", seconds: 1.5 },
    { name: "waits", status: "skipped", why: "skipped without a reason", seconds: 1.5 },
    { name: "/broken.test.ts", status: "failed", why: "", seconds: 0 },
  ]);
  expect(readReport(join(folder, "none.json"))).toMatchObject([{ status: "failed" }]);
});

test("Playwright: tells failures from retries, each with its reason", () => {
  const result = (...messages) => ({ duration: 1_000, errors: messages.map((message) => ({ message })) });
  const one = (title, status, results) => ({ title, tests: [{ status, annotations: [], results }] });
  const skipped = { status: "skipped", annotations: [{ type: "skip", description: "no camera" }], results: [] };
  const inner = { specs: [one("is wrong", "unexpected", [result("Error: both times"), result("Error: both times")])] };
  const specs = [
    one("is right", "expected", [result()]),
    one("wavers", "flaky", [result("Error: at first\n\n  1 | code"), result()]),
    { title: "waits", tests: [skipped] },
  ];
  expect(
    readReport(written({ suites: [{ specs, suites: [inner] }], errors: [{ message: "no such project" }] })),
  ).toEqual([
    { name: "is right", status: "passed", why: "", seconds: 1 },
    { name: "wavers", status: "flaky", why: "Error: at first", seconds: 2 },
    { name: "waits", status: "skipped", why: "no camera", seconds: 0 },
    { name: "is wrong", status: "failed", why: "Error: both times", seconds: 2 },
    { name: "no such project", status: "failed", why: "", seconds: 0 },
  ]);
});
