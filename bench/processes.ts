import { loadavg } from "node:os";
import { DisposalStack } from "@fava/server/lib/disposal-stack.ts";
import { siteIsInstalled } from "@fava/server/test/fixtures/site-processes.ts";
import { prepare } from "../tools/lib/bootstrap.mjs";
import { untilSignal } from "../tools/lib/until-signal.ts";
import { type BenchSite, startBenchSite } from "./bench-site.ts";
import type { LoadFigures } from "./load-crowd.ts";
import { type Load, startLoad } from "./load-process.ts";
import type { LoadOrder } from "./load.ts";
import type { MatchChecks } from "./match-check.ts";
import { percentile } from "./percentile.ts";
import { cpuUse, waitedMs } from "./process-tree.ts";
import { type BenchmarkOptions, type BenchmarkReport, type Goal, StoppedError } from "./report.ts";
import { type Failure, measureTakeovers, type Takeovers } from "./takeovers.ts";

const sizes = {
  people: 1_200,
  /** A fraction of what one server can handle, and low enough that a call ends before its people press again. */
  pressesPerSecond: 100,
  rounds: 5,
  pacedSeconds: 8,
  warmUpSeconds: 2,
  saturatedSeconds: 8,
  kills: 10,
  hangs: 5,
};
const quickSizes = {
  people: 120,
  pressesPerSecond: 10,
  rounds: 2,
  pacedSeconds: 2,
  warmUpSeconds: 1,
  saturatedSeconds: 3,
  kills: 3,
  hangs: 2,
};
type Sizes = typeof sizes;
/** For each server, since each compiles its own code. */
const firstSecondsEach = 3;
/** The run stops at this limit, even on a busy machine. */
const runWithinMs = 3_600_000;

/**
 * Runs 1, 2 and 4 complete servers with one Redis and PostgreSQL, and one server without Redis, in turns: the cost of a
 * full match, and how soon people meet again when the server with the matcher fails. People connect to the servers
 * directly, without a proxy. Ctrl-C ends everything.
 */
export async function benchProcesses({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  if (!siteIsInstalled)
    throw new Error("Several servers need Redis, HAProxy and setpriv (Debian: redis-server haproxy util-linux).");
  if (!prepare()) throw new Error("The checkout cannot run.");
  const asked = new AbortController();
  void untilSignal().then(() => asked.abort(new StoppedError("Stopped; everything that was started has ended.")));
  const stopped = AbortSignal.any([asked.signal, AbortSignal.timeout(runWithinMs)]);
  const size = isQuick ? quickSizes : sizes;
  const missing: string[] = [];
  const attempt = async <Result>(what: string, work: () => Promise<Result>): Promise<Result | null> => {
    stopped.throwIfAborted();
    tell(what);
    try {
      return await work();
    } catch (error) {
      stopped.throwIfAborted();
      missing.push(`${what}: ${String(error)}`);
      return null;
    }
  };
  const matches = await attempt("matches", () => measureMatches(size, stopped));
  if (matches?.endedBy) missing.push(`rounds of matches after ${matches.rounds}: ${matches.endedBy}`);
  const killed = await attempt("kill -9", () => measureFailures("is killed", { times: size.kills, stopped }));
  const hung = await attempt("a hang", () => measureFailures("hangs", { times: size.hangs, stopped }));
  return report({ size, matches, killed, hung, missing });
}

/** Prints progress, since the run takes a quarter of an hour. */
function tell(what: string): void {
  console.error(`${new Date().toISOString()} ${what}, load average ${loadavg()[0]!.toFixed(1)}`);
}

/** Of one phase; processor time in microseconds per full match. */
interface Measured {
  readonly figures: LoadFigures;
  readonly us: { readonly servers: number; readonly database: number; readonly redis: number; readonly load: number };
  /** Average share of the time in which a server was ready to run while other work had the cores. */
  readonly waited: number;
}

interface Kind {
  readonly name: string;
  readonly servers: number;
  /** Without Redis; several such servers are separate sites, each with a database. */
  readonly isAlone: boolean;
  /** All people connect to the first server; the others have no users. */
  readonly isOpen?: boolean;
}

const kinds = [
  { name: "1 without Redis", servers: 1, isAlone: true },
  { name: "1", servers: 1, isAlone: false },
  { name: "2", servers: 2, isAlone: false },
  { name: "4", servers: 4, isAlone: false },
  { name: "4, people at one", servers: 4, isAlone: false, isOpen: true },
  // The cost of four processes on these cores that do not communicate.
  { name: "4 sites of 1 without Redis", servers: 4, isAlone: true },
] as const satisfies readonly Kind[];

/** A site, or several independent ones, and the people who use it. */
class LoadedSite {
  readonly name: string;
  readonly saturated: Measured[] = [];
  readonly paced: Measured[] = [];
  /** Of all matches so far. */
  checks: MatchChecks = { matches: 0, acrossServers: 0, faults: {} };
  readonly #benches: readonly BenchSite[];
  readonly #load: Load;
  readonly #stopped: AbortSignal;

  private constructor(name: string, parts: { benches: readonly BenchSite[]; load: Load; stopped: AbortSignal }) {
    this.name = name;
    this.#benches = parts.benches;
    this.#load = parts.load;
    this.#stopped = parts.stopped;
  }

  /** Starts the site and its people, which end with `stack`, and lets its code compile. */
  static async start(
    { name, servers, isAlone, isOpen = false }: Kind,
    { people, stopped }: { people: number; stopped: AbortSignal },
    stack: DisposalStack,
  ): Promise<LoadedSite> {
    stopped.throwIfAborted();
    const benches: BenchSite[] = [];
    const count = isAlone ? 1 : servers;
    for (let begun = 0; begun < servers; begun += count) benches.push(await startBenchSite({ count, isAlone }, stack));
    const load = stack.use(startLoad(people));
    const loaded = new LoadedSite(name, { benches, load, stopped });
    const urls = loaded.#servers.map(({ url }) => url);
    const entered = isOpen ? urls.slice(0, 1) : urls;
    await loaded.#obey({ type: "sign-in", urls: entered, people, kind: "product" });
    await loaded.#obey({ type: "connect" });
    await loaded.#measured({ type: "saturate", warmUpSeconds: 0, seconds: firstSecondsEach * servers });
    return loaded;
  }

  get #servers() {
    return this.#benches.flatMap(({ site }) => site.servers);
  }

  async measure(size: Sizes): Promise<void> {
    this.paced.push(
      await this.#measured({ type: "rate", perSecond: size.pressesPerSecond, seconds: size.pacedSeconds }),
    );
    const { warmUpSeconds, saturatedSeconds: seconds } = size;
    this.saturated.push(await this.#measured({ type: "saturate", warmUpSeconds, seconds }));
  }

  /** Drops the rounds after the first `count`. */
  keepRounds(count: number): void {
    this.paced.splice(count);
    this.saturated.splice(count);
  }

  #obey(order: LoadOrder, began?: () => void): Promise<LoadFigures | null> {
    return unlessStopped(this.#load.obey(order, began), this.#stopped);
  }

  async #measured(order: LoadOrder): Promise<Measured> {
    let before = this.#used();
    const figures = await this.#obey(order, () => (before = this.#used()));
    const after = this.#used();
    const end = await this.#obey({ type: "stop" });
    if (!figures || !end?.checks) throw new Error("the load returned no figures");
    if (after.pids !== before.pids)
      throw new Error(`one of ${this.name} servers ended during the measurement, since the others considered it dead`);
    this.checks = end.checks;
    const each = (part: "servers" | "database" | "redis" | "load") =>
      ((after[part] - before[part]) * 1_000) / figures.fullMatches;
    return {
      figures,
      us: { servers: each("servers"), database: each("database"), redis: each("redis"), load: each("load") },
      waited: (after.waited - before.waited) / (figures.tookSeconds * 1_000 * this.#servers.length),
    };
  }

  /** Processor time so far in milliseconds. */
  #used() {
    const pids = this.#servers.map(({ pid }) => pid);
    const databases = this.#benches.map(({ databasePid }) => cpuUse(databasePid));
    return {
      pids: pids.join(),
      servers: sum(pids.map((pid) => cpuUse(pid)?.ownMs ?? Number.NaN)),
      waited: sum(pids.map((pid) => waitedMs(pid) ?? Number.NaN)),
      database: sum(databases.map((use) => (use ? use.ownMs + use.childrenMs : Number.NaN))),
      redis: sum(this.#benches.map(({ site }) => cpuUse(site.redis.pid)?.ownMs ?? Number.NaN)),
      load: cpuUse(this.#load.pid)?.ownMs ?? Number.NaN,
    };
  }
}

interface Matches {
  readonly sites: readonly LoadedSite[];
  readonly loads: readonly number[];
  /** Complete rounds. */
  readonly rounds: number;
  /** The error of the round after them; null if all wanted rounds are complete. */
  readonly endedBy: string | null;
}

async function measureMatches(size: Sizes, stopped: AbortSignal): Promise<Matches> {
  await using stack = new DisposalStack();
  const sites: LoadedSite[] = [];
  for (const kind of kinds) {
    tell(`servers: ${kind.name}`);
    sites.push(await LoadedSite.start(kind, { people: size.people, stopped }, stack));
  }
  const loads: number[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    tell(`round ${round + 1} of ${size.rounds}`);
    try {
      // The order rotates, because other work of the machine changes meanwhile.
      for (let turn = 0; turn < sites.length; turn += 1) {
        await sites[(round + turn) % sites.length]!.measure(size);
        loads.push(loadavg()[0]!);
      }
    } catch (error) {
      stopped.throwIfAborted();
      if (round === 0) throw error;
      for (const site of sites) site.keepRounds(round);
      return { sites, loads, rounds: round, endedBy: String(error) };
    }
  }
  return { sites, loads, rounds: size.rounds, endedBy: null };
}

async function measureFailures(failure: Failure, asked: { times: number; stopped: AbortSignal }): Promise<Takeovers> {
  await using stack = new DisposalStack();
  const { site } = await startBenchSite({ count: 2 }, stack);
  return await measureTakeovers(site, { failure, ...asked });
}

function unlessStopped<Result>(work: Promise<Result>, stopped: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(stopped.reason as Error);
    if (stopped.aborted) stop();
    stopped.addEventListener("abort", stop);
    work.then(resolve, reject).finally(() => stopped.removeEventListener("abort", stop));
  });
}

interface Results {
  readonly size: Sizes;
  readonly matches: Matches | null;
  readonly killed: Takeovers | null;
  readonly hung: Takeovers | null;
  /** What could not be measured, and why. */
  readonly missing: readonly string[];
}

function report({ size, matches, killed, hung, missing }: Results): BenchmarkReport {
  const sites = matches?.sites ?? [];
  const [alone] = sites;
  const checks = [...sites, killed, hung].flatMap((one) => (one ? [one.checks] : []));
  return {
    title: `Several servers: ${size.people} people on sockets spread over the servers, one Redis and PostgreSQL; ${matches?.rounds ?? 0} rounds by turns`,
    columns: ["servers, load", "times 1 without Redis", "servers us/match", "least to most", ...columnsAfter],
    rows: sites.flatMap((site) => [
      [...row(`${site.name}, saturated`, site.saturated, alone!.saturated), crossing(site.checks)],
      [...row(`${site.name}, ${size.pressesPerSecond} presses/s`, site.paced, alone!.paced), ""],
    ]),
    goals: [
      goal("4 servers, saturated, times 1 without Redis", "x", {
        reach: 1.3,
        measured: ratio(sites[3]?.saturated ?? [], alone?.saturated ?? []),
      }),
      goal("next pair after kill -9 of the server with the matcher, p50", "ms", {
        reach: 250,
        measured: percentile(killed?.tookMs ?? [], 50),
      }),
      goal("next pair after the server with the matcher hangs, p50", "ms", {
        reach: 4_000,
        measured: percentile(hung?.tookMs ?? [], 50),
      }),
      goal("faulty matches", "", { reach: 0, measured: faultCount(checks) }),
    ],
    notes: [
      ...matchNotes(matches),
      `matches checked: ${sum(checks.map((each) => each.matches))}, ${sum(checks.map(({ acrossServers }) => acrossServers))} of them between servers; ${faultsOf(checks)}`,
      `next pair after kill -9, ms: ${spread(killed)}; after it hangs: ${spread(hung)}`,
      ...missing.map((what) => `NOT MEASURED: ${what}`),
      "not measured here: a proxy, servers on separate machines, many people while the matcher fails",
    ],
  };
}

function matchNotes(matches: Matches | null): string[] {
  if (!matches) return [];
  const { sites, loads } = matches;
  const figures = sites.flatMap(({ paced, saturated }) => [...paced, ...saturated]).map((phase) => phase.figures);
  const counts = new Map<string, number>();
  for (const [what, count] of figures.flatMap((each) => Object.entries(each.failures)))
    counts.set(what, (counts.get(what) ?? 0) + count);
  const paced = figures.filter(({ pressedLateMs }) => pressedLateMs.length > 0);
  const unmet = sum(paced.map(({ pressedLateMs, matchedMs }) => pressedLateMs.length - matchedMs.length));
  return [
    `4 servers times 1 with Redis, saturated: ${ratio(sites[3]!.saturated, sites[1]!.saturated).toFixed(2)}; a ratio is of one round, and the median of all rounds counts`,
    "the load spreads its people over the servers, without a proxy; load, PostgreSQL and Redis share the cores with the servers",
    `at the fixed rate ${unmet} of ${sum(paced.map(({ pressedLateMs }) => pressedLateMs.length))} pairs did not get their match push in time`,
    `load average while measured ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`,
    `failures: ${[...counts].map(([what, count]) => `${count} x ${what}`).join("; ") || "none"}`,
  ];
}

const columnsAfter = [
  "PostgreSQL us",
  "Redis us",
  "load us",
  "matches/s",
  "p50 ms",
  "p99 ms",
  "servers kept waiting for a core",
  "pairs between servers",
];

/** Share of the site's matches whose two people are at different servers. */
function crossing({ matches, acrossServers }: MatchChecks): string {
  return `${((acrossServers / matches) * 100).toFixed(1)} %`;
}

function row(name: string, phases: readonly Measured[], alone: readonly Measured[]): (string | number)[] {
  const us = phases.map((phase) => phase.us.servers);
  const waited = phases.map((phase) => phase.waited * 100);
  return [
    name,
    ratio(phases, alone),
    medianOf(phases, (phase) => phase.us.servers),
    `${Math.round(Math.min(...us))} to ${Math.round(Math.max(...us))}`,
    ...(["database", "redis", "load"] as const).map((part) => medianOf(phases, (phase) => phase.us[part])),
    medianOf(phases, ({ figures }) => figures.fullMatches / figures.seconds),
    ...(phases.every(({ figures }) => figures.matchedMs.length > 0)
      ? [50, 99].map((part) => medianOf(phases, ({ figures }) => percentile(figures.matchedMs, part)))
      : ["", ""]),
    `${Math.round(Math.min(...waited))} to ${Math.round(Math.max(...waited))} %`,
  ];
}

/** The median ratio of the servers' processor time, round by round. */
function ratio(phases: readonly Measured[], others: readonly Measured[]): number {
  return medianOf(phases, ({ us }, round) => us.servers / others[round]!.us.servers);
}

function medianOf(phases: readonly Measured[], pick: (phase: Measured, round: number) => number): number {
  return percentile(phases.map(pick), 50);
}

function goal(name: string, unit: string, { reach, measured }: { reach: number; measured: number }): Goal {
  return { name, unit, better: "lower", reach, measured };
}

function faultCount(checks: readonly MatchChecks[]): number {
  return checks.length === 0 ? Number.NaN : sum(checks.flatMap(({ faults }) => Object.values(faults)));
}

function faultsOf(checks: readonly MatchChecks[]): string {
  const names = [...new Set(checks.flatMap(({ faults }) => Object.keys(faults)))];
  return names.map((name) => `${sum(checks.map(({ faults }) => faults[name] ?? 0))} ${name}`).join(", ");
}

function spread(takeovers: Takeovers | null): string {
  if (!takeovers) return "not measured";
  const { tookMs, failures } = takeovers;
  const [least, p50, most] = [0, 50, 100].map((part) => Math.round(percentile(tookMs, part)));
  return [`p50 ${p50}, ${least} to ${most}, of ${tookMs.length}`, ...failures].join("; ");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
