import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import { AwakeLimit } from "#lib/awake-limit.ts";
import { Emitter } from "#lib/emitter.ts";
import type { Clock } from "#ports/clock.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { OpenedDatabase } from "./pool.ts";

/** First half of our advisory locks with two halves; the second is the process's number, or a lease's name. */
export const processLockClass = 4_718_231;
export const leaseLockClass = 4_718_232;

const beatMs = 1_000;
/** How long a beat may be missing, by the clock of the database, until others take the process for dead. */
export const silentMs = 3_000;
/** The same where its connection is gone as well: as a rule the process is, too, but it may just be connecting anew. */
const goneMs = 2_000;
/** More than this between two own beats is a gap: whoever could not reach the database cannot say who else could. */
const gapMs = 2_000;
const beatsAfterGap = 2;
/** Of time in which this process ran. */
const answerMs = 5_000;
const reconnectMs = 250;
const startStepMs = 100;
/** What is in doubt is decided by then: two beats of our own, and somewhat more on a busy machine. */
const startWaitMs = 8_000;

interface ProcessesOptions {
  /** This process; random, at each start another. */
  self: ProcessId;
  database: Pick<OpenedDatabase, "url" | "db" | "isAway">;
  clock: Clock;
  logger: Pick<Logger, "info" | "warn" | "error">;
  /** Nobody else can reach this database: whoever stands in the list has died. */
  isAlone: boolean;
}

/** One connection of this process, and whatever it has locked. */
export interface ProcessSession {
  ask<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]>;
  /** Aborted when the connection is over, and its locks with it. */
  readonly ended: AbortSignal;
}

/** Takes what a dead process had; answers whether nothing is left of it. Called again where something is, or it failed. */
export type TakeOver = (dead: ProcessId) => Promise<boolean>;

/**
 * Which processes there are over this database, this one among them (decision 029). Each has a row, beats in it every
 * second, and holds a lock on a connection of its own for as long as it lives. It is taken for dead where
 *
 * - no beat has come for 3 s, by the clock of the database: also one that hangs, or that a broken network keeps away;
 * - or none for 2 s, and its lock is free although the database has not been started anew since: after `kill -9`.
 *
 * After a pause of the database every beat is stale. So only those judge who have had two more beats of their own since
 * they could not beat themselves, or who have just begun and see the lock free. Whoever was taken for dead is dead: it
 * reads so at its next beat, and is to end.
 */
export class Processes implements AsyncDisposable {
  readonly self: ProcessId;
  /** Resolves when others have taken this process for dead. */
  readonly lost: Promise<void>;
  readonly #options: ProcessesOptions;
  readonly #turns = new Emitter<[askedAtMs: number]>();
  #tellLost: () => void = () => undefined;
  #lockNumber = 0;
  #connection: Connection | null = null;
  #hasLock = false;
  #beatAtMs: number | null = null;
  /** Without a gap between them; the first one after a gap is the zeroth. */
  #steadyBeats = 0;
  #takeOver: TakeOver | null = null;
  #taking: Promise<void> | null = null;
  /** The dead that this process has begun with, whoever takes them out of the list meanwhile. */
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

  /** Whether others have taken this process for dead: then they have its calls. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Puts this process into the list. */
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

  /** The connection that stands at present; null while there is none. */
  get session(): ProcessSession | null {
    return this.#connection;
  }

  /** Those that nobody has taken for dead, this one among them. */
  async living(): Promise<ReadonlySet<ProcessId>> {
    const { db } = this.#options.database;
    const rows = await db.selectFrom("processes").select("id").where("dead_at", "is", null).execute();
    return new Set(rows.map(({ id }) => id));
  }

  /** Whether others serve the site, who are not about to stop themselves. */
  async areOthers(): Promise<boolean> {
    const { db } = this.#options.database;
    const others = db.selectFrom("processes").select("id").where("dead_at", "is", null).where("draining", "=", false);
    return (await others.where("id", "<>", this.self).limit(1).executeTakeFirst()) !== undefined;
  }

  /** After every beat that says that this process lives; `askedAtMs` of the monotonic clock is when it began. */
  onTurn(listener: (askedAtMs: number) => void): Disposable {
    return this.#turns.on(listener);
  }

  /** Does not wait for the next beat. */
  beatNow(): void {
    this.#goOn();
  }

  /**
   * From here on this process takes what dead ones had. Resolves when those that had died by now are done with: of one
   * that was killed a moment ago that takes until its silence is long enough.
   */
  async takeOver(work: TakeOver): Promise<void> {
    const untilMs = performance.now() + startWaitMs;
    do {
      await this.#judge({ isStarting: true });
      await this.#takeDead(work);
      if (!(await this.#isSomebodyGone())) break;
      await delay(startStepMs);
    } while (performance.now() < untilMs);
    this.#takeOver = work;
  }

  /** This process is about to stop: it takes nothing more over. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await this.#taking;
    const { db } = this.#options.database;
    const own = db.updateTable("processes").set({ draining: true }).where("id", "=", this.self);
    await own.execute().catch(this.#stopFailed);
  }

  /**
   * Takes this process out of the list; its rooms are to have ended before. One that was taken for dead stays in it until
   * whoever takes its calls is done.
   */
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

  /** Logs failed beats once, and no outage of the database, which is logged by what watches it. */
  readonly #failed = (error: unknown) => {
    const { logger, clock, database } = this.#options;
    const nowMs = clock.monotonicMs();
    this.#failingSinceMs ??= nowMs;
    if (this.#isFailureLogged || this.#isStopping || database.isAway || nowMs - this.#failingSinceMs < gapMs) return;
    this.#isFailureLogged = true;
    logger.warn({ err: error }, "this process could not tell the others that it lives");
  };

  readonly #stopFailed = (error: unknown) =>
    this.#options.logger.warn({ err: error }, "this process could not tell the others that it stops");

  #succeeded(): void {
    this.#failingSinceMs = null;
    if (this.#isFailureLogged) this.#options.logger.info("this process tells the others again that it lives");
    this.#isFailureLogged = false;
  }

  /** Beats, and does what is due; false where this process was taken for dead. */
  async #turn(): Promise<boolean> {
    const { clock } = this.#options;
    const askedAtMs = clock.monotonicMs();
    const beat = this.#beat();
    let limit: AwakeLimit | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      limit = new AwakeLimit(clock, answerMs, () => reject(new Error(`no answer in ${answerMs} ms`)));
    });
    let others: number | null;
    try {
      others = await Promise.race([beat, late]);
    } catch (error) {
      this.#connection?.hangUp();
      // What still waits on the connection that was just given up fails as well.
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

  /** How many others there are; null where this process is among the dead. */
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
    // Before it is open, so that whoever gives up waiting for it hangs it up.
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

  /** Judges, and takes what the dead had, beside the beats. */
  #care(): void {
    const takeOver = this.#takeOver;
    if (!takeOver || this.#taking || this.#isDraining) return;
    const isSteady = this.#steadyBeats >= beatsAfterGap;
    const work = async () => {
      if (isSteady) await this.#judge({ isStarting: false });
      await this.#takeDead(takeOver);
    };
    this.#taking = work()
      .catch((error: unknown) => this.#options.logger.error({ err: error }, "a dead process could not be taken over"))
      .then(() => void (this.#taking = null));
  }

  /** Who is silent for too long is dead from here on, whatever it does. */
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
    for (const { id, silent_ms } of rows)
      logger.warn({ process: id, silentMs: silent_ms }, "a process is taken for dead");
  }

  /** Whichever fails is tried again, and keeps nobody from the others. */
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

  /** One that hangs keeps its connection, and with it every lease that it had: nobody else would ever get them. */
  async #endConnection(id: ProcessId): Promise<void> {
    await sql`
      select pg_terminate_backend(pid) from pg_locks
      join processes on objid = lock_number join pg_database on pg_database.oid = pg_locks.database
      where id = ${id} and locktype = 'advisory' and granted and datname = current_database()
        and classid = ${sql.lit(processLockClass)} and objsubid = 2`.execute(this.#options.database.db);
  }

  /** Whether there is one that may have been killed, which only more of its silence will tell. */
  async #isSomebodyGone(): Promise<boolean> {
    const { rows } = await sql`
      select from processes where id <> ${this.self} and dead_at is null and not ${isConnected} limit 1`.execute(
      this.#options.database.db,
    );
    return rows.length > 0;
  }
}

/** Of the row of `processes` beside it: whether that process holds its lock. */
export const isConnected = sql<boolean>`exists (
  select from pg_locks join pg_database on pg_database.oid = pg_locks.database
  where locktype = 'advisory' and granted and datname = current_database()
    and classid = ${sql.lit(processLockClass)} and objid = processes.lock_number and objsubid = 2
)`;

/** A connection whose end is heard at once, and that hangs nobody up who waits for it. */
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
    // Without a listener a connection that breaks would end this process.
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

  /** One question after the other, as the driver wants it. */
  readonly ask = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    const answered = this.#last.then(() => {
      // The driver never answers a query of a client whose connection did not open.
      this.ended.throwIfAborted();
      return this.#client.query<Row>(text, [...values]);
    });
    this.#last = answered.catch(() => undefined);
    const { rows } = await answered;
    return rows;
  };

  async #open(): Promise<void> {
    await this.#client.connect();
    // The locks of a machine that vanished without a word are free after half a minute. A beat need not be on the disk.
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
