import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "#adapters/local/clock.ts";
import { systemRandom } from "#adapters/local/random.ts";
import { randomId } from "#ports/random.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { JobEngine, type PeriodicJob, runJobSoon } from "./job-engine.ts";
import { openDatabase } from "./pool.ts";

let database: TestDatabase;
let name = "";
const logged: string[] = [];
const logger = pino(
  { level: "warn" },
  { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) },
);
const soonMs = 10;
const waiting = { timeout: 30_000, interval: 20 };

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  name = `job ${randomId(systemRandom)}`;
  logged.length = 0;
});

const job = (work: PeriodicJob["work"], pauseMs = soonMs): PeriodicJob => ({ name, pauseMs: () => pauseMs, work });

async function openServer(...jobs: PeriodicJob[]) {
  return openServerAfter([], ...jobs);
}

/** A server whose earlier workers, with these ids, ended without releasing their jobs. */
async function openServerAfter(job_workers: string[], ...jobs: PeriodicJob[]) {
  const self = randomId(systemRandom);
  await database.db.insertInto("processes").values({ id: self, dead_at: null, job_workers }).execute();
  const own = openDatabase(database.url, { max: 1 });
  leftovers.push(own);
  const engine = new JobEngine({ database: own, jobs, self, clock: systemClock, logger });
  leftovers.push(engine);
  return { self, engine };
}

/** Runs the job at once, instead of up to 4 s after its time. */
const nudge = () => database.db.transaction().execute((trx) => runJobSoon(trx, name));

const backendsOf = async () => {
  const listening = await database.pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and query like '%LISTEN%'",
  );
  return listening.rows.map(({ pid }) => pid);
};

test("repeats a job, also after a failure", async () => {
  let runs = 0;
  const { engine } = await openServer(
    job(async () => {
      runs += 1;
      if (runs === 1) throw new Error("not this time");
    }),
  );
  await vi.waitFor(() => expect(runs).toBeGreaterThanOrEqual(3), waiting);
  expect(logged).toEqual(["periodic job failed"]);
  await vi.waitFor(async () => expect((await engine.states())[0]?.runs).toBeGreaterThanOrEqual(3n), waiting);
  const [state] = await engine.states();
  expect(state).toMatchObject({ name, failures: 1n, last_failed_at: expect.any(Date) });
  expect(engine.figures[name]).toMatchObject({ failed: 1 });
});

test("runs a job at once for a committed transaction and not for a rolled back one", async () => {
  let runs = 0;
  const { engine } = await openServer(job(async () => void (runs += 1), 3_600_000));
  await vi.waitFor(async () => expect((await engine.states())[0]?.next_at).not.toBeNull(), waiting);
  await expect(
    database.db.transaction().execute(async (trx) => {
      await runJobSoon(trx, name);
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  const before = (await engine.states())[0]?.next_at;
  const beganAtMs = performance.now();
  await nudge();
  await vi.waitFor(() => expect(runs).toBe(1), { ...waiting, interval: 1 });
  // NOTIFY starts it; the next poll would come later.
  expect(performance.now() - beganAtMs).toBeLessThan(2_000);
  expect((await engine.states())[0]?.next_at).toEqual(before);
});

test("runs a job on one of two servers at a time, and on the other once the first has stopped", async () => {
  let running = 0;
  const ranAt: string[] = [];
  const work = (server: string) => async () => {
    running += 1;
    expect(running).toBe(1);
    await delay(5);
    running -= 1;
    ranAt.push(server);
  };
  const first = await openServer(job(work("first")));
  await openServer(job(work("second")));
  await vi.waitFor(() => expect(ranAt.length).toBeGreaterThanOrEqual(4), waiting);
  await first.engine[Symbol.asyncDispose]();
  ranAt.length = 0;
  await vi.waitFor(() => expect(ranAt.length).toBeGreaterThanOrEqual(2), waiting);
  expect(new Set(ranAt)).toEqual(new Set(["second"]));
});

test("runs the job of a killed server once its row is deleted", async () => {
  let runs = 0;
  let finish = () => {};
  const { self } = await openServer(
    job(async () => {
      runs += 1;
      if (runs === 1) await new Promise<void>((resolve) => (finish = resolve));
    }),
  );
  await vi.waitFor(() => expect(runs).toBe(1), waiting);
  await openServer(job(async () => void (runs += 1)));
  await delay(100);
  expect(runs).toBe(1);
  await database.db.deleteFrom("processes").where("id", "=", self).execute();
  await vi.waitFor(() => expect(runs).toBeGreaterThanOrEqual(2), waiting);
  finish();
});

test("runs a job whose runs were cut short by crashes many times", async () => {
  const waits = job(async () => undefined, 3_600_000);
  const crashing = await openServer(waits);
  await vi.waitFor(async () => expect((await crashing.engine.states())[0]?.next_at).not.toBeNull(), waiting);
  await crashing.engine[Symbol.asyncDispose]();
  const due = "update graphile_worker._private_jobs set attempts = 1000, run_at = now() where key = $1";
  await database.pool.query(due, [name]);
  let runs = 0;
  await openServer(job(async () => void (runs += 1), 3_600_000));
  await vi.waitFor(() => expect(runs).toBe(1), waiting);
});

test("runs a job that earlier workers of the same server left locked", async () => {
  const before = await openServer(job(async () => undefined, 3_600_000));
  await vi.waitFor(async () => expect((await before.engine.states())[0]?.next_at).not.toBeNull(), waiting);
  await before.engine[Symbol.asyncDispose]();
  const left =
    "update graphile_worker._private_jobs set locked_by = $2, locked_at = now(), run_at = now() where key = $1";
  await database.pool.query(left, [name, `worker of ${name}`]);
  let runs = 0;
  await openServerAfter(
    [`worker of ${name}`],
    job(async () => void (runs += 1), 3_600_000),
  );
  await vi.waitFor(() => expect(runs).toBe(1), waiting);
});

test("continues after an outage in the middle of a job", async () => {
  let runs = 0;
  let finish = () => {};
  await openServer(
    job(async () => {
      runs += 1;
      if (runs === 1) await new Promise<void>((resolve) => (finish = resolve));
    }),
  );
  await vi.waitFor(() => expect(runs).toBe(1), waiting);
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  finish();
  await vi.waitFor(() => expect(runs).toBeGreaterThanOrEqual(3), waiting);
  await vi.waitFor(async () => expect(await backendsOf()).not.toEqual([]), waiting);
});

test("stops at once without a running job, and otherwise when the job is done", async () => {
  const idle = await openServer(job(async () => undefined, 3_600_000));
  await vi.waitFor(async () => expect((await idle.engine.states())[0]?.next_at).not.toBeNull(), waiting);
  const beganAtMs = performance.now();
  await idle.engine[Symbol.asyncDispose]();
  // Stopping does not wait for the next poll.
  expect(performance.now() - beganAtMs).toBeLessThan(2_000);
  const done: string[] = [];
  let finish: (() => void) | null = null;
  name = `${name} long`;
  const busy = await openServer({
    name,
    // Once, since a worker that polls while it is stopped still runs the job that it takes.
    pauseMs: () => (done.length === 0 ? soonMs : 3_600_000),
    work: async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      done.push("work");
    },
  });
  await vi.waitFor(() => expect(finish).not.toBeNull(), waiting);
  expect((await busy.engine.states())[0]?.is_running).toBe(true);
  const stopping = busy.engine[Symbol.asyncDispose]().then(() => done.push("stopped"));
  (finish as (() => void) | null)?.();
  await stopping;
  expect(done).toEqual(["work", "stopped"]);
});
