import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import { PauseTolerantTimeout } from "#lib/pause-tolerant-timeout.ts";
import { Emitter } from "#lib/emitter.ts";
import type { Clock } from "#ports/clock.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { OpenedDatabase } from "./pool.ts";

/** Class of our two-part advisory locks; the second part is the server's number or a lease's name. */
export const processLockClass = 4_718_231;
export const leaseLockClass = 4_718_232;

const beatMs = 1_000;
/** Age of the last heartbeat, by the database's clock, at which a server is declared dead. */
export const silentMs = 3_000;
/** The same if its connection is closed as well. Usually the server has crashed, but it may be reconnecting. */
const goneMs = 2_000;
/** After a longer gap this server may not judge others: the database may have been unreachable for all. */
const gapMs = 2_000;
const beatsAfterGap = 2;
/** Counts only time in which this process runs. */
const answerMs = 5_000;
const reconnectMs = 250;
const startStepMs = 100;
/** Two own heartbeats and some margin for a busy machine: by then every doubt is resolved. */
const startWaitMs = 8_000;

interface ProcessesOptions {
  self: ProcessId;
  database: Pick<OpenedDatabase, "url" | "db" | "isAway">;
  clock: Clock;
  logger: Pick<Logger, "info" | "warn" | "error">;
  /** No other machine can reach this database: all other rows are of dead servers. */
  isAlone: boolean;
}

/** This server's own connection, with its locks. */
export interface ProcessSession {
  ask<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]>;
  readonly ended: AbortSignal;
}

/** Takes over a dead server's work; returns whether nothing is left. Called again after false or a failure. */
export type TakeOver = (dead: ProcessId) => Promise<boolean>;

/**
 * The servers of this database (decision 029). Each has a row with a heartbeat every second, and holds a lock on its
 * own connection as long as it lives. A server is declared dead if
 *
 * - its heartbeat is 3 s old by the database's clock, which includes hanging servers and network failures;
 * - or its heartbeat is 2 s old and its lock is free although PostgreSQL has not restarted since: after `kill -9`.
 *
 * After an outage of the database every heartbeat is stale. So a server judges others only after two heartbeats since
 * its own last gap, or when it has just started and sees the lock free. A server that was declared dead stays dead: it
 * reads so at its next heartbeat and must shut down.
 */
export class Processes implements AsyncDisposable {
  readonly self: ProcessId;
  /** Resolves when others have declared this server dead. */
  readonly lost: Promise<void>;
  readonly #options: ProcessesOptions;
  readonly #turns = new Emitter<[askedAtMs: number]>();
  #tellLost: () => void = () => undefined;
  #lockNumber = 0;
  #connection: Connection | null = null;
  #hasLock = false;
  #beatAtMs: number | null = null;
  /** Heartbeats without a gap; the first one after a gap counts as 0. */
  #steadyBeats = 0;
  #takeOver: TakeOver | null = null;
  #taking: Promise<void> | null = null;
  readonly #unfinished = new Set<ProcessId>();
  #running: Promise<void> = Promise.resolve();
  #goOn: () => void = () => undefined;
  #failingSinceMs: number | null = null;
  #isFailureLogged = false;
  #isDraining = false;
  #isLost = false;
  #isStopping = false;

  private constructor(options: ProcessesOptions) {
    this.#options = options;
    this.self = options.self;
    this.lost = new Promise((resolve) => (this.#tellLost = resolve));
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  static async open(options: ProcessesOptions): Promise<Processes> {
    const processes = new Processes(options);
    const { db } = options.database;
    const { lock_number } = await db
      .insertInto("processes")
      .values({ id: processes.self, dead_at: null })
      .returning("lock_number")
      .executeTakeFirstOrThrow();
    processes.#lockNumber = lock_number;
    try {
      await processes.#turn();
    } catch (error) {
      await processes[Symbol.asyncDispose]();
      throw error;
    }
    processes.#running = processes.#run();
    return processes;
  }

  get session(): ProcessSession | null {
    return this.#connection;
  }

  async living(): Promise<ReadonlySet<ProcessId>> {
    const { db } = this.#options.database;
    const rows = await db.selectFrom("processes").select("id").where("dead_at", "is", null).execute();
    return new Set(rows.map(({ id }) => id));
  }

  /** Whether other servers are running and not draining. */
  async areOthers(): Promise<boolean> {
    const { db } = this.#options.database;
    const others = db.selectFrom("processes").select("id").where("dead_at", "is", null).where("draining", "=", false);
    return (await others.where("id", "<>", this.self).limit(1).executeTakeFirst()) !== undefined;
  }

  /** Emits after every successful heartbeat; `askedAtMs` is its start by the monotonic clock. */
  onTurn(listener: (askedAtMs: number) => void): Disposable {
    return this.#turns.on(listener);
  }

  beatNow(): void {
    this.#goOn();
  }

  /** Resolves when all that are dead by now are done; one that was just killed has to be silent first. */
  async takeOver(work: TakeOver): Promise<void> {
    const untilMs = performance.now() + startWaitMs;
    do {
      await this.#judge({ isStarting: true });
      await this.#takeDead(work);
      if (!(await this.#hasDisconnectedServer())) break;
      await delay(startStepMs);
    } while (performance.now() < untilMs);
    this.#takeOver = work;
  }

  /** Marks this server as draining, and waits for a running takeover. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await this.#taking;
    const { db } = this.#options.database;
    const own = db.updateTable("processes").set({ draining: true }).where("id", "=", this.self);
    await own.execute().catch(this.#stopFailed);
  }

  /** Removes this server's row; its rooms must have ended. A server declared dead leaves the row until the takeover. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDraining = true;
    this.#isStopping = true;
    this.#goOn();
    await this.#running;
    await this.#taking;
    const { db } = this.#options.database;
    const own = db.deleteFrom("processes").where("id", "=", this.self).where("dead_at", "is", null);
    await own.execute().catch(this.#stopFailed);
    this.#connection?.hangUp();
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      await this.#pause();
      if (this.#isStopping) return;
      try {
        if (await this.#turn()) continue;
        this.#isLost = true;
        return this.#tellLost();
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  /** Logs failing heartbeats once. The pool's heartbeat logs outages of the database. */
  readonly #failed = (error: unknown) => {
    const { logger, clock, database } = this.#options;
    const nowMs = clock.monotonicMs();
    this.#failingSinceMs ??= nowMs;
    if (this.#isFailureLogged || this.#isStopping || database.isAway || nowMs - this.#failingSinceMs < gapMs) return;
    this.#isFailureLogged = true;
    logger.warn({ err: error }, "server heartbeat failed");
  };

  readonly #stopFailed = (error: unknown) =>
    this.#options.logger.warn({ err: error }, "failed to announce shutdown to other servers");

  #succeeded(): void {
    this.#failingSinceMs = null;
    if (this.#isFailureLogged) this.#options.logger.info("server heartbeat recovered");
    this.#isFailureLogged = false;
  }

  /** False if this server was declared dead. */
  async #turn(): Promise<boolean> {
    const { clock } = this.#options;
    const askedAtMs = clock.monotonicMs();
    const beat = this.#beat();
    let limit: PauseTolerantTimeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      limit = new PauseTolerantTimeout(clock, answerMs, () => reject(new Error(`no answer in ${answerMs} ms`)));
    });
    let others: number | null;
    try {
      others = await Promise.race([beat, late]);
    } catch (error) {
      this.#connection?.hangUp();
      // The query on the abandoned connection fails as well.
      beat.catch(() => undefined);
      throw error;
    } finally {
      limit?.[Symbol.dispose]();
    }
    if (others === null) return false;
    this.#succeeded();
    const nowMs = clock.monotonicMs();
    const hasGap = this.#beatAtMs === null || nowMs - this.#beatAtMs > gapMs;
    this.#steadyBeats = hasGap ? 0 : this.#steadyBeats + 1;
    this.#beatAtMs = nowMs;
    this.#turns.emit(askedAtMs);
    if (others > 0 || this.#unfinished.size > 0) this.#care();
    return true;
  }

  /** Number of other servers; null if this server was declared dead. */
  async #beat(): Promise<number | null> {
    const { ask } = this.#connection ?? (await this.#connect());
    if (!this.#hasLock) {
      const [lock] = await ask<{ taken: boolean }>("select pg_try_advisory_lock($1, $2) as taken", [
        processLockClass,
        this.#lockNumber,
      ]);
      this.#hasLock = lock?.taken ?? false;
    }
    const [beaten] = await ask<{ others: number }>(
      `update processes set beat_at = clock_timestamp() where id = $1 and dead_at is null
       returning (select count(*)::integer from processes as other where other.id <> $1) as others`,
      [this.self],
    );
    return beaten?.others ?? null;
  }

  async #connect(): Promise<Connection> {
    const connection = new Connection(this.#options.database.url, () => {
      if (this.#connection === connection) this.#connection = null;
      this.#hasLock = false;
      this.#goOn();
    });
    // Set before it opens, so that a timeout closes it.
    this.#connection = connection;
    await connection.open();
    return connection;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#options.clock.after(this.#connection ? beatMs : reconnectMs, resolve);
      this.#goOn = () => {
        timer[Symbol.dispose]();
        resolve();
      };
    });
  }

  #care(): void {
    const takeOver = this.#takeOver;
    if (!takeOver || this.#taking || this.#isDraining) return;
    const isSteady = this.#steadyBeats >= beatsAfterGap;
    const work = async () => {
      if (isSteady) await this.#judge({ isStarting: false });
      await this.#takeDead(takeOver);
    };
    this.#taking = work()
      .catch((error: unknown) => this.#options.logger.error({ err: error }, "failed to take over from dead server"))
      .then(() => void (this.#taking = null));
  }

  async #judge({ isStarting }: { isStarting: boolean }): Promise<void> {
    const { database, isAlone, logger } = this.#options;
    const isSteady = this.#steadyBeats >= beatsAfterGap;
    const { rows } = await sql<{ id: string; silent_ms: number }>`
      update processes set dead_at = clock_timestamp()
      where id <> ${this.self} and dead_at is null and (
        ${isStarting && isAlone}
        or ${isSteady} and beat_at < clock_timestamp() - ${silentMs} * interval '1 millisecond'
        or ${isSteady || isStarting} and beat_at < clock_timestamp() - ${goneMs} * interval '1 millisecond'
          and beat_at > pg_postmaster_start_time() and not ${isConnected}
      )
      returning id, (extract(epoch from clock_timestamp() - beat_at) * 1000)::integer as silent_ms`.execute(
      database.db,
    );
    for (const { id, silent_ms } of rows) logger.warn({ process: id, silentMs: silent_ms }, "declared server dead");
  }

  /** A failure does not block the other servers' takeovers, and is retried. */
  async #takeDead(work: TakeOver): Promise<void> {
    const { db } = this.#options.database;
    const dead = await db.selectFrom("processes").select("id").where("dead_at", "is not", null).execute();
    for (const { id } of dead) if (id !== this.self) this.#unfinished.add(id);
    const failures: unknown[] = [];
    for (const id of this.#unfinished) {
      if (this.#isDraining) break;
      try {
        await this.#endConnection(id);
        if (!(await work(id))) continue;
        await db.deleteFrom("processes").where("id", "=", id).execute();
        this.#unfinished.delete(id);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** A hanging server keeps its connection and thus all its leases: terminate it. */
  async #endConnection(id: ProcessId): Promise<void> {
    await sql`
      select pg_terminate_backend(pid) from pg_locks
      join processes on objid = lock_number join pg_database on pg_database.oid = pg_locks.database
      where id = ${id} and locktype = 'advisory' and granted and datname = current_database()
        and classid = ${sql.lit(processLockClass)} and objsubid = 2`.execute(this.#options.database.db);
  }

  /** Whether a server may have been killed, which only more silence shows. */
  async #hasDisconnectedServer(): Promise<boolean> {
    const { rows } = await sql`
      select from processes where id <> ${this.self} and dead_at is null and not ${isConnected} limit 1`.execute(
      this.#options.database.db,
    );
    return rows.length > 0;
  }
}

/** Condition on a row of `processes`: the server holds its lock. */
export const isConnected = sql<boolean>`exists (
  select from pg_locks join pg_database on pg_database.oid = pg_locks.database
  where locktype = 'advisory' and granted and datname = current_database()
    and classid = ${sql.lit(processLockClass)} and objid = processes.lock_number and objsubid = 2
)`;

/** A connection that reports its end at once, and whose waiting queries then fail. */
class Connection implements ProcessSession {
  readonly #client: pg.Client;
  readonly #socket = new Socket();
  readonly #over = new AbortController();
  #last: Promise<unknown> = Promise.resolve();
  readonly #ended: () => void;

  constructor(url: string, ended: () => void) {
    this.#ended = ended;
    this.#client = new pg.Client({
      connectionString: url,
      application_name: `fava-process-${process.pid}`,
      keepAlive: true,
      stream: () => this.#socket,
    });
    // An error without a listener would end this process.
    this.#client.on("error", () => this.hangUp());
    this.#client.on("end", () => this.hangUp());
  }

  get ended(): AbortSignal {
    return this.#over.signal;
  }

  async open(): Promise<void> {
    const opening = this.#open();
    this.#last = opening.catch(() => this.hangUp());
    await opening;
  }

  /** One query at a time, as the driver requires. */
  readonly ask = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    const answered = this.#last.then(() => {
      // The driver never answers queries of a client whose connection failed to open.
      this.ended.throwIfAborted();
      return this.#client.query<Row>(text, [...values]);
    });
    this.#last = answered.catch(() => undefined);
    const { rows } = await answered;
    return rows;
  };

  async #open(): Promise<void> {
    await this.#client.connect();
    // The locks of a machine that vanished are released after half a minute. A heartbeat need not be durable.
    await this.#client.query(
      "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4; set synchronous_commit = off",
    );
  }

  hangUp(): void {
    this.#socket.destroy();
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#ended();
  }
}
