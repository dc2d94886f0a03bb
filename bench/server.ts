import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { LoadFigures } from "./load-crowd.ts";
import type { LoadOrder, LoadReport } from "./load.ts";
import { cpuUse, residentBytes } from "./process-tree.ts";
import { percentile } from "./percentile.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";
import { serveProduct, stopChild } from "./served-product.ts";

const matchesPerSecond = 200;
const orderTimeoutMs = 180_000;
const sizes = { people: 1_000, rateSeconds: 20, warmUpSeconds: 4, saturatedSeconds: 15 };
const quickSizes = { people: 400, rateSeconds: 4, warmUpSeconds: 2, saturatedSeconds: 4 };

interface CpuShare {
  serverMs: number;
  databaseMs: number;
  loadMs: number;
}

/** The real server with its database, loaded by a process of simulated people over loopback. */
export function benchServer({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  return benchSize(isQuick ? quickSizes : sizes);
}

async function benchSize({
  people,
  rateSeconds,
  warmUpSeconds,
  saturatedSeconds,
}: typeof sizes): Promise<BenchmarkReport> {
  await using product = await serveProduct({
    program: serverProgram(),
    environment: { RATE_LIMIT_FACTOR: "1000000", LOG_LEVEL: "warn" },
  });
  await using load = startLoad();
  await load.obey({ type: "sign-in", url: product.url, people });
  const bytesBefore = residentBytes(product.pid);
  await load.obey({ type: "connect" });
  const bytesAfter = residentBytes(product.pid);
  // The first matches compile the code; what comes after them is measured.
  await load.obey({ type: "rate", perSecond: matchesPerSecond, seconds: 2 });
  const rate = await measured(product.pid, load, { type: "rate", perSecond: matchesPerSecond, seconds: rateSeconds });
  const full = await measured(product.pid, load, { type: "saturate", warmUpSeconds, seconds: saturatedSeconds });
  await load.obey({ type: "stop" });
  const perSocketKb =
    bytesBefore === null || bytesAfter === null ? Number.NaN : (bytesAfter - bytesBefore) / people / 1_000;
  return report({ rate, full, people, perSocketKb });
}

interface Measured {
  figures: LoadFigures;
  cpu: CpuShare;
}

function report(all: { rate: Measured; full: Measured; people: number; perSocketKb: number }): BenchmarkReport {
  const { rate, full, people } = all;
  const latency = rate.figures.matchedMs;
  const [p50, p99] = [percentile(latency, 50), percentile(latency, 99)];
  const fullPerSecond = full.figures.fullMatches / full.figures.seconds;
  const failures = Object.entries({ ...rate.figures.failures, ...full.figures.failures });
  return {
    title: `Server: ${people} people on sockets, signed calls, database on, one server process`,
    columns: ["load", "full matches/s", "push p50 ms", "push p95 ms", "push p99 ms", ...cpuColumns],
    rows: [
      [
        `${matchesPerSecond} presses/s, partner waiting`,
        rate.figures.fullMatches / rate.figures.seconds,
        p50,
        percentile(latency, 95),
        p99,
        ...cpuCells(rate),
      ],
      ["saturated", fullPerSecond, "", "", "", ...cpuCells(full)],
    ],
    goals: [
      { name: "press to match push, p50", unit: "ms", better: "lower", reach: 5, measured: p50 },
      { name: "press to match push, p99", unit: "ms", better: "lower", reach: 50, measured: p99 },
      { name: "full matches, saturated", unit: "/s", better: "higher", reach: 1_000, measured: fullPerSecond },
    ],
    notes: [
      "a full match: 2 start with a 2.3 KB offer, 2 pushes, 2 join, answer, 4 candidate batches, 2 playing, 10 lines, all acknowledged, leave by next",
      `press to push counts from the moment set beforehand; the load itself pressed late by p99 ${percentile(rate.figures.pressedLateMs, 99).toFixed(1)} ms`,
      `pushes missing at the fixed rate: ${rate.figures.pressedLateMs.length - latency.length} of ${rate.figures.pressedLateMs.length}`,
      `resident memory per connected person that does nothing: about ${all.perSocketKb.toFixed(1)} kB`,
      `failures: ${failures.map(([what, count]) => `${count} x ${what}`).join("; ") || "none"}`,
    ],
  };
}

const cpuColumns = ["server CPU us/match", "server cores", "database cores", "load cores"];

function cpuCells({ figures, cpu }: Measured): number[] {
  const cores = (ms: number) => ms / (figures.seconds * 1_000);
  return [(cpu.serverMs * 1_000) / figures.fullMatches, cores(cpu.serverMs), cores(cpu.databaseMs), cores(cpu.loadMs)];
}

/** Runs a phase, and counts the processor time of the server, its database and the load while it is measured. */
async function measured(serverPid: number, load: Load, order: LoadOrder): Promise<Measured> {
  let before = usedBy(serverPid, load.pid);
  const figures = await load.obey(order, () => (before = usedBy(serverPid, load.pid)));
  const after = usedBy(serverPid, load.pid);
  if (!figures) throw new Error("the load measured nothing");
  return {
    figures,
    cpu: {
      serverMs: after.serverMs - before.serverMs,
      databaseMs: after.databaseMs - before.databaseMs,
      loadMs: after.loadMs - before.loadMs,
    },
  };
}

function usedBy(serverPid: number, loadPid: number): CpuShare {
  const server = cpuUse(serverPid);
  const load = cpuUse(loadPid);
  return {
    serverMs: server?.ownMs ?? Number.NaN,
    databaseMs: server?.childrenMs ?? Number.NaN,
    loadMs: load?.ownMs ?? Number.NaN,
  };
}

interface Load extends AsyncDisposable {
  readonly pid: number;
  /** Resolves with what was measured. */
  obey(order: LoadOrder, began?: () => void): Promise<LoadFigures | null>;
}

function startLoad(): Load {
  const child = fork(fileURLToPath(new URL("load.ts", import.meta.url)), { execArgv: ["--import", "tsx"] });
  return {
    pid: child.pid ?? 0,
    obey: (order, began) => orderDone(child, order, began),
    [Symbol.asyncDispose]: () => stopChild(child),
  };
}

function orderDone(child: ChildProcess, order: LoadOrder, began?: () => void): Promise<LoadFigures | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(new Error(`the load took too long to ${order.type}`)), orderTimeoutMs);
    const onMessage = (said: LoadReport) => {
      if (said.type === "began") return began?.();
      end(null, said.figures);
    };
    const onExit = () => end(new Error("the load process ended"));
    function end(error: Error | null, figures: LoadFigures | null = null): void {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit);
      if (error) reject(error);
      else resolve(figures);
    }
    child.on("message", onMessage).on("exit", onExit);
    child.send(order);
  });
}

/** With BENCH_PROFILE_DIR set, the server leaves a profile of its processor time there. */
function serverProgram(): string[] {
  const directory = process.env["BENCH_PROFILE_DIR"];
  const profile = directory ? ["--cpu-prof", `--cpu-prof-dir=${directory}`] : [];
  return [...profile, "--import", "tsx", "server/src/main.ts"];
}
