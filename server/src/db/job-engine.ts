import { EventEmitter } from "node:events";
import { Logger as EngineLogger, runTaskList, type TaskList, type WorkerEvents } from "graphile-worker";
import { type Kysely, sql } from "kysely";
import type pg from "pg";
import type { Logger } from "pino";
import { RetryPauses } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { OpenedDatabase } from "./pool.ts";
import type { Database } from "./schema.ts";

export interface PeriodicJob {
  readonly name: string;
  /** Milliseconds from the end of one run to the next, computed after each run. */
  readonly pauseMs: (nowMs: number) => number;
  readonly work: () => Promise<void>;
}

interface JobFigures {
  done: number;
  failed: number;
}

/** The state of a periodic job, over all servers. */
export interface JobState {
  readonly name: string;
  readonly ran_at: Date | null;
  readonly took_ms: number | null;
  readonly runs: bigint;
  readonly failures: bigint;
  readonly last_failed_at: Date | null;
  /** Null without a scheduled run, as before the first start. */
  readonly next_at: Date | null;
  readonly is_running: boolean;
}

interface JobEngineOptions {
  database: Pick<OpenedDatabase, "engine" | "isAway">;
  jobs: readonly PeriodicJob[];
  self: ProcessId;
  clock: Clock;
  logger: Pick<Logger, "error" | "warn">;
}

const workersAtOnce = 4;
/** How late a scheduled job may start, since no `NOTIFY` announces that its time has come. */
const pollMs = 4_000;
const restartMs = 1_000;
/** The maximum of the engine, which counts a run that a crash cut short and never starts a job without attempts left. */
const attemptsMax = 32_767;

/** Drops the engine's log lines: `JobEngine` logs failed jobs, `Heartbeat` outages. */
export const silentEngineLog = new EngineLogger(() => () => undefined);

/**
 * The workers of one server (decision 056). Each periodic job is one row with its name as key: the server that takes
 * the row runs the job and adds the next row, also after a failure. The jobs of a dead server are released when its row
 * in `processes` is deleted.
 */
export class JobEngine implements AsyncDisposable {
  readonly figures: Readonly<Record<string, JobFigures>>;
  readonly #options: JobEngineOptions;
  readonly #pauses: RetryPauses;
  readonly #tasks: TaskList;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: JobEngineOptions) {
    const { jobs, clock } = options;
    this.#options = options;
    this.#pauses = new RetryPauses(clock);
    this.figures = Object.fromEntries(jobs.map(({ name }) => [name, { done: 0, failed: 0 }]));
    this.#tasks = Object.fromEntries(
      jobs.map((job) => [job.name, (payload) => this.#run(job, { isExtra: isExtra(payload) })]),
    );
    this.#running = this.#keepRunning();
  }

  async states(): Promise<JobState[]> {
    const names = this.#options.jobs.map(({ name }) => name);
    return this.#query<JobState>(
      `select listed.name, ran_at, took_ms, coalesce(runs, 0) as runs, coalesce(failures, 0) as failures, last_failed_at,
        run_at as next_at, locked_at is not null as is_running
      from unnest($1::text[]) with ordinality as listed (name, number)
      left join job_runs on job_runs.name = listed.name
      left join graphile_worker.jobs on key = listed.name
      order by number`,
      [names],
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#pauses[Symbol.dispose]();
    await this.#running;
  }

  async #keepRunning(): Promise<void> {
    const { database, logger } = this.#options;
    while (!this.#stop.signal.aborted) {
      try {
        await this.#runWorkers();
      } catch (error) {
        if (!database.isAway && !this.#stop.signal.aborted)
          logger.warn({ err: error }, "job workers failed, restarting");
      }
      await this.#pauses.wait(restartMs);
    }
  }

  /** Resolves once the workers are stopped. @throws the error that ended one of them, as after an outage. */
  async #runWorkers(): Promise<void> {
    const { database } = this.#options;
    await this.#forgetWorkers();
    for (const job of this.#options.jobs) await this.#schedule(job, "unsafe_dedupe");
    const events: WorkerEvents = new EventEmitter();
    const over = new AbortController();
    const ended = new Promise<void>((resolve, reject) => {
      this.#stop.signal.addEventListener("abort", () => resolve(), { signal: over.signal });
      if (this.#stop.signal.aborted) resolve();
      events.on("worker:stop", ({ error }) => error !== undefined && reject(error));
      events.on("worker:getJob:error", ({ worker, error }) => !this.#registered.has(worker.workerId) && reject(error));
    });
    const options = {
      events,
      logger: silentEngineLog,
      noHandleSignals: true,
      preset: { plugins: [this.#registering] },
    };
    const workers = runTaskList(
      { ...options, concurrency: workersAtOnce, pollInterval: pollMs },
      this.#tasks,
      database.engine,
    );
    try {
      await ended;
    } finally {
      over.abort();
      await workers.gracefulShutdown();
    }
  }

  readonly #registered = new Set<string>();

  /** Stores each worker's id before it takes its first job, so that its jobs can be released once this server is dead. */
  readonly #registering = {
    name: "fava-workers",
    version: "1.0.0",
    worker: {
      hooks: {
        startWorker: async (_context: unknown, { worker }: { worker: { workerId: string } }): Promise<void> => {
          await this.#query("update processes set job_workers = array_append(job_workers, $2) where id = $1", [
            this.#options.self,
            worker.workerId,
          ]);
          this.#registered.add(worker.workerId);
        },
      },
    },
  };

  async #forgetWorkers(): Promise<void> {
    const { self } = this.#options;
    this.#registered.clear();
    await this.#query("select graphile_worker.force_unlock_workers(job_workers) from processes where id = $1", [self]);
    await this.#query("update processes set job_workers = '{}' where id = $1", [self]);
  }

  /** @throws if the run cannot be stored: then the engine runs the job again. */
  async #run(job: PeriodicJob, { isExtra }: { isExtra: boolean }): Promise<void> {
    const { clock, logger } = this.#options;
    const { name } = job;
    const figures = this.figures[name];
    const beganAtMs = clock.monotonicMs();
    let failed = 0;
    try {
      await job.work();
      if (figures) figures.done += 1;
    } catch (error) {
      failed = 1;
      if (figures) figures.failed += 1;
      logger.error({ err: error, job: name }, "periodic job failed");
    }
    const took = Math.round(clock.monotonicMs() - beganAtMs);
    await this.#query(
      `insert into job_runs (name, ran_at, took_ms, runs, failures, last_failed_at)
      values ($1, now(), $2, 1, $3::integer, case when $3::integer = 1 then now() end)
      on conflict (name) do update set ran_at = excluded.ran_at, took_ms = excluded.took_ms, runs = job_runs.runs + 1,
        failures = job_runs.failures + excluded.failures,
        last_failed_at = coalesce(excluded.last_failed_at, job_runs.last_failed_at)`,
      [name, took, failed],
    );
    if (!isExtra) await this.#schedule(job, "replace");
  }

  async #schedule({ name, pauseMs }: PeriodicJob, mode: "replace" | "unsafe_dedupe"): Promise<void> {
    // The engine reads the clock of the database.
    await this.#query(
      `select from graphile_worker.add_job(
        $1, run_at => now() + $2 * interval '1 millisecond', max_attempts => $4, job_key => $1, job_key_mode => $3
      )`,
      [name, pauseMs(this.#options.clock.nowMs()), mode, attemptsMax],
    );
  }

  /** Uses the engine's connections, since long jobs may hold all others. */
  async #query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.#options.database.engine.query<Row>(text, [...values])).rows;
  }
}

const extraRun = { extra: true };

function isExtra(payload: unknown): boolean {
  return typeof payload === "object" && payload !== null && "extra" in payload;
}

/** Runs a periodic job at once, beside its schedule; in a transaction, once that is committed. */
export async function runJobSoon(db: Kysely<Database>, name: string): Promise<void> {
  await sql`select from graphile_worker.add_job(${name}, ${JSON.stringify(extraRun)}::json)`.execute(db);
}
