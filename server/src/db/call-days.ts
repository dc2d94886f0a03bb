import { type Kysely, type RawBuilder, sql } from "kysely";
import { callsKeptMs } from "@fava/wire/limits.ts";
import type { Clock } from "#ports/clock.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { Database } from "./schema.ts";

type Db = Kysely<Database>;

/** Counted from 1970-01-01, UTC. */
type Day = number;

const dayMs = 86_400_000;
const dayDigits = 5;
const mark = "~";
/** Both tables have one partition for each day. */
const tables = ["calls", "call_events"] as const;
const daysAhead = 7;
/** Limits how long a statement that waits for a table lock blocks the statements queued behind it. */
const lockTimeoutMs = 500;

/** A new call id. It begins with its day, which selects the partition. */
export function newCallId(random: Random, nowMs: number): string {
  return `${firstOf(dayOf(nowMs))}${randomId(random)}`;
}

/** Condition for calls made after `since`, on a call id; one day earlier, since the clocks of servers differ. */
export function isCallSince(id: "calls.id" | "id" | "call_id", since: Date): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(id)} ~>=~ ${firstOf(dayOf(since.getTime()) - 1)}`;
}

/** Limits a query to the days of these ids: in a join, only this makes the planner skip other partitions. */
export function isCallBetween(id: "calls.id" | "id" | "call_id", ids: readonly string[]): RawBuilder<boolean> {
  const [lowest, highest] = boundsOf(ids);
  return sql<boolean>`(${sql.ref(id)} ~>=~ ${lowest} and ${sql.ref(id)} ~<=~ ${highest})`;
}

/** Bytewise, as the partitions are ordered. */
function boundsOf(ids: readonly string[]): [lowest: string, highest: string] {
  let [lowest = "", highest = ""] = ids.length === 0 ? [] : [ids[0], ids[0]];
  for (const id of ids) {
    if (id < lowest) lowest = id;
    if (id > highest) highest = id;
  }
  return [lowest, highest];
}

export async function ensureDaysOf(db: Db, ids: readonly string[], known: Set<Day>): Promise<void> {
  const days = new Set<Day>();
  for (const id of ids) {
    const day = dayOfId(id);
    if (!known.has(day)) days.add(day);
  }
  if (days.size === 0) return;
  await ensureDays(db, [...days]);
  for (const day of days) known.add(day);
}

export class CallDays {
  readonly #db: Db;
  readonly #clock: Clock;
  #lastDay: Day | null = null;
  #overdue = 0;

  constructor({ db, clock }: { db: Db; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Future days whose partitions this server knows to exist. */
  get ahead(): number {
    return this.#lastDay === null ? 0 : Math.max(0, this.#lastDay - dayOf(this.#clock.nowMs()));
  }

  /** Expired days that were not dropped at the last attempt. */
  get overdue(): number {
    return this.#overdue;
  }

  async makeAhead(): Promise<void> {
    const today = dayOf(this.#clock.nowMs());
    await ensureDays(
      this.#db,
      Array.from({ length: daysAhead + 1 }, (_, index) => today + index),
    );
    this.#lastDay = today + daysAhead;
  }

  /** Older than `callsKeptMs`, after a copy of what other tables need. A locked day is left for the next night. */
  async dropOld(): Promise<void> {
    const before = this.#clock.nowMs() - callsKeptMs;
    const due = (await readDays(this.#db)).filter((day) => (day + 1) * dayMs <= before);
    this.#overdue = due.length;
    for (const day of due) {
      await dropPartition(this.#db, suffixOf(day));
      this.#overdue -= 1;
    }
  }
}

function dayOf(atMs: number): Day {
  return Math.max(0, Math.floor(atMs / dayMs));
}

function dayOfId(id: string): Day {
  return Number(id.slice(mark.length, mark.length + dayDigits));
}

function firstOf(day: Day): string {
  return `${mark}${String(Math.max(0, day)).padStart(dayDigits, "0")}`;
}

/** `2026_11_26` */
function suffixOf(day: Day): string {
  return new Date(day * dayMs).toISOString().slice(0, 10).replaceAll("-", "_");
}

export async function readDays(db: Db): Promise<Day[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'calls'::regclass and relname ~ '^calls_[0-9_]{10}$' order by relname`.execute(db);
  return rows.map(({ name }) => Date.parse(name.slice("calls_".length).replaceAll("_", "-")) / dayMs);
}

async function ensureDays(db: Db, days: readonly Day[]): Promise<void> {
  const there = new Set(await readDays(db));
  if (days.every((day) => there.has(day))) return;
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('days of calls', 0))`.execute(trx);
    await waitShortly(trx);
    const known = new Set(await readDays(trx));
    for (const day of days) {
      const range = sql`from (${sql.lit(firstOf(day))}) to (${sql.lit(firstOf(day + 1))})`;
      if (!known.has(day)) await makePartition(trx, suffixOf(day), range);
    }
  });
}

/** Creates each partition as a separate table and attaches it, so that queries on other partitions are not blocked. */
async function makePartition(trx: Db, suffix: string, range: RawBuilder<unknown>): Promise<void> {
  for (const table of tables) {
    const partition = sql.table(`${table}_${suffix}`);
    await sql`create table ${partition} (like ${sql.table(table)} including defaults including constraints)`.execute(
      trx,
    );
    await sql`alter table ${sql.table(table)} attach partition ${partition} for values ${range}`.execute(trx);
  }
  const events = `call_events_${suffix}`;
  await sql`
    create trigger ${sql.id(`${events}_no_truncate`)} before truncate on ${sql.table(events)}
    for each statement execute function refuse_change()`.execute(trx);
}

async function dropPartition(db: Db, suffix: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await waitShortly(trx);
    await copyWhatOthersNeed(trx, sql.table(`calls_${suffix}`));
    await sql`drop table ${sql.join(tables.map((table) => sql.table(`${table}_${suffix}`)))}`.execute(trx);
  });
}

/** Keeps the times of calls for cases and bans, and the prices a minute for the payers' statements. */
async function copyWhatOthersNeed(trx: Db, day: RawBuilder<unknown>): Promise<void> {
  for (const table of ["cases", "bans"]) {
    const about = sql.table(table);
    await sql`
      update ${about} as about set call_at = call.matched_at from ${day} as call
      where about.call_id = call.id and about.call_at is null`.execute(trx);
  }
  await sql`
    insert into call_prices (call_id, user_id, price)
    select call.id, side.user_id, side.price
    from ${day} as call
    cross join lateral (
      values (call.offerer_id, call.offerer_price), (call.answerer_id, call.answerer_price)
    ) as side (user_id, price)
    join bean_accounts as account on account.user_id = side.user_id
    where side.price > 0 and exists (
      select from bean_transfers where from_account = account.id and kind = 'call' and reference = call.id
    )
    on conflict do nothing`.execute(trx);
}

/** A statement that waits longer for a table lock fails, and is retried at another time. */
async function waitShortly(trx: Db): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(trx);
}
