import { type Kysely, type RawBuilder, sql } from "kysely";
import { callsKeptMs } from "@fava/wire/limits.ts";
import type { Clock } from "#ports/clock.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { Database } from "./schema.ts";

type Db = Kysely<Database>;

/** A UTC day, counted from 1970. */
type Day = number;

const dayMs = 86_400_000;
const dayDigits = 5;
/** Stands before the day. */
const mark = "~";
/** Each day of the one has its day of the other. */
const tables = ["calls", "call_events"] as const;
/** Days from tomorrow on that have their partitions already. */
const daysAhead = 7;
/** So long those may wait who are behind somebody who waits for a table. */
const lockTimeoutMs = 500;

/** An id of a call, by which its rows are found in its day's partition. */
export function newCallId(random: Random, nowMs: number): string {
  return `${firstOf(dayOf(nowMs))}${randomId(random)}`;
}

/** True of a call that was made since then, of its id or its events' id; one day more, since clocks differ. */
export function isCallSince(id: "calls.id" | "id" | "call_id", since: Date): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(id)} ~>=~ ${firstOf(dayOf(since.getTime()) - 1)}`;
}

/**
 * True of every one of these ids, and of no day in which none of them is: where a statement joins them, only this tells
 * the planner which partitions it needs, and all others cost their share of planning and locks.
 */
export function isCallBetween(id: "calls.id" | "id" | "call_id", ids: readonly string[]): RawBuilder<boolean> {
  const [lowest, highest] = boundsOf(ids);
  return sql<boolean>`(${sql.ref(id)} ~>=~ ${lowest} and ${sql.ref(id)} ~<=~ ${highest})`;
}

/** By their bytes, as the partitions are ordered. */
function boundsOf(ids: readonly string[]): [lowest: string, highest: string] {
  let [lowest = "", highest = ""] = ids.length === 0 ? [] : [ids[0], ids[0]];
  for (const id of ids) {
    if (id < lowest) lowest = id;
    if (id > highest) highest = id;
  }
  return [lowest, highest];
}

/** Makes the days there of which these ids are. */
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

/** Which days of calls there are: makes those to come, and lets go of those that may not be kept any longer. */
export class CallDays {
  readonly #db: Db;
  readonly #clock: Clock;
  #lastDay: Day | null = null;
  #overdue = 0;

  constructor({ db, clock }: { db: Db; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Days from tomorrow on that this process knows to be there. */
  get ahead(): number {
    return this.#lastDay === null ? 0 : Math.max(0, this.#lastDay - dayOf(this.#clock.nowMs()));
  }

  /** Days that were to go, and did not, when this process looked last. */
  get overdue(): number {
    return this.#overdue;
  }

  /** Makes today's partitions and those of the next days. */
  async makeAhead(): Promise<void> {
    const today = dayOf(this.#clock.nowMs());
    await ensureDays(
      this.#db,
      Array.from({ length: daysAhead + 1 }, (_, index) => today + index),
    );
    this.#lastDay = today + daysAhead;
  }

  /**
   * Drops the days whose last call is older than calls are kept, each with what others need of it copied to them first:
   * both or neither. One that somebody keeps locked is left for the next night.
   */
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

/** What every id of the day begins with, and no id is before. */
function firstOf(day: Day): string {
  return `${mark}${String(Math.max(0, day)).padStart(dayDigits, "0")}`;
}

/** `2026_11_26` */
function suffixOf(day: Day): string {
  return new Date(day * dayMs).toISOString().slice(0, 10).replaceAll("-", "_");
}

/** Days that have their partitions, the oldest first. */
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

/** Made beside its table and then attached: readers and writers of the others go on meanwhile. */
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

/** When a call was, for moderators and whoever is banned for it; what it cost a minute, for statements of who paid. */
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

/** Whoever waits for a table longer than that holds up everybody behind: it is given up, and tried another time. */
async function waitShortly(trx: Db): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(trx);
}
