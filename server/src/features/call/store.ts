import { type Kysely, sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import { CallBatch, type CallChange, type CallEventRow, type CallRow } from "./call-batch.ts";
import type { EndReason } from "./room-machine.ts";

/** Where calls are written down. Never waits and never throws: calls go on while the database is slow. */
export interface CallLog {
  matched(row: CallRow): void;
  connected(callId: string, atMs: number): void;
  ended(callId: string, end: { atMs: number; reason: EndReason }): void;
  event(row: CallEventRow): void;
  /** So much is waiting to be written that no new call should begin. */
  isOverloaded(): boolean;
}

const flushAfterMs = 50;
const flushAtRows = 500;
/** Beyond this no new match is made; beyond the second number events of running calls are counted and dropped. */
const waitingRowsMax = 20_000;
const waitingRowsHardMax = 60_000;
const retryDelaysMs = [100, 500, 2_000] as const;

/**
 * Writes calls behind, many rows at a time: one commit per match would be the limit of the whole server. What a crash
 * loses is the last moment of a call log; `endLeftoverCalls` closes what it left open.
 */
export class CallStore implements CallLog, AsyncDisposable {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #batch = new CallBatch();
  #writingRows = 0;
  #droppedEvents = 0;
  #writing: Promise<void> | null = null;
  #timer: Disposable | null = null;
  #stopping = false;

  constructor(options: { db: Kysely<Database>; clock: Clock; logger: Logger }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  matched(row: CallRow): void {
    this.#batch.matched(row);
    this.#schedule();
  }

  connected(callId: string, atMs: number): void {
    this.#batch.connected(callId, atMs);
    this.#schedule();
  }

  ended(callId: string, end: { atMs: number; reason: EndReason }): void {
    this.#batch.ended(callId, end);
    this.#schedule();
  }

  event(row: CallEventRow): void {
    if (this.#waitingRows() >= waitingRowsHardMax) {
      this.#droppedEvents += 1;
      return;
    }
    this.#batch.events.push(row);
    this.#schedule();
  }

  isOverloaded(): boolean {
    return this.#waitingRows() >= waitingRowsMax;
  }

  /** Writes everything recorded so far; resolves when it is stored, or given up. */
  async flush(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = null;
    while (this.#writing || this.#batch.rowCount > 0) await (this.#writing ??= this.#writeBatch());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    await this.flush();
  }

  #waitingRows(): number {
    return this.#batch.rowCount + this.#writingRows;
  }

  #schedule(): void {
    if (this.#writing || this.#stopping) return;
    if (this.#batch.rowCount >= flushAtRows) {
      this.#timer?.[Symbol.dispose]();
      this.#startWriting();
    } else {
      this.#timer ??= this.#clock.after(flushAfterMs, () => this.#startWriting());
    }
  }

  #startWriting(): void {
    this.#timer = null;
    this.#writing ??= this.#writeBatch();
  }

  /** Never rejects. */
  async #writeBatch(): Promise<void> {
    const batch = this.#batch;
    this.#batch = new CallBatch();
    this.#writingRows = batch.rowCount;
    try {
      await this.#tryToWrite(batch);
    } catch (error) {
      this.#logger.error({ err: error, rows: batch.rowCount }, "calls could not be written and are lost");
    }
    if (this.#droppedEvents > 0) this.#logger.error({ events: this.#droppedEvents }, "call events dropped");
    this.#droppedEvents = 0;
    this.#writingRows = 0;
    this.#writing = null;
    if (this.#batch.rowCount > 0) this.#schedule();
  }

  async #tryToWrite(batch: CallBatch): Promise<void> {
    for (const delayMs of retryDelaysMs) {
      try {
        return await this.#write(batch);
      } catch (error) {
        this.#logger.warn({ err: error, rows: batch.rowCount, delayMs }, "calls could not be written; trying again");
        await new Promise<void>((resolve) => this.#clock.after(delayMs, resolve));
      }
    }
    await this.#write(batch);
  }

  async #write(batch: CallBatch): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      if (batch.inserts.size > 0) await insertCalls(transaction, [...batch.inserts.values()]);
      if (batch.changes.size > 0) await changeCalls(transaction, batch.changes);
      if (batch.events.length > 0) await insertEvents(transaction, batch.events);
    });
  }
}

/** Ends the calls that an earlier run of the server left open; answers how many. Nobody pays for them (rule START-6). */
export async function endLeftoverCalls(db: Kysely<Database>, nowMs: number): Promise<number> {
  const at = new Date(nowMs);
  const { rows } = await sql`
    with ended as (
      update calls set ended_at = greatest(${at}::timestamptz, matched_at), end_reason = 'restart'
      where ended_at is null
      returning id, ended_at
    )
    insert into call_events (call_id, user_id, kind, at)
    select id, null, 'ended', ended_at from ended
    returning call_id`.execute(db);
  return rows.length;
}

type Writer = Transaction<Database>;

/** `on conflict`: a write whose commit was not confirmed is tried again. */
async function insertCalls(db: Writer, rows: readonly (CallRow & CallChange)[]): Promise<void> {
  await sql`
    insert into calls (
      id, offerer_id, answerer_id, offerer_price, answerer_price, matched_at, connected_at, ended_at, end_reason
    )
    select * from unnest(
      ${rows.map((row) => row.id)}::text[],
      ${rows.map((row) => String(row.offererId))}::bigint[],
      ${rows.map((row) => String(row.answererId))}::bigint[],
      ${rows.map((row) => row.offererPrice)}::integer[],
      ${rows.map((row) => row.answererPrice)}::integer[],
      ${rows.map((row) => isoTime(row.matchedAtMs))}::timestamptz[],
      ${rows.map((row) => isoTime(row.connectedAtMs))}::timestamptz[],
      ${rows.map((row) => isoTime(row.endedAtMs))}::timestamptz[],
      ${rows.map((row) => row.endReason)}::text[]
    ) on conflict (id) do nothing`.execute(db);
}

async function changeCalls(db: Writer, changes: ReadonlyMap<string, CallChange>): Promise<void> {
  const rows = [...changes.entries()];
  await sql`
    update calls set
      connected_at = coalesce(calls.connected_at, change.connected_at),
      ended_at = coalesce(calls.ended_at, change.ended_at),
      end_reason = coalesce(calls.end_reason, change.end_reason)
    from unnest(
      ${rows.map(([id]) => id)}::text[],
      ${rows.map(([, change]) => isoTime(change.connectedAtMs))}::timestamptz[],
      ${rows.map(([, change]) => isoTime(change.endedAtMs))}::timestamptz[],
      ${rows.map(([, change]) => change.endReason)}::text[]
    ) as change (id, connected_at, ended_at, end_reason)
    where calls.id = change.id`.execute(db);
}

/** Events of a call whose own row was given up earlier are left out, or they would take the whole batch with them. */
async function insertEvents(db: Writer, rows: readonly CallEventRow[]): Promise<void> {
  await sql`
    insert into call_events (call_id, user_id, kind, at)
    select event.call_id, event.user_id, event.kind, event.at from unnest(
      ${rows.map((row) => row.callId)}::text[],
      ${rows.map((row) => (row.userId === null ? null : String(row.userId)))}::bigint[],
      ${rows.map((row) => row.kind)}::text[],
      ${rows.map((row) => isoTime(row.atMs))}::timestamptz[]
    ) as event (call_id, user_id, kind, at)
    where exists (select from calls where calls.id = event.call_id)`.execute(db);
}

function isoTime(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
