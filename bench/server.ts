import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { DisposalStack } from "@fava/server/lib/disposal-stack.ts";
import { heldBytes, memoryProbe } from "./held-bytes.ts";
import type { LoadFigures } from "./load-crowd.ts";
import { type Load, startLoad } from "./load-process.ts";
import type { LoadOrder, ServerKind } from "./load.ts";
import { percentile } from "./percentile.ts";
import { cpuUse, waitedMs } from "./process-tree.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";
import { compiledServer, earlierTree, serveProduct, type ServeOptions } from "./served-product.ts";

const sizes = { people: 1_200, barePeople: 2_400, rounds: 5, pacedSeconds: 8, warmUpSeconds: 2, saturatedSeconds: 8 };
const quickSizes = { people: 400, barePeople: 800, rounds: 2, pacedSeconds: 3, warmUpSeconds: 2, saturatedSeconds: 4 };
type Sizes = typeof sizes;
/** A fraction of what the server can handle, so that each press finds it idle. */
const pressesPerSecond = 100;

/**
 * The real server with its database, and bare servers with our matcher on `ws` and on socket.io, loaded in turns by
 * people over loopback. With `BENCH_BEFORE` set to a commit, a tag or another working tree, the server of that tree
 * takes its turn, too.
 */
export function benchServer({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  return benchSize(isQuick ? quickSizes : sizes);
}

async function benchSize(size: Sizes): Promise<BenchmarkReport> {
  const before = process.env["BENCH_BEFORE"];
  await using stack = new DisposalStack();
  const contenders: Contender[] = [];
  const add = async (name: string, kind: ServerKind, options: ServeOptions) => {
    const people = kind === "product" ? size.people : size.barePeople;
    contenders.push(await Contender.start({ name, options, people, kind }, stack));
  };
  const environment = { RATE_LIMIT_FACTOR: "1000000" };
  const program = ["--import", "tsx", bareServer];
  await add(productName, "product", { environment });
  if (before !== undefined) await add("before", "product", { directory: earlierTree(before), environment });
  await add(bareName, "bare", { program });
  await add(cloneName, "bare socket.io", { program, environment: { BENCH_SOCKET_IO: "1" } });
  // The code is compiled during the first matches, which are not measured.
  for (const contender of contenders) await contender.saturate({ ...size, saturatedSeconds: 3 });
  const loads: number[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    // The order rotates, because other work of the machine changes meanwhile.
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const contender = contenders[(round + turn) % contenders.length]!;
      contender.paced.push(await contender.pace(size));
      contender.saturated.push(await contender.saturate(size));
      loads.push(loadavg()[0]!);
    }
  }
  return report(contenders, { size, loads });
}

const bareServer = fileURLToPath(new URL("bare-server.ts", import.meta.url));
const productName = "Fava";
const bareName = "bare ws with our matcher";
const cloneName = "socket.io with our matcher";

/** Of one phase; processor time in microseconds per full match. */
interface Measured {
  readonly figures: LoadFigures;
  readonly serverUs: number;
  readonly databaseUs: number;
  readonly loadUs: number;
  /** Share of the time in which the server was ready to run while other work had the cores. */
  readonly waited: number;
  readonly cores: { readonly server: number; readonly database: number; readonly load: number };
}

class Contender {
  readonly name: string;
  readonly paced: Measured[] = [];
  readonly saturated: Measured[] = [];
  readonly perSocketKb: number;
  readonly #pid: number;
  readonly #load: Load;

  private constructor(parts: { name: string; pid: number; load: Load; perSocketKb: number }) {
    this.name = parts.name;
    this.#pid = parts.pid;
    this.#load = parts.load;
    this.perSocketKb = parts.perSocketKb;
  }

  /** Starts a server and its people, which end with `stack`. */
  static async start(
    asked: { name: string; options: ServeOptions; people: number; kind: ServerKind },
    stack: DisposalStack,
  ): Promise<Contender> {
    const { name, options, people, kind } = asked;
    const program = ["--import", memoryProbe, ...(options.program ?? compiledServer(options.directory))];
    const { pid, url } = stack.use(await serveProduct({ ...options, program }));
    const load = stack.use(startLoad(people));
    await load.obey({ type: "sign-in", urls: [url], people, kind });
    const bytesBefore = await heldBytes(pid);
    await load.obey({ type: "connect" });
    const perSocketKb = ((await heldBytes(pid)) - bytesBefore) / people / 1_000;
    return new Contender({ name, pid, load, perSocketKb });
  }

  async pace({ pacedSeconds }: Sizes): Promise<Measured> {
    return this.#measured({ type: "rate", perSecond: pressesPerSecond, seconds: pacedSeconds });
  }

  /** Every person presses as soon as they may. */
  async saturate({ warmUpSeconds, saturatedSeconds }: Sizes): Promise<Measured> {
    return this.#measured({ type: "saturate", warmUpSeconds, seconds: saturatedSeconds });
  }

  /** Counts the processor time of the server, its database and the load while a phase is measured. */
  async #measured(order: LoadOrder): Promise<Measured> {
    let before = this.#used();
    const figures = await this.#load.obey(order, () => (before = this.#used()));
    const after = this.#used();
    if (!figures) throw new Error("the load returned no figures");
    await this.#load.obey({ type: "stop" });
    const usedMs = { ...after };
    for (const part of ["server", "database", "load", "waited"] as const) usedMs[part] -= before[part];
    const each = (ms: number) => (ms * 1_000) / figures.fullMatches;
    const cores = (ms: number) => ms / (figures.tookSeconds * 1_000);
    return {
      figures,
      serverUs: each(usedMs.server),
      databaseUs: each(usedMs.database),
      loadUs: each(usedMs.load),
      waited: cores(usedMs.waited),
      cores: { server: cores(usedMs.server), database: cores(usedMs.database), load: cores(usedMs.load) },
    };
  }

  #used(): { server: number; database: number; load: number; waited: number } {
    const server = cpuUse(this.#pid);
    return {
      server: server?.ownMs ?? Number.NaN,
      database: server?.childrenMs ?? Number.NaN,
      load: cpuUse(this.#load.pid)?.ownMs ?? Number.NaN,
      waited: waitedMs(this.#pid) ?? Number.NaN,
    };
  }
}

function report(contenders: readonly Contender[], { size, loads }: { size: Sizes; loads: number[] }): BenchmarkReport {
  const named = (name: string) => contenders.find((one) => one.name === name);
  const [product, bare, clone, before] = [named(productName)!, named(bareName)!, named(cloneName)!, named("before")];
  const latency = product.paced.flatMap(({ figures }) => figures.matchedMs);
  // Of the median round: over all rounds together, a single round with other work on the cores would decide p99.
  const [p50, p99] = [50, 99].map((part) =>
    medianOf(product.paced, ({ figures }) => percentile(figures.matchedMs, part)),
  );
  const perSecond = medianOf(product.saturated, ({ figures }) => figures.fullMatches / figures.seconds);
  const failures = product.paced.concat(product.saturated).flatMap(({ figures }) => Object.entries(figures.failures));
  const pressed = product.paced.flatMap(({ figures }) => figures.pressedLateMs);
  return {
    title: `Server: ${size.people} people on sockets, signed messages, database on, one server process; ${size.rounds} rounds in turns`,
    columns: ["who, load", "server us/match", "least to most", "database us", "load us", ...columnsAfter],
    rows: contenders.flatMap(({ name, paced, saturated }) => [
      row(`${name}, saturated`, saturated),
      row(`${name}, ${pressesPerSecond} presses/s`, paced),
    ]),
    goals: [
      {
        name: "server, saturated, times the bare server",
        unit: "x",
        better: "lower",
        reach: 5,
        measured: ratio(product, bare, (one) => one.saturated),
      },
      { name: "press to match push, p50", unit: "ms", better: "lower", reach: 5, measured: p50! },
      { name: "press to match push, p99", unit: "ms", better: "lower", reach: 50, measured: p99! },
      { name: "full matches, saturated", unit: "/s", better: "higher", reach: 1_000, measured: perSecond },
    ],
    peers: [
      {
        name: "processor time of a full match, saturated",
        unit: "us",
        bars: [product, bare, clone].map(({ name, saturated }) => ({
          name,
          value: medianOf(saturated, ({ serverUs }) => serverUs),
        })),
      },
    ],
    notes: [
      "a full match: 2 start with a 2.3 KB offer, 2 pushes, answer, 4 candidate batches, 2 playing, 10 lines, all acknowledged on other messages, leave by next",
      `times the bare server at ${pressesPerSecond} presses/s: ${ratio(product, bare, (one) => one.paced).toFixed(2)}`,
      `times the socket.io server, saturated ${ratio(product, clone, (one) => one.saturated).toFixed(2)}, at ${pressesPerSecond} presses/s ${ratio(product, clone, (one) => one.paced).toFixed(2)}`,
      ...(before ? [`to before, round by round: ${toBefore(product, before)}`] : []),
      `figures are medians of the rounds; load average while measured ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`,
      `the load pressed late by p99 ${percentile(pressed, 99).toFixed(1)} ms; pushes missing at the fixed rate: ${pressed.length - latency.length} of ${pressed.length}`,
      "p50, p95 and p99 from the time at which both had pressed, of the median round; not conclusive for a server that waited for a core",
      `heap and buffers per idle connected person, after a garbage collection: ${contenders.map(({ name, perSocketKb }) => `${name} ${perSocketKb.toFixed(1)} kB`).join(", ")}`,
      `failures: ${failures.map(([what, count]) => `${count} x ${what}`).join("; ") || "none"}`,
    ],
  };
}

const columnsAfter = [
  "matches/s",
  "p50 ms",
  "p95 ms",
  "p99 ms",
  "server kept waiting for a core",
  "server cores",
  "database cores",
  "load cores",
];

function row(name: string, phases: readonly Measured[]): (string | number)[] {
  const us = phases.map(({ serverUs }) => serverUs);
  const waited = phases.map((phase) => phase.waited * 100);
  return [
    name,
    medianOf(phases, ({ serverUs }) => serverUs),
    `${Math.round(Math.min(...us))} to ${Math.round(Math.max(...us))}`,
    medianOf(phases, ({ databaseUs }) => databaseUs),
    medianOf(phases, ({ loadUs }) => loadUs),
    medianOf(phases, ({ figures }) => figures.fullMatches / figures.seconds),
    ...(phases.every(({ figures }) => figures.matchedMs.length > 0)
      ? [50, 95, 99].map((part) => medianOf(phases, ({ figures }) => percentile(figures.matchedMs, part)))
      : ["", "", ""]),
    `${Math.round(Math.min(...waited))} to ${Math.round(Math.max(...waited))} %`,
    ...(["server", "database", "load"] as const).map((part) => medianOf(phases, ({ cores }) => cores[part])),
  ];
}

/** The median ratio of two servers' processor time, round by round. */
function ratio(one: Contender, other: Contender, phases: (of: Contender) => readonly Measured[]): number {
  const others = phases(other);
  return medianOf(phases(one), ({ serverUs }, round) => serverUs / others[round]!.serverUs);
}

function toBefore(product: Contender, before: Contender): string {
  const database = medianOf(
    product.saturated,
    ({ databaseUs }, round) => databaseUs / before.saturated[round]!.databaseUs,
  );
  const saturated = ratio(product, before, (one) => one.saturated);
  const paced = ratio(product, before, (one) => one.paced);
  return `server saturated ${saturated.toFixed(3)}, paced ${paced.toFixed(3)}, database saturated ${database.toFixed(3)}`;
}

function medianOf(phases: readonly Measured[], pick: (phase: Measured, round: number) => number): number {
  return percentile(phases.map(pick), 50);
}
