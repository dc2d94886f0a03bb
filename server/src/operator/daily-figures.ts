import { type Kysely, type RawBuilder, sql } from "kysely";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { funnelSteps, liveWishes, returnDays } from "@fava/wire/endpoints/operator.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { figureCountMin, shortCallMs } from "@fava/wire/limits.ts";
import { isCallSince } from "#db/call-days.ts";
import type { Database } from "#db/schema.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import { type DayTotals, durationBuckets, searchEnds } from "#ports/live-counts.ts";
import type { Settings } from "#ports/settings.ts";
import { quantiles } from "./live.ts";

type Db = Kysely<Database>;
type Daily = OutputOf<Endpoints["adminDaily"]>;

const dayMs = 86_400_000;
/** Nights without a running server are caught up, up to this many. */
const missedDaysMax = 7;
/** The end of the name of the migration since which first searches are stored. */
const firstSearchMigration = "-first-search.fits-0001";
const bytesPerTerabyte = 10n ** 12n;

interface Figure {
  readonly day: string;
  readonly name: string;
  readonly part: string;
  readonly value: bigint;
}

interface Day {
  readonly day: string;
  readonly from: Date;
  readonly to: Date;
}

/** Counts the complete UTC days that are not counted yet, from rows that exist for other reasons; idempotent. */
export async function countDays(db: Db, nowMs: number): Promise<void> {
  const yesterday = dayBefore(nowMs, 1);
  const { rows } = await sql<{ day: string | null }>`
    select max(day)::text as day from daily_figures where name = 'matches'`.execute(db);
  const missed = rows[0]?.day ? (yesterday.from.getTime() - Date.parse(rows[0].day)) / dayMs : 1;
  for (let back = Math.min(missed, missedDaysMax); back >= 1; back -= 1) await countDay(db, dayBefore(nowMs, back));
}

async function countDay(db: Db, day: Day): Promise<void> {
  const figures = [
    ...(await funnelOf(db, day)),
    ...(await callsOf(db, day)),
    ...(await beansBackOf(db, day)),
    ...(await returnsOf(db, day)),
  ];
  await sql`
    insert into daily_figures (day, name, part, value)
    select day::date, name, part, value
    from jsonb_to_recordset(${JSON.stringify(figures.map((one) => ({ ...one, value: String(one.value) })))}::jsonb)
      as counted (day text, name text, part text, value bigint)
    on conflict (day, name, part) do update set value = excluded.value`.execute(db);
}

/**
 * New accounts of the day, and how many of them had a profile, a search, a match and a call by the count. Without
 * searches for a day on which not all of them were stored.
 */
async function funnelOf(db: Db, { day, from, to }: Day): Promise<Figure[]> {
  const { rows } = await sql<Record<(typeof funnelSteps)[number], bigint> & { has_searches: boolean }>`
    with matched as (
      select user_id, bool_or(is_connected) as is_connected from (
        select offerer_id as user_id, connected_at is not null as is_connected from calls where ${isCallSince("id", from)}
        union all
        select answerer_id, connected_at is not null from calls where ${isCallSince("id", from)}
      ) as sides group by user_id
    )
    select
      count(*) as new, count(*) filter (where sex <> 0 and birthday is not null) as profile,
      count(*) filter (where first_search_on is not null or matched.user_id is not null) as search,
      count(matched.user_id) as match, count(*) filter (where matched.is_connected) as call,
      exists (
        select from kysely_migration where name like ${`%${firstSearchMigration}`} and timestamp::timestamptz <= ${from}
      ) as has_searches
    from users left join matched on matched.user_id = users.id
    where not official and created_at >= ${from} and created_at < ${to}`.execute(db);
  const { has_searches: hasSearches, search, ...counts } = rows[0]!;
  return figuresOf(day, hasSearches ? { ...counts, search } : counts);
}

async function callsOf(db: Db, { day, from, to }: Day): Promise<Figure[]> {
  const { rows } = await sql<Record<"matches" | "connected" | "short" | "reported" | "cut", bigint>>`
    select
      count(*) as matches, count(connected_at) as connected,
      count(*) filter (where ended_at < connected_at + ${milliseconds(shortCallMs)}) as short,
      count(*) filter (where exists (select from reports where reports.call_id = calls.id)) as reported,
      count(*) filter (where end_reason = 'violation') as cut
    from calls where ${isCallSince("id", from)} and matched_at >= ${from} and matched_at < ${to}`.execute(db);
  return figuresOf(day, rows[0] ?? {});
}

async function beansBackOf(db: Db, { day, from, to }: Day): Promise<Figure[]> {
  const { rows } = await sql<{ beans_back: bigint }>`
    select coalesce(sum(amount), 0)::bigint as beans_back from bean_transfers
    where kind = 'credit' and at >= ${from} and at < ${to}`.execute(db);
  return figuresOf(day, rows[0] ?? {});
}

/** Accounts that were new 1, 7 or 30 days before, and how many of them signed in, were here or had a match that day. */
async function returnsOf(db: Db, { from, to }: Day): Promise<Figure[]> {
  const { rows } = await sql<{ after: number; people: bigint; back: bigint }>`
    with here as (
      select offerer_id as user_id from calls
      where ${isCallSince("id", from)} and matched_at >= ${from} and matched_at < ${to}
      union
      select answerer_id from calls where ${isCallSince("id", from)} and matched_at >= ${from} and matched_at < ${to}
      union
      select user_id from login_events where at >= ${from} and at < ${to}
      union
      select user_id from sessions where last_seen_at >= ${from} and last_seen_at < ${to}
    )
    select after, count(users.id) as people, count(here.user_id) as back
    from unnest(array[${sql.join(returnDays.map((days) => sql.lit(days)))}]) as after
    join users on not official
      and created_at >= ${from}::timestamptz - make_interval(days => after)
      and created_at < ${to}::timestamptz - make_interval(days => after)
    left join here on here.user_id = users.id
    group by after`.execute(db);
  return rows.flatMap(({ after, people, back }) => {
    const { day } = dayBefore(from.getTime(), after);
    const part = String(after);
    return [
      { day, name: "back", part, value: back },
      { day, name: "back_of", part, value: people },
    ];
  });
}

function figuresOf(day: string, row: Readonly<Record<string, bigint>>): Figure[] {
  return Object.entries(row).map(([name, value]) => ({ day, name, part: "", value }));
}

/** Adds what a server has counted to the figures of the day. */
export async function addTotals(db: Db, { waits, ends, relayed }: DayTotals, nowMs: number): Promise<void> {
  const byBucket = Object.entries(waits).flatMap(([wish, counts]) =>
    counts.map((value, bucket) => ({ name: "wait", part: `${wish} ${bucket}`, value })),
  );
  const byEnd = Object.entries(ends).flatMap(([wish, counts]) =>
    searchEnds.map((name, at) => ({ name, part: wish, value: counts[at] ?? 0 })),
  );
  const atRelay = [
    { name: "relay_bytes", part: "", value: relayed.bytes },
    { name: "relay_sides", part: "", value: relayed.sides },
  ];
  const rows = [...byBucket, ...byEnd, ...atRelay].filter(({ value }) => value > 0);
  if (rows.length === 0) return;
  await sql`
    insert into daily_figures (day, name, part, value)
    select ${dayBefore(nowMs, 0).day}::date, name, part, value
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as measured (name text, part text, value bigint)
    on conflict (day, name, part) do update set value = daily_figures.value + excluded.value`.execute(db);
}

interface Asked {
  readonly days: number;
  readonly nowMs: number;
  readonly relayPrice: Settings["relayPrice"];
}

/** The figures of the last complete days. Small counts are left out, since they could be about single people. */
export async function dailyFigures(db: Db, { days, nowMs, relayPrice }: Asked): Promise<Daily> {
  const [first, today] = [dayBefore(nowMs, days), dayBefore(nowMs, 0)];
  const { rows } = await sql<Figure>`
    select day::text as day, name, part, value from daily_figures
    where day >= ${first.day}::date and day < ${today.day}::date order by day`.execute(db);
  const sum = (name: string, part = "") => {
    const found = rows.filter((row) => row.name === name && row.part === part);
    return found.reduce((total, { value }) => total + value, 0n);
  };
  const cell = (name: string, part?: string) => shown(sum(name, part));
  const counted = [...new Set(rows.filter(({ name }) => name === "matches").map(({ day }) => day))];
  const on = (day: string, name: string) =>
    shown(rows.find((row) => row.day === day && row.name === name && row.part === "")?.value ?? 0n);
  const newWhere = (step: string) => {
    const days = new Set(rows.filter(({ name }) => name === step).map(({ day }) => day));
    const found = rows.filter(({ name, day }) => name === "new" && days.has(day));
    return found.reduce((total, { value }) => total + value, 0n);
  };
  const isCounted = (step: string) => step !== "search" || rows.some(({ name }) => name === step);
  return {
    funnel: funnelSteps.filter(isCounted).map((step) => ({ step, people: cell(step), of: shown(newWhere(step)) })),
    back: returnDays.map((after) => ({
      after,
      people: cell("back", String(after)),
      of: cell("back_of", String(after)),
    })),
    calls: {
      matches: cell("matches"),
      connected: cell("connected"),
      short: cell("short"),
      reported: cell("reported"),
      cut: cell("cut"),
    },
    beans_back: wireInteger(sum("beans_back")),
    money: await moneyOf(db, first.from, today.from),
    relay: relayPrice && costOf({ bytes: sum("relay_bytes"), sides: sum("relay_sides") }, relayPrice),
    waits: liveWishes.map((wish) => {
      const buckets = Array.from({ length: durationBuckets.length + 1 }, (_, bucket) =>
        Number(sum("wait", `${wish} ${bucket}`)),
      );
      const found = buckets.reduce((total, count) => total + count, 0);
      const searches = sum("matched", wish) + sum("unmatched", wish);
      const ends = { searches: shown(searches), matched: cell("matched", wish) };
      return {
        wish,
        found: shown(BigInt(found)),
        ...ends,
        ...(found < figureCountMin ? quantiles([]) : quantiles(buckets)),
      };
    }),
    over_time: counted.map((day) => ({ day, new: on(day, "new"), connected: on(day, "connected") })),
  };
}

/** From the orders, whose refunds may complete days later. */
async function moneyOf(db: Db, from: Date, to: Date): Promise<Daily["money"]> {
  const { rows } = await sql<Record<"sold" | "orders" | "refunded" | "refunds", bigint> & { currency: string }>`
    with sales as (
      select currency_code as currency, sum(amount_minor) as sold, count(*) as orders
      from payment_orders where paid_at >= ${from} and paid_at < ${to} group by currency_code
    ), returned as (
      select currency_code as currency, sum(payment_refunds.amount_minor) as refunded, count(distinct order_id) as refunds
      from payment_refunds join payment_orders on payment_orders.id = order_id
      where payment_refunds.state = 'done' and asked_at >= ${from} and asked_at < ${to} group by currency_code
    )
    select
      currency, coalesce(sold, 0)::bigint as sold, coalesce(orders, 0) as orders,
      coalesce(refunded, 0)::bigint as refunded, coalesce(refunds, 0) as refunds
    from sales full join returned using (currency) order by sold desc, currency`.execute(db);
  return rows.map(({ currency, sold, orders, refunded, refunds }) => ({
    currency,
    sold: wireInteger(sold),
    orders: wireInteger(orders),
    refunded: wireInteger(refunded),
    refunds: wireInteger(refunds),
  }));
}

/** The average of the sides that reported, for both sides of a call. A page that is closed does not report. */
function costOf(
  { bytes, sides }: { bytes: bigint; sides: bigint },
  { perTerabyte, currency }: NonNullable<Settings["relayPrice"]>,
): Daily["relay"] {
  if (sides < figureCountMin) return { bytes_per_call: null, thousand_calls: null, currency };
  const bytesPerCall = (2n * bytes) / sides;
  return {
    bytes_per_call: wireInteger(bytesPerCall),
    thousand_calls: wireInteger((2_000n * bytes * perTerabyte) / (sides * bytesPerTerabyte)),
    currency,
  };
}

function shown(value: bigint): number | null {
  return value < figureCountMin ? null : wireInteger(value);
}

/** The UTC day that is `days` before the one of `nowMs`. */
function dayBefore(nowMs: number, days: number): Day {
  const fromMs = Math.floor(nowMs / dayMs) * dayMs - days * dayMs;
  const from = new Date(fromMs);
  return { day: from.toISOString().slice(0, 10), from, to: new Date(fromMs + dayMs) };
}

function milliseconds(ms: number): RawBuilder<unknown> {
  return sql`make_interval(secs => ${ms / 1_000})`;
}
