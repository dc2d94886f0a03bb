import { once } from "node:events";
import { pino } from "pino";
import { beforeAll, expect, test, vi } from "vitest";
import { systemClock } from "#adapters/local/clock.ts";
import { systemRandom } from "#adapters/local/random.ts";
import type { Clock } from "#ports/clock.ts";
import { randomId } from "#ports/random.ts";
import { leasesContract } from "#test/contracts/leases-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { MemoryLeases } from "#test/fakes/memory-leases.ts";
import { CutLine } from "#test/fixtures/cut-line.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { DatabaseLeases } from "./leases.ts";
import { Processes } from "./processes.ts";

let database: TestDatabase;
const logged: string[] = [];
const soon = { lookEveryMs: 20 };
const logger = pino(
  { level: "error" },
  { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) },
);

beforeAll(async () => {
  database = await createTestDatabase();
});

async function openProcess(clock: Clock = systemClock, leasesClock = clock, url = database.url) {
  const self = randomId(systemRandom);
  const processes = await Processes.open({
    self,
    database: { url, db: database.db, isAway: false },
    clock,
    logger,
    isAlone: false,
  });
  leftovers.push(processes);
  return { processes, leases: new DatabaseLeases({ db: database.db, processes, clock: leasesClock, logger }) };
}

test("releases all leases of a stopping server to another one", async () => {
  const [one, other] = [await openProcess(), await openProcess()];
  const [begun, ended]: [string[], string[]] = [[], []];
  const work = (name: string) => async (_lease: unknown, lost: AbortSignal) => {
    begun.push(name);
    await once(lost, "abort");
    ended.push(name);
  };
  await using _first = one.leases.hold("leaving first", work("first"), soon);
  await using _second = one.leases.hold("leaving second", work("second"), soon);
  // A lease is stored before its work begins.
  await vi.waitFor(() => expect(begun.toSorted()).toEqual(["first", "second"]), { timeout: 30_000 });
  await using _other = other.leases.hold("leaving first", work("other"), soon);
  await one.leases.letGo();
  expect(ended.toSorted()).toEqual(["first", "second"]);
  await using _late = one.leases.hold("leaving late", work("late"), soon);
  await vi.waitFor(async () => expect(await holderOf("leaving first")).toBe(other.processes.self), { timeout: 30_000 });
  expect(await holderOf("leaving late")).toBeUndefined();
});

test("ends while it requests a lease over a connection that never opens", async () => {
  const url = new URL(database.url);
  await using line = await CutLine.to({ host: url.hostname, port: Number(url.port) });
  url.port = String(line.port);
  const { processes, leases } = await openProcess(systemClock, systemClock, url.href);
  const before = processes.session;
  line.hang();
  await vi.waitFor(() => expect([null, before]).not.toContain(processes.session), { timeout: 30_000 });
  const opening = processes.session;
  const holding = leases.hold("asked for in vain", () => Promise.resolve(), soon);
  line.cut();
  await vi.waitFor(() => expect(opening?.ended.aborted).toBe(true), { timeout: 30_000 });
  await holding[Symbol.asyncDispose]();
  line.mend();
  await processes[Symbol.asyncDispose]();
});

async function holderOf(name: string): Promise<string | undefined> {
  const row = await database.db.selectFrom("leases").select("holder").where("name", "=", name).executeTakeFirst();
  return row?.holder;
}

leasesContract("PostgreSQL", async () => {
  const [one, other] = [await openProcess(), await openProcess()];
  return [one.leases, other.leases];
});

leasesContract("in memory", () => {
  const leases = new MemoryLeases();
  return Promise.resolve([leases, leases]);
});

test("[START-73] ends the work of a lease with its connection, and restarts it with another epoch", async () => {
  const { processes, leases } = await openProcess();
  const epochs: bigint[] = [];
  let begun: () => void = () => undefined;
  const twice = new Promise<void>((resolve) => (begun = resolve));
  await using _holding = leases.hold(
    "over a connection",
    async ({ epoch }, lost) => {
      epochs.push(epoch);
      if (epochs.length > 1) begun();
      else
        await database.pool.query(
          `select pg_terminate_backend(pid) from pg_locks join processes on objid = lock_number
         where locktype = 'advisory' and objsubid = 2 and id = $1`,
          [processes.self],
        );
      if (!lost.aborted) await new Promise((resolve) => lost.addEventListener("abort", resolve));
    },
    soon,
  );
  await twice;
  expect(epochs).toEqual([1n, 2n]);
});

test("ends leases and connection of a hanging server when it is declared dead", async () => {
  const stopped = await openProcess(new TestClock());
  const living = await openProcess();
  await living.processes.takeOver(() => Promise.resolve(true));
  const epochs: bigint[] = [];
  const hold = (leases: DatabaseLeases, ended: (isLost: boolean) => void) =>
    new Promise<AsyncDisposable>((resolve) => {
      const holding = leases.hold(
        "of one that hangs",
        async ({ epoch }, lost) => {
          epochs.push(epoch);
          setImmediate(() => resolve(holding));
          if (!lost.aborted) await new Promise((stop) => lost.addEventListener("abort", stop));
          ended(lost.aborted);
        },
        soon,
      );
    });
  let lostByStopped: (isLost: boolean) => void = () => undefined;
  const lost = new Promise<boolean>((resolve) => (lostByStopped = resolve));
  const first = await hold(stopped.leases, lostByStopped);
  await using _second = await hold(living.leases, () => undefined);
  expect(await lost).toBe(true);
  expect(epochs).toEqual([1n, 2n]);
  await first[Symbol.asyncDispose]();
});

test("[START-73] reports failed work, and restarts it", async () => {
  const { leases } = await openProcess();
  let tries = 0;
  let done: () => void = () => undefined;
  const succeeded = new Promise<void>((resolve) => (done = resolve));
  await using _holding = leases.hold(
    "failing",
    async () => {
      tries += 1;
      if (tries === 1) throw new Error("not today");
      done();
    },
    soon,
  );
  await succeeded;
  expect(logged).toEqual(["work of lease failed"]);
});

test("tries to take an urgent lease at its own interval, not only with each beat", async () => {
  const clock = new TestClock();
  const [one, other] = [await openProcess(), await openProcess(systemClock, clock)];
  const first = one.leases.hold("never missed", (_lease, lost) => once(lost, "abort").then(() => undefined), soon);
  const lookEveryMs = 200;
  let has: () => void = () => undefined;
  const passedOn = new Promise<void>((resolve) => (has = resolve));
  await vi.waitFor(async () => expect(await holderOf("never missed")).toBe(one.processes.self));
  await using _second = other.leases.hold("never missed", async () => has(), { lookEveryMs });
  // The first try has failed; the next one waits for the timer.
  await vi.waitFor(() => expect(clock.pendingCount).toBe(1));
  await first[Symbol.asyncDispose]();
  clock.advance(lookEveryMs);
  await passedOn;
});
