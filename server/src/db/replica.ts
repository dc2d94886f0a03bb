import { type Kysely, sql } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import { RetryPauses, Periodic } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import { openPool } from "./pool.ts";
import type { Database } from "./schema.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

type Db = Kysely<Database>;

interface ReplicaOptions {
  /** Null: there is no replica, and the primary answers everything. */
  url: string | null;
  primary: Db;
  clock: Clock;
  logger: Pick<Logger, "error" | "warn" | "info">;
}

const connectionsMax = 8;
const statementTimeoutMs = 60_000;
const lookEveryMs = 1_000;
/** Maximum lag; a query then uses the primary. */
const lagMaxMs = 5_000;
const catchUpMs = 5_000;
const catchUpStepMs = 100;
const marksMax = 60;

/**
 * Where a record ends a page, the insert position is behind a header that is replayed with the next record only. Every
 * record is longer than a header.
 */
const pageHeadBytes = 24n;

/** A WAL position of the primary, and when it was the newest. */
interface Mark {
  readonly atMs: number;
  readonly lsn: bigint;
}

/**
 * Reads that may be some seconds old; never balances, restrictions, blocks or moderation queues. The primary answers if
 * the replica cannot, or is too far behind (docs/decisions/039-growth-of-the-database.md).
 */
export class ReadReplica implements AsyncDisposable {
  readonly #options: ReplicaOptions;
  readonly #pool: ReturnType<typeof openPool> | null;
  readonly #pauses: RetryPauses;
  readonly #inspections: Periodic | null;
  #marks: Mark[] = [];
  /** The replica has all data of the primary up to this time; null: unknown. */
  #freshAtMs: number | null = null;
  #wasUsable = true;
  #fallbacks = 0;

  constructor(options: ReplicaOptions) {
    const { url, clock } = options;
    this.#options = options;
    this.#pauses = new RetryPauses(clock);
    const alone = { isAway: () => false, onConnectionLost: () => undefined };
    this.#pool =
      url === null ? null : openPool(url, { max: connectionsMax, statementMs: statementTimeoutMs, ...alone });
    const periodic = { name: "replica", atOnce: true, pauseMs: () => lookEveryMs, work: () => this.#look() };
    this.#inspections = this.#pool && new Periodic({ ...options, ...periodic });
  }

  /** Then reads may be some seconds old. */
  get isThere(): boolean {
    return this.#pool !== null;
  }

  /** Maximum age of the replica's data, in milliseconds; null: unknown, or without a replica. */
  get lagMs(): number | null {
    return this.#freshAtMs === null ? null : this.#options.clock.monotonicMs() - this.#freshAtMs;
  }

  /** Reads that the primary answered in place of the replica. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  /** May run `work` again on `primary`. `upToNow`: only once the replica has everything that was written before. */
  async read<Result>(primary: Db, work: (db: Db) => Promise<Result>, { upToNow = false } = {}): Promise<Result> {
    if (!this.#pool) return work(primary);
    if (this.#isUsable() && (!upToNow || (await this.#hasCaughtUp()))) {
      try {
        return await work(this.#pool.db);
      } catch (error) {
        // A replica also cancels queries that conflict with replay.
        if (!(error instanceof DatabaseUnavailableError || error instanceof pg.DatabaseError)) throw error;
        this.#options.logger.warn({ err: error }, "replica query failed, using the primary");
        this.#freshAtMs = null;
      }
    }
    this.#fallbacks += 1;
    return work(primary);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pauses[Symbol.dispose]();
    await this.#inspections?.[Symbol.asyncDispose]();
    await this.#pool?.pool.end();
  }

  #isUsable(): boolean {
    const { lagMs } = this;
    return lagMs !== null && lagMs <= lagMaxMs;
  }

  /** Never rejects: after a failed check the known lag grows. */
  async #look(): Promise<void> {
    const { logger, clock } = this.#options;
    try {
      const atMs = clock.monotonicMs();
      this.#marks = [...this.#marks.slice(1 - marksMax), { atMs, lsn: await this.#written() }];
      const replayed = await this.#replayed();
      const reached = this.#marks.findLast(({ lsn }) => lsn <= replayed);
      if (reached) this.#freshAtMs = reached.atMs;
    } catch (error) {
      if (this.#wasUsable) logger.error({ err: error }, "failed to read the lag of the replica");
    }
    const isUsable = this.#isUsable();
    if (isUsable !== this.#wasUsable && isUsable) logger.info("replica is usable again");
    if (isUsable !== this.#wasUsable && !isUsable) logger.warn("replica is unavailable or behind, using the primary");
    this.#wasUsable = isUsable;
  }

  async #hasCaughtUp(): Promise<boolean> {
    const { clock } = this.#options;
    const endMs = clock.monotonicMs() + catchUpMs;
    try {
      const written = await this.#written();
      while ((await this.#replayed()) < written) {
        if (clock.monotonicMs() >= endMs || this.#pauses.isOver) return false;
        await this.#pauses.wait(catchUpStepMs);
      }
      return true;
    } catch {
      return false;
    }
  }

  async #written(): Promise<bigint> {
    const { rows } = await sql<{ lsn: bigint }>`
      select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as lsn`.execute(this.#options.primary);
    return (rows[0]?.lsn ?? 0n) - pageHeadBytes;
  }

  /** @throws where the server is no replica: its data would be outdated for ever. */
  async #replayed(): Promise<bigint> {
    const { rows } = await sql<{ lsn: bigint | null }>`
      select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as lsn`.execute(
      this.#pool!.db,
    );
    const lsn = rows[0]?.lsn;
    if (lsn === undefined || lsn === null) throw new Error("DATABASE_REPLICA_URL names no replica");
    return lsn;
  }
}
