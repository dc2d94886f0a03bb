import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runLanes, whatFailed } from "./run-lanes.mjs";

test("runs each lane and those that are added while others wait, and tells how each ended", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fava-lanes-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lane = (name, status) => ({
    name,
    program: process.execPath,
    arguments: ["-e", `process.exit(${status})`],
    log: join(folder, `${name}.log`),
  });
  const lanes = [lane("first", 0), lane("second", 3)];
  const running = runLanes(lanes, { sideBySide: 1, cwd: folder, abort: new AbortController().signal });
  lanes.push(lane("added", 4));
  expect([...(await running)]).toEqual([
    ["first", 0],
    ["second", 3],
    ["added", 4],
  ]);
});

test("shows the log of a failed lane from its first failure", () => {
  const vitest = " ✓ server a.test.ts\n\n⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  b\n";
  expect(whatFailed(vitest)).toBe("⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  b\n");
  expect(whatFailed("  ✓  1 [pages] › a\n\n  1) [pages] › b\n    Error")).toBe("  1) [pages] › b\n    Error");
  expect(whatFailed("error TS2322: no")).toBe("error TS2322: no");
});
