import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { ensureDaysOf, isCallBetween } from "#db/call-days.ts";
import { prepared } from "#db/prepared.ts";
import type { Database } from "#db/schema.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { RetryPauses, retry } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { UnwrittenCall } from "#ports/directory.ts";
import { type Epoch, type NewRoom, type ProcessId, type RoomClaims, RoomNotStoredError } from "#ports/room-claims.ts";
import type { CallEventKind, EndReason } from "./room-machine.ts";

/** Stores calls. Never waits and never throws: calls continue while the database is slow. */
export interface CallLog extends Pick<RoomClaims, "make"> {
  connected(room: RoomPeople, atMs: number): void;
  ended(callId: string, end: { atMs: number; reason: EndReason }): void;
  event(row: CallEventRow): void;
  /** Whether too many rows wait to be written for new calls to begin. */
  isOverloaded(): boolean;
  /** The user's calls of which the database lacks the row or the time of connection. */
  unwrittenOf(userId: bigint): readonly UnwrittenCall[];
}

export type RoomPeople = Pick<NewRoom, "id" | "offererId" | "answererId">;

/** A longer delay saves commits. A crash loses the rows of this time. */
const flushAfterMs = 250;
const flushAtRows = 500;
const retryDelaysMs = [100, 500, 2_000] as const;
const outageDelayMs = 1_000;

export interface CallStoreLimits {
  /** From this many waiting rows on, no new match is made. */
  readonly waitingRowsMax: number;
  /** From this many waiting rows on, events of running calls are counted and dropped. */
  readonly waitingRowsHardMax: number;
}

const firstEpoch: Epoch = 1;

const limitsDefault: CallStoreLimits = { waitingRowsMax: 20_000, waitingRowsHardMax: 60_000 };

/**
 * Writes calls in batches, since one commit per match would limit the server. A crash loses the rows of the last batch.
 * A late write cannot change a call that another server owns (rule START-70).
 */
export class CallStore implements CallLog, AsyncDisposable {
  readonly #db: Kysely<Database>;
  readonly #self: ProcessId;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #limits: CallStoreLimits;
  /** Still works while the server stops, so that a slow database has time to recover. */
  readonly #pauses: RetryPauses;
  readonly #knownDays = new Set<number>();
  #batch = new CallBatch();
  #writingBatch: CallBatch | null = null;
  #droppedEvents = 0;
  #writing: Promise<void> | null = null;
  #timer: Disposable | null = null;
  #stopping = false;

  constructor(options: {
    db: Kysely<Database>;
    self: ProcessId;
    clock: Clock;
    logger: Logger;
    limits?: CallStoreLimits;
  }) {
    this.#limits = options.limits ?? limitsDefault;
    this.#db = options.db;
    this.#self = options.self;
    this.#clock = options.clock;
    this.#pauses = new RetryPauses(options.clock);
    this.#logger = options.logger;
  }

  make(room: NewRoom): Promise<Epoch> {
    this.#batch.made(room);
    this.#schedule();
    const made = this.#batch.stored.then(() => firstEpoch);
    // Most callers do not await `made`, so a rejection must not count as unhandled.
    made.catch(() => undefined);
    return made;
  }

  connected(room: RoomPeople, atMs: number): void {
    this.#batch.connected(room, atMs);
    this.#schedule();
  }

  ended(callId: string, end: { atMs: number; reason: EndReason }): void {
    this.#batch.ended(callId, end);
    this.#schedule();
  }

  event(row: CallEventRow): void {
    if (this.#waitingRows() >= this.#limits.waitingRowsHardMax) {
      this.#droppedEvents += 1;
      return;
    }
    this.#batch.events.push(row);
    this.#schedule();
  }

  isOverloaded(): boolean {
    return this.#waitingRows() >= this.#limits.waitingRowsMax;
  }

  unwrittenOf(userId: bigint): readonly UnwrittenCall[] {
    return [...this.#batch.of(userId), ...(this.#writingBatch?.of(userId) ?? [])];
  }

  /** Writes everything recorded so far; resolves when it is stored, or the retries have ended. */
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
    return this.#batch.rowCount + (this.#writingBatch?.rowCount ?? 0);
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

  /** Never rejects: a failed batch is retried later. */
  async #writeBatch(): Promise<void> {
    const batch = this.#batch;
    this.#batch = new CallBatch();
    this.#writingBatch = batch;
    try {
      await this.#tryToWrite(batch);
      batch.settle(null);
    } catch (error) {
      batch.settle(new RoomNotStoredError("the call could not be written", { cause: error }));
      this.#logger.error(
        { err: new Error("given up", { cause: error }), rows: batch.rowCount },
        "failed to write calls, giving up",
      );
    }
    if (this.#droppedEvents > 0)
      this.#logger.error({ events: this.#droppedEvents }, "dropped call events, queue is full");
    this.#droppedEvents = 0;
    this.#writingBatch = null;
    this.#writing = null;
    if (this.#batch.rowCount > 0) this.#schedule();
  }

  async #tryToWrite(batch: CallBatch): Promise<void> {
    let tries = 0;
    const write = async () => {
      // Partitions are created ahead; this creates a missing one, so that no call is lost.
      await ensureDaysOf(this.#db, [...batch.inserts.keys()], this.#knownDays);
      await writeCalls(this.#db, batch, this.#self);
    };
    await retry(write, {
      pauses: this.#pauses,
      delayMs: (error) => {
        const isOutage = error instanceof DatabaseUnavailableError && !this.#stopping;
        const delayMs = isOutage ? outageDelayMs : retryDelaysMs[tries++];
        if (delayMs === undefined) return null;
        this.#logger.warn({ err: error, rows: batch.rowCount, delayMs }, "failed to write calls, retrying");
        return delayMs;
      },
    });
  }
}

/**
 * Writes a batch in one statement, so with one commit and one round trip. The statement is planned each time, for the
 * days of its calls (`db/pool.ts`). `on conflict`: a write whose commit was not confirmed is retried. Does not change
 * calls that another server owns, or will own because this server was declared dead. Leaves out events of a call whose
 * row could not be stored, because they would fail the whole batch. A statement does not see the rows that it inserts.
 */
async function writeCalls(
  db: Kysely<Database>,
  { inserts, changes, events }: CallBatch,
  self: ProcessId,
): Promise<void> {
  const made = [...inserts.values()];
  const changed = [...changes.entries()];
  const eventIds = events.map((row) => row.callId);
  await sql`
    ${prepared("write_calls")} with made as (
      insert into calls (
        id, offerer_id, answerer_id, offerer_price, answerer_price, matched_at, connected_at, ended_at, end_reason,
        owner, owner_epoch
      )
      select
        id, offerer_id, answerer_id, offerer_price, answerer_price, to_timestamp(matched_at / 1000.0),
        to_timestamp(connected_at / 1000.0), to_timestamp(ended_at / 1000.0), end_reason,
        ${self}, ${firstEpoch}::integer
      from unnest(
        ${column(made, (row) => row.id)}::text[],
        ${column(made, (row) => row.offererId)}::bigint[],
        ${column(made, (row) => row.answererId)}::bigint[],
        ${column(made, (row) => row.offererPrice)}::integer[],
        ${column(made, (row) => row.answererPrice)}::integer[],
        ${column(made, (row) => row.matchedAtMs)}::bigint[],
        ${column(made, (row) => row.connectedAtMs)}::bigint[],
        ${column(made, (row) => row.endedAtMs)}::bigint[],
        ${column(made, (row) => row.endReason)}::text[]
      ) as row (
        id, offerer_id, answerer_id, offerer_price, answerer_price, matched_at, connected_at, ended_at, end_reason
      ) on conflict (id) do nothing
      returning id
    ), changed as (
      update calls set
        connected_at = coalesce(calls.connected_at, to_timestamp(change.connected_at / 1000.0)),
        ended_at = coalesce(calls.ended_at, to_timestamp(change.ended_at / 1000.0)),
        end_reason = coalesce(calls.end_reason, change.end_reason)
      from unnest(
        ${column(changed, ([id]) => id)}::text[],
        ${column(changed, ([, change]) => change.connectedAtMs)}::bigint[],
        ${column(changed, ([, change]) => change.endedAtMs)}::bigint[],
        ${column(changed, ([, change]) => change.endReason)}::text[]
      ) as change (id, connected_at, ended_at, end_reason)
      where calls.id = change.id and ${isCallBetween("calls.id", [...changes.keys()])} and calls.owner = ${self}
        and not exists (select from processes where processes.id = ${self} and dead_at is not null)
    )
    insert into call_events (call_id, user_id, kind, at)
    select event.call_id, event.user_id, event.kind, to_timestamp(event.at / 1000.0) from unnest(
      ${column(eventIds, (id) => id)}::text[],
      ${column(events, (row) => row.userId)}::bigint[],
      ${column(events, (row) => row.kind)}::text[],
      ${column(events, (row) => row.atMs)}::bigint[]
    ) as event (call_id, user_id, kind, at)
    where exists (select from made where made.id = event.call_id)
      or (
        select calls.owner = ${self} from calls
        where calls.id = event.call_id and ${isCallBetween("calls.id", eventIds)} limit 1
      )`.execute(db);
}

/** Writes a column as an array literal, since the driver is slow. Keywords and base64url ids need no escaping. */
function column<Row>(rows: readonly Row[], pick: (row: Row) => string | number | bigint | null): string {
  return `{${rows.map((row) => pick(row) ?? "NULL").join(",")}}`;
}

interface CallChange {
  /** Null if the change only ends a stored call. */
  people: Omit<RoomPeople, "id"> | null;
  connectedAtMs: number | null;
  endedAtMs: number | null;
  endReason: EndReason | null;
}

export interface CallEventRow {
  readonly callId: string;
  readonly userId: bigint | null;
  readonly kind: CallEventKind;
  readonly atMs: number;
}

/** Changes since the last write. Inserts and updates each call at most once. */
class CallBatch {
  readonly inserts = new Map<string, NewRoom & CallChange>();
  readonly changes = new Map<string, CallChange>();
  readonly events: CallEventRow[] = [];
  readonly stored: Promise<void>;
  #settle: (failure: RoomNotStoredError | null) => void = () => undefined;

  constructor() {
    this.stored = new Promise((resolve, reject) => {
      this.#settle = (failure) => (failure ? reject(failure) : resolve());
    });
    this.stored.catch(() => undefined);
  }

  settle(failure: RoomNotStoredError | null): void {
    this.#settle(failure);
  }

  get rowCount(): number {
    return this.inserts.size + this.changes.size + this.events.length;
  }

  made(room: NewRoom): void {
    this.inserts.set(room.id, { ...room, people: room, connectedAtMs: null, endedAtMs: null, endReason: null });
  }

  connected(room: RoomPeople, atMs: number): void {
    const change = this.#changeOf(room.id);
    change.people = room;
    change.connectedAtMs = atMs;
  }

  ended(callId: string, end: { atMs: number; reason: EndReason }): void {
    const change = this.#changeOf(callId);
    change.endedAtMs = end.atMs;
    change.endReason = end.reason;
  }

  of(userId: bigint): UnwrittenCall[] {
    return [...this.inserts, ...this.changes].flatMap(([id, { people, connectedAtMs, endedAtMs }]) => {
      if (people?.offererId !== userId && people?.answererId !== userId) return [];
      const otherId = people.offererId === userId ? people.answererId : people.offererId;
      return [{ id, otherId, connectedAtMs, endedAtMs }];
    });
  }

  #changeOf(callId: string): CallChange {
    const known = this.inserts.get(callId) ?? this.changes.get(callId);
    if (known) return known;
    const change: CallChange = { people: null, connectedAtMs: null, endedAtMs: null, endReason: null };
    this.changes.set(callId, change);
    return change;
  }
}
