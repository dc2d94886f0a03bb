import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { plotsOf } from "../../bench/plots.ts";
import { type BenchmarkResult, figureTable, readResults, seriesOf, writeResult } from "../../bench/results.ts";

function result(commit: string, measured: number): BenchmarkResult {
  return {
    benchmark: "server",
    date: "2026-11-28",
    commit,
    machine: "2 x test",
    load: "1",
    figures: [{ name: "p99 <of> pushes", unit: "ms", better: "lower", reach: 50, measured }],
    peers: [
      {
        name: "time of a match",
        unit: "us",
        bars: [
          { name: "Fava", value: measured * 10 },
          { name: "bare", value: 100 },
        ],
      },
    ],
  };
}

test("draws a line chart for each figure with two values and bars for the newest run with peers", () => {
  const plots = plotsOf([result("aaa", 60), result("bbb", 40)]);
  expect([...plots.keys()]).toEqual([
    "server-p99-of-pushes.svg",
    "server-time-of-a-match.svg",
    "server-time-of-a-match-peers.svg",
  ]);
  const line = plots.get("server-p99-of-pushes.svg") ?? "";
  expect(line).toContain("p99 &lt;of&gt; pushes, ms (lower is better)");
  expect(line.match(/<circle /g)).toHaveLength(2);
  expect(line).toContain("stroke-dasharray");
  expect(plots.get("server-time-of-a-match-peers.svg")).toContain("commit bbb");
  expect([...plotsOf([result("aaa", 60)]).keys()]).toEqual(["server-time-of-a-match-peers.svg"]);
});

test("lists the newest value of each figure and marks a missed goal", () => {
  expect(figureTable([result("aaa", 40), result("bbb", 60)])).toContain(
    "| server | p99 <of> pushes | **60 ms** | 50 | bbb | 1 |",
  );
});

test("does not count a figure twice that is compared with peers under the same name", () => {
  const [peer] = result("aaa", 1).peers;
  const figures = [{ name: peer!.name, unit: "us", better: "lower" as const, measured: 10 }];
  expect(seriesOf([{ ...result("aaa", 1), figures }])).toHaveLength(1);
});

test("writes a run as a file that sorts by its date and is read back", () => {
  const folder = mkdtempSync(join(tmpdir(), "results-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const machine = { cpu: "test", cores: 2, memoryGiB: 8, node: "v20.20.2", platform: "linux x64" };
  const stamp = { ...machine, date: "2026-11-28T14:03:12.345Z", loadAverage: [0.5, 1, 2], commit: "abc1234+" };
  const report = { title: "Server", columns: [], rows: [], notes: [], goals: [] };
  writeResult("server", { machine: stamp, report }, folder);
  const written = readFileSync(join(folder, "2026-11-28T14-03-12-abc1234-server.json"), "utf8");
  expect(readResults(folder)).toEqual([JSON.parse(written)]);
  expect(readResults(folder)[0]).toMatchObject({
    commit: "abc1234+",
    load: "0.5",
    machine: "2 x test, 8 GiB, Node.js 20.20.2, linux x64",
  });
});

test("reads every result of the repository", () => {
  for (const { benchmark, date, commit, figures } of readResults())
    expect({ benchmark, date, commit, figures: figures.length }).toEqual({
      benchmark: expect.stringMatching(/^[a-z-]+$/),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d/),
      commit: expect.stringMatching(/^(?:[\da-f]{7,}\+?|unknown)$/),
      figures: expect.any(Number),
    });
});
