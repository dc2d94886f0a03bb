import { type Kysely, sql } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import { Pauses, Periodic } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import { openPool } from "./pool.ts";
import type { Database } from "./schema.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

type Db = Kysely<Database>;

interface ReplicaOptions {
  /** Null: there is none, and the primary answers everything. */
  url: string | null;
  primary: Db;
  clock: Clock;
  logger: Pick<Logger, "error" | "warn" | "info">;
}

const connectionsMax = 8;
/** What takes longer may still be asked of the primary, by those who may take long there. */
const statementTimeoutMs = 60_000;
const lookEveryMs = 1_000;
/** From here on the primary answers. */
const lagMaxMs = 5_000;
const catchUpMs = 5_000;
const catchUpStepMs = 100;
/** Where the primary's log had come to, for so many looks. */
const marksMax = 60;

/** Where the last record ends a page, the next one begins behind a head, which is repeated with that one; no record is as short. */
const pageHeadBytes = 24n;

/** A place in the primary's log, and when it was the newest. */
interface Mark {
  readonly atMs: number;
  readonly lsn: bigint;
}

/**
 * A copy of the database that runs behind, for what reads much and may be some seconds old: figures, exports, the names
 * of a search. Never for balances, restrictions, blocks or what waits for a moderator: who has just decided would see it
 * again (docs/decisions/039-growth-of-the-database.md). Where it is away, too far behind or fails, the primary answers.
 */
export class ReadReplica implements AsyncDisposable {
  readonly #options: ReplicaOptions;
  readonly #pool: ReturnType<typeof openPool> | null;
  readonly #pauses: Pauses;
  readonly #looks: Periodic | null;
  #marks: Mark[] = [];
  /** All that the primary had by then is here; null: nothing is known of it. */
  #freshAtMs: number | null = null;
  #wasUsable = true;
  #fallbacks = 0;

  constructor(options: ReplicaOptions) {
    const { url, clock } = options;
    this.#options = options;
    this.#pauses = new Pauses(clock);
    const alone = { isAway: () => false, onConnectionLost: () => undefined };
    this.#pool =
      url === null ? null : openPool(url, { max: connectionsMax, statementMs: statementTimeoutMs, ...alone });
    const periodic = { name: "replica", atOnce: true, pauseMs: () => lookEveryMs, work: () => this.#look() };
    this.#looks = this.#pool && new Periodic({ ...options, ...periodic });
  }

  /** Whether one is configured, so that what is read may be some seconds old. */
  get isThere(): boolean {
    return this.#pool !== null;
  }

  /** How old what it answers may be, in milliseconds; null where that is not known, or there is none. */
  get lagMs(): number | null {
    return this.#freshAtMs === null ? null : this.#options.clock.monotonicMs() - this.#freshAtMs;
  }

  /** Questions that the primary answered in its place. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  /**
   * Reads from it, or from `primary`, which may then be asked all of it again.
   *
   * @param options `upToNow`: only once it has everything that was written before.
   */
  async read<Result>(primary: Db, work: (db: Db) => Promise<Result>, { upToNow = false } = {}): Promise<Result> {
    if (!this.#pool) return work(primary);
    if (this.#isUsable() && (!upToNow || (await this.#hasCaughtUp()))) {
      try {
        return await work(this.#pool.db);
      } catch (error) {
        // A replica also breaks off what stands in the way of what it has to repeat.
        if (!(error instanceof DatabaseUnavailableError || error instanceof pg.DatabaseError)) throw error;
        this.#options.logger.warn({ err: error }, "the replica failed: the primary answers");
        this.#freshAtMs = null;
      }
    }
    this.#fallbacks += 1;
    return work(primary);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pauses[Symbol.dispose]();
    await this.#looks?.[Symbol.asyncDispose]();
    await this.#pool?.pool.end();
  }

  #isUsable(): boolean {
    const { lagMs } = this;
    return lagMs !== null && lagMs <= lagMaxMs;
  }

  /** Never rejects: a look that fails leaves what was known, which grows old. */
  async #look(): Promise<void> {
    const { logger, clock } = this.#options;
    try {
      const atMs = clock.monotonicMs();
      this.#marks = [...this.#marks.slice(1 - marksMax), { atMs, lsn: await this.#written() }];
      const replayed = await this.#replayed();
      const reached = this.#marks.findLast(({ lsn }) => lsn <= replayed);
      if (reached) this.#freshAtMs = reached.atMs;
    } catch (error) {
      if (this.#wasUsable) logger.error({ err: error }, "the replica cannot be looked at");
    }
    const isUsable = this.#isUsable();
    if (isUsable !== this.#wasUsable && isUsable) logger.info("the replica answers again");
    if (isUsable !== this.#wasUsable && !isUsable) logger.warn("the replica is away or behind: the primary answers");
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

  /** As far as anything was said to be written, flushed or not. */
  async #written(): Promise<bigint> {
    const { rows } = await sql<{ lsn: bigint }>`
      select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as lsn`.execute(this.#options.primary);
    return (rows[0]?.lsn ?? 0n) - pageHeadBytes;
  }

  /** @throws where it repeats nobody's log: it would answer for ever with what it once held. */
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
