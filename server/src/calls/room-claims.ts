import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { Ledger } from "#billing/ledger.ts";
import { isCallBetween, isCallSince } from "#db/call-days.ts";
import { isConnected, type Processes, silentMs } from "#db/processes.ts";
import type { Database } from "#db/schema.ts";
import { KeyedMutex } from "#lib/keyed-mutex.ts";
import type { Clock } from "#ports/clock.ts";
import type { Peers } from "#ports/peers.ts";
import type { AdoptedRoom, Epoch, RecoveredEnd, NewRoom, ProcessId, RoomClaims } from "#ports/room-claims.ts";
import type { CallLog } from "./call-store.ts";
import { type CallSide, MeterWork } from "./meter-store.ts";

type Db = Kysely<Database>;

interface RoomClaimParts {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly self: ProcessId;
  readonly log: Pick<CallLog, "make">;
}

/** Stores the owners of rooms in `calls`. Each change of owner raises the epoch, which each charge must name. */
export class DatabaseRoomClaims implements RoomClaims {
  readonly #parts: RoomClaimParts;
  #minutesGiven = 0;

  constructor(parts: RoomClaimParts) {
    this.#parts = parts;
  }

  /** Minutes that ran in adopted rooms and that nobody paid. */
  get minutesGiven(): number {
    return this.#minutesGiven;
  }

  make(room: NewRoom): Promise<Epoch> {
    return this.#parts.log.make(room);
  }

  /** Locks calls, then accounts in the order of user ids, as a charge does. So late charges wait and none deadlocks. */
  async adopt(rooms: readonly string[], from: ProcessId | null): Promise<readonly AdoptedRoom[]> {
    const { db, ledger, self } = this.#parts;
    const told: bigint[] = [];
    const adopted = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<AdoptedRoom>`
        update calls set owner = ${self}, owner_epoch = owner_epoch + 1
        where id in (
          select id from calls where id = any (${rooms}::text[]) and owner is not distinct from ${from}
          order by id for update skip locked
        ) and ${isCallBetween("id", rooms)}
        returning id, owner_epoch as epoch`.execute(trx);
      for (const { key, userId } of await openHoldsOf(trx, rows)) {
        await ledger.settleHold(key, 0n, trx);
        told.push(userId);
      }
      return rows;
    });
    for (const userId of told) ledger.announce(userId);
    this.#minutesGiven += told.length;
    return adopted;
  }

  async end(rooms: readonly AdoptedRoom[], reason: RecoveredEnd): Promise<readonly string[]> {
    const { db, clock, self } = this.#parts;
    const ids = rooms.map(({ id }) => id);
    const { rows } = await sql<{ call_id: string }>`
      with ended as (
        update calls set ended_at = greatest(${new Date(clock.nowMs())}::timestamptz, matched_at), end_reason = ${reason}
        from unnest(${ids}::text[], ${rooms.map(({ epoch }) => epoch)}::integer[]) as room (id, epoch)
        where calls.id = room.id and owner_epoch = room.epoch and owner = ${self} and ended_at is null
          and ${isCallBetween("calls.id", ids)}
        returning calls.id, ended_at
      )
      insert into call_events (call_id, user_id, kind, at)
      select id, null, 'ended', ended_at from ended
      returning call_id`.execute(db);
    return rows.map((row) => row.call_id);
  }
}

interface OpenHold extends CallSide {
  readonly key: string;
}

/** Finds holds through the users' accounts, because a call does not refer to its holds. */
async function openHoldsOf(trx: Db, rooms: readonly AdoptedRoom[]): Promise<OpenHold[]> {
  const { rows } = await sql<OpenHold>`
    select hold.key, account.user_id as "userId", hold.reference as "callId"
    from calls
    join bean_accounts as account on account.user_id in (calls.offerer_id, calls.answerer_id) and account.held > 0
    join bean_holds as hold on hold.account_id = account.id and hold.reference = calls.id
    where calls.id = any (${rooms.map(({ id }) => id)}::text[])
      and not exists (select from bean_hold_ends as ended where ended.hold_id = hold.id)
    order by account.user_id, hold.id`.execute(trx);
  return rows;
}

/** Rooms per transaction, which locks the accounts of their users until it commits. */
const roomsAtOnce = 500;
const creditsAtOnce = 8;
/** Nearly every running call is younger than this. */
const liveCallMs = 86_400_000;

export type AdoptionOutcome = RecoveredEnd | "goes on";

interface RecoveryOptions extends Omit<RoomClaimParts, "log"> {
  readonly claims: Pick<RoomClaims, "adopt" | "end"> & { readonly minutesGiven?: number };
  /** Continues or ends the rooms. Returns the outcome of each that had not ended. */
  readonly adoption: { goOn(rooms: readonly AdoptedRoom[]): Promise<ReadonlyMap<string, AdoptionOutcome>> };
  readonly logger: Pick<Logger, "warn">;
}

interface Recovered {
  adopted: number;
  ended: number;
  credited: bigint;
}

/** Rooms that are being adopted, until they continue or have ended. Value: how the room will end; null if undecided. */
type Unsettled = Map<string, RecoveredEnd | null>;

interface Settling {
  readonly unsettled: Unsettled;
  readonly mayGoOn: boolean;
  readonly recovered: Recovered;
}

/** How long a page looks for its server after the server died. A call left alone for longer has no page. */
const goesOnWithinMs = 60_000;

/**
 * Adopts the calls of dead servers without charging the running minute. Continues a call in which both users had video.
 * Ends any other and refunds its cost after a restart (rules CALL-130, START-66 and START-70). Idempotent: after a
 * failure, the next try begins with the rooms that this server already owns.
 */
export class CallRecovery {
  readonly #options: RecoveryOptions;
  readonly #work: MeterWork;
  readonly #total: Recovered = { adopted: 0, ended: 0, credited: 0n };
  /** Serializes adoptions from the same dead server. */
  readonly #turns = new KeyedMutex<ProcessId | null>();
  /** By previous owner, until that owner has no rooms left. */
  readonly #unsettled = new Map<ProcessId | null, Unsettled>();

  constructor(options: RecoveryOptions) {
    this.#options = options;
    this.#work = new MeterWork(options);
  }

  get figures(): Readonly<Recovered> & { readonly minutesGiven: number } {
    return { ...this.#total, minutesGiven: this.#options.claims.minutesGiven ?? 0 };
  }

  /** Continues or ends the calls of a dead server (null: calls without owner). Returns whether none is left. */
  async takeOver(dead: ProcessId | null): Promise<boolean> {
    const { claims, self } = this.#options;
    const recovered: Recovered = { adopted: 0, ended: 0, credited: 0n };
    const unsettled = this.#unsettledOf(dead);
    const takeNext = async (mayGoOn: boolean) => {
      const left = await this.#roomsOf(dead);
      for (const id of left) if (!unsettled.has(id)) unsettled.set(id, null);
      const rooms = left.length > 0 ? left : await this.#ownOf(unsettled);
      const taken = rooms.length === 0 ? [] : await claims.adopt(rooms, left.length > 0 ? dead : self);
      if (taken.length > 0) await this.#settle(taken, { unsettled, mayGoOn, recovered });
      if (rooms.length === 0) this.#unsettled.delete(dead);
      return { isDone: rooms.length === 0, isStuck: taken.length === 0 };
    };
    try {
      const mayGoOn = await this.#diedJustNow(dead);
      for (;;) {
        const { isDone, isStuck } = await this.#turns.run(dead, () => takeNext(mayGoOn));
        if (isDone || isStuck) return isDone;
      }
    } finally {
      this.#tell(dead, recovered);
    }
  }

  /**
   * Adopts one call.
   * @returns the call's epoch; null if another server has the call or is adopting it.
   */
  take(id: string, owner: ProcessId | null): Promise<Epoch | null> {
    return this.#turns.run(owner, async () => {
      const taken = await this.#options.claims.adopt([id], owner);
      if (!taken[0]) return null;
      const recovered: Recovered = { adopted: 0, ended: 0, credited: 0n };
      const unsettled = this.#unsettledOf(owner);
      unsettled.set(id, unsettled.get(id) ?? null);
      try {
        // If this fails, the next `takeOver` finishes it.
        await this.#settle(taken, { unsettled, mayGoOn: true, recovered });
      } finally {
        this.#count(recovered);
      }
      return taken[0].epoch;
    });
  }

  #unsettledOf(dead: ProcessId | null): Unsettled {
    const known = this.#unsettled.get(dead);
    if (known) return known;
    const unsettled: Unsettled = new Map();
    this.#unsettled.set(dead, unsettled);
    return unsettled;
  }

  async #settle(taken: readonly AdoptedRoom[], { unsettled, mayGoOn, recovered }: Settling): Promise<void> {
    const { claims, adoption } = this.#options;
    const undecided = taken.filter(({ id }) => !unsettled.get(id));
    const outcomes = mayGoOn ? await adoption.goOn(undecided) : new Map<string, AdoptionOutcome>();
    for (const { id } of undecided) {
      const outcome = outcomes.get(id) ?? "restart";
      if (outcome !== "goes on") {
        unsettled.set(id, outcome);
        continue;
      }
      unsettled.delete(id);
      recovered.adopted += 1;
    }
    const roomsThat = (outcome: RecoveredEnd) => taken.filter(({ id }) => unsettled.get(id) === outcome);
    // Refunds before the end: if this server dies in between, the call is still live and another server finds it.
    recovered.credited += await this.#giveBack(roomsThat("restart"));
    for (const reason of ["restart", "not_joined", "left"] as const)
      recovered.ended += (await claims.end(roomsThat(reason), reason)).length;
    for (const { id } of taken) unsettled.delete(id);
  }

  #count({ adopted, ended, credited }: Recovered): void {
    this.#total.adopted += adopted;
    this.#total.ended += ended;
    this.#total.credited += credited;
  }

  #tell(dead: ProcessId | null, recovered: Recovered): void {
    const { adopted, ended, credited } = recovered;
    this.#count(recovered);
    if (adopted > 0 || ended > 0 || credited > 0n)
      this.#options.logger.warn(
        { process: dead, adopted, ended, credited: String(credited) },
        "took over calls of a dead server",
      );
  }

  async #diedJustNow(dead: ProcessId | null): Promise<boolean> {
    const { rows } = await sql`
      select from processes where id = ${dead} and beat_at > clock_timestamp() - ${goesOnWithinMs} * interval '1 millisecond'`.execute(
      this.#options.db,
    );
    return rows.length > 0;
  }

  /** Ends calls whose owner is not in `processes`. Releases holds of calls without a row. */
  async takeStrays(): Promise<void> {
    const { rows } = await sql<{ owner: string | null }>`
      with held as (${openHolds})
      select owner from (
        select owner from calls where ended_at is null
        union select owner from calls where id in (select reference from held)
      ) as owned
      where not exists (select from processes where processes.id = owned.owner)`.execute(this.#options.db);
    for (const { owner } of rows) await this.takeOver(owner);
    const unknown = await sql<OpenHold>`
      with held as (${openHolds})
      select key, user_id as "userId", reference as "callId" from held
      where not exists (select from calls where calls.id = held.reference)`.execute(this.#options.db);
    for (const hold of unknown.rows) await this.#work.giveBack(hold);
  }

  /** Live calls first. The order depends on this server, so that two survivors seldom lock the same rows. */
  async #roomsOf(owner: ProcessId | null): Promise<string[]> {
    const { db, self, clock } = this.#options;
    const isOwners = sql`(owner = ${owner} or ${owner}::text is null and owner is null)`;
    const lately = new Date(clock.nowMs() - liveCallMs);
    // Planning a query of all days takes as long as a match. So it runs only if no recent call is left.
    for (const days of [isCallSince("id", lately), sql<boolean>`true`]) {
      const live = await sql<{ id: string }>`
        select id from calls where ended_at is null and ${isOwners} and ${days}
        order by hashtext(id || ${self}) limit ${roomsAtOnce}`.execute(db);
      if (live.rows.length > 0) return live.rows.map(({ id }) => id);
    }
    const unsettled = await sql<{ id: string }>`
      with held as (${openHolds})
      select id from calls where id in (select reference from held) and ${isOwners} limit ${roomsAtOnce}`.execute(db);
    return unsettled.rows.map(({ id }) => id);
  }

  /** Rooms that an earlier try adopted, even if it lost the response. */
  async #ownOf(unsettled: Unsettled): Promise<string[]> {
    if (unsettled.size === 0) return [];
    const { db, self } = this.#options;
    const ids = [...unsettled.keys()];
    const { rows } = await sql<{ id: string }>`
      select id from calls where id = any (${ids}::text[]) and owner = ${self} and ${isCallBetween("id", ids)}`.execute(
      db,
    );
    return rows.map(({ id }) => id);
  }

  async #giveBack(rooms: readonly AdoptedRoom[]): Promise<bigint> {
    const { rows } = await sql<CallSide>`
      select calls.id as "callId", account.user_id as "userId"
      from calls join bean_accounts as account on account.user_id in (calls.offerer_id, calls.answerer_id)
      where calls.id = any (${rooms.map(({ id }) => id)}::text[])
        and exists (
          select from bean_transfers where from_account = account.id and kind = 'call' and reference = calls.id
        )`.execute(this.#options.db);
    const waiting = rows.values();
    let credited = 0n;
    const giveBackRest = async () => {
      for (const side of waiting as Iterable<CallSide>) {
        const beans = await this.#work.creditCall(side, "failed_call");
        credited += beans;
      }
    };
    await Promise.all(Array.from({ length: creditsAtOnce }, giveBackRest));
    return credited;
  }
}

interface RecoverCallsParts extends Omit<RecoveryOptions, "self" | "claims">, Pick<RoomClaimParts, "log"> {
  readonly peers: Pick<Peers, "cutOff">;
}

/** Adopts calls of servers that are or will be dead. First cuts each server off, so that no request waits for it. */
export async function recoverCalls(
  processes: Pick<Processes, "self" | "takeOver">,
  parts: RecoverCallsParts,
): Promise<CallRecovery> {
  const own = { ...parts, self: processes.self };
  const recovery = new CallRecovery({ ...own, claims: new DatabaseRoomClaims(own) });
  await recovery.takeStrays();
  await processes.takeOver(async (dead) => {
    await parts.peers.cutOff(dead);
    return recovery.takeOver(dead);
  });
  return recovery;
}

export interface WrittenCall {
  readonly id: string;
  readonly offerer_id: bigint;
  readonly answerer_id: bigint;
  readonly offerer_price: number;
  readonly answerer_price: number;
  readonly offerer_language: string;
  readonly answerer_language: string;
  readonly matched_at: Date;
  readonly connected_at: Date | null;
  readonly is_blocked: boolean;
}

export interface CallLocation {
  readonly id: string;
  readonly owner: ProcessId | null;
  readonly isOwnerAlive: boolean;
  readonly isLeaving: boolean;
  /** Both users had video, by the database. */
  readonly isLive: boolean;
}

export class RunningCalls {
  readonly #db: Db;
  readonly #clock: Pick<Clock, "nowMs">;

  constructor({ db, clock }: { db: Db; clock: Pick<Clock, "nowMs"> }) {
    this.#db = db;
    this.#clock = clock;
  }

  async isOf(callId: string, userId: bigint): Promise<boolean> {
    const { rows } = await sql`
      select from calls where id = ${callId} and ended_at is null and ${userId} in (offerer_id, answerer_id)`.execute(
      this.#db,
    );
    return rows.length > 0;
  }

  /** The server that has a running call of this user. `isAdopted`: another server owned the call before. */
  async ownerOf(userId: bigint): Promise<{ readonly owner: ProcessId; readonly isAdopted: boolean } | null> {
    const lately = new Date(this.#clock.nowMs() - liveCallMs);
    const { rows } = await sql<{ owner: ProcessId; isAdopted: boolean }>`
      select owner, owner_epoch > 1 as "isAdopted" from calls
      where ended_at is null and owner is not null and ${isCallSince("id", lately)}
        and ${userId} in (offerer_id, answerer_id) limit 1`.execute(this.#db);
    return rows[0] ?? null;
  }

  /** `callId` null: any running call. A server cut off from the database counts as dead, which the epochs make safe. */
  async placeOf(userId: bigint, callId: string | null): Promise<CallLocation | null> {
    const lately = new Date(this.#clock.nowMs() - liveCallMs);
    const isIt =
      callId === null
        ? isCallSince("calls.id", lately)
        : sql<boolean>`calls.id = ${callId} and ${isCallBetween("calls.id", [callId])}`;
    const { rows } = await sql<CallLocation>`
      select calls.id, owner, coalesce(draining, false) as "isLeaving", connected_at is not null as "isLive",
        coalesce(dead_at is null and beat_at > clock_timestamp() - ${silentMs} * interval '1 millisecond'
          and ${isConnected}, false) as "isOwnerAlive"
      from calls left join processes on processes.id = calls.owner
      where ended_at is null and ${isIt} and ${userId} in (offerer_id, answerer_id) limit 1`.execute(this.#db);
    return rows[0] ?? null;
  }

  async written(ids: readonly string[]): Promise<readonly WrittenCall[]> {
    const { rows } = await sql<WrittenCall>`
      select calls.id, offerer_id, answerer_id, offerer_price, answerer_price, matched_at, connected_at,
        offerer.language as offerer_language, answerer.language as answerer_language,
        exists (
          select from blocks where user_id = offerer_id and other_id = answerer_id
            or user_id = answerer_id and other_id = offerer_id
        ) as is_blocked
      from calls join users as offerer on offerer.id = offerer_id join users as answerer on answerer.id = answerer_id
      where calls.id = any (${ids}::text[]) and ended_at is null and ${isCallBetween("calls.id", ids)}`.execute(
      this.#db,
    );
    return rows;
  }

  async isOwnedBy(callId: string, owner: ProcessId): Promise<boolean> {
    const { rows } = await sql`
      select from calls where id = ${callId} and ${isCallBetween("id", [callId])} and owner = ${owner} and ended_at is null`.execute(
      this.#db,
    );
    return rows.length > 0;
  }

  /** Whether the two are in a call with each other that began within a day. */
  async areIn(one: bigint, other: bigint): Promise<boolean> {
    const lately = new Date(this.#clock.nowMs() - liveCallMs);
    const { rows } = await sql`
      select from calls where ended_at is null and ${isCallSince("id", lately)}
        and (offerer_id = ${one} and answerer_id = ${other} or offerer_id = ${other} and answerer_id = ${one}) limit 1`.execute(
      this.#db,
    );
    return rows.length > 0;
  }
}

/** Scans all accounts, so only the recovery of calls uses it. */
const openHolds = sql`
  select hold.key, account.user_id, hold.reference
  from bean_accounts as account join bean_holds as hold on hold.account_id = account.id
  where account.held > 0 and not exists (select from bean_hold_ends as ended where ended.hold_id = hold.id)`;
