import { beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { storeCall } from "#test/fixtures/stored-calls.ts";
import { addTotals, countDays, dailyFigures } from "./daily-figures.ts";

const dayMs = 86_400_000;
const nightMs = Date.parse("2026-11-29T03:00:00Z");
const at = (time: string) => new Date(`${time}Z`);

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

/** Accounts of one moment; returns their ids. */
async function accounts(count: number, created: Date, { hasProfile = true } = {}): Promise<bigint[]> {
  const { rows } = await database.pool.query<{ id: bigint }>(
    `insert into users (user_no, external_id, nickname, sex, birthday, country_id, created_at)
     select 20000000 + coalesce((select max(id) from users), 0) + n, md5(random()::text), 'Ana',
       case when $3 then 1 else 0 end, case when $3 then '1990-01-01'::date end, 18, $2
     from generate_series(1, $1::int) as n returning id`,
    [count, created, hasProfile],
  );
  return rows.map(({ id }) => id);
}

async function meet([offerer_id, answerer_id]: readonly bigint[], matched_at: Date, seconds: number | null) {
  const connected_at = seconds === null ? null : matched_at;
  const ended_at = new Date(matched_at.getTime() + (seconds ?? 10) * 1_000);
  const people = { offerer_id: offerer_id!, answerer_id: answerer_id! };
  return storeCall(database.db, { ...people, matched_at, connected_at, ended_at, end_reason: "left" });
}

/** The migration of first searches was applied at this time. */
async function searchesStoredSince(time: Date): Promise<void> {
  const { rowCount } = await database.pool.query(
    "update kysely_migration set timestamp = $1 where name like '%-first-search.%'",
    [time.toISOString()],
  );
  expect(rowCount).toBe(1);
}

const noTotals = { waits: {}, ends: {}, relayed: { bytes: 0, sides: 0 } };

const stored = async (name: string) =>
  (
    await database.pool.query<{ text: string }>(
      "select day || ' ' || part || ' ' || value as text from daily_figures where name = $1 order by day, part",
      [name],
    )
  ).rows.map(({ text }) => text);

test("counts new accounts of a day with profile, match and call", async () => {
  const day = at("2026-11-28T10:00:00");
  const [one, other] = await accounts(2, day);
  const [missed] = await accounts(1, day);
  await accounts(3, day, { hasProfile: false });
  const [older] = await accounts(1, at("2026-11-27T23:59:59"));
  await meet([one!, other!], at("2026-11-28T11:00:00"), 60);
  await meet([missed!, older!], at("2026-11-28T12:00:00"), null);
  await countDays(database.db, nightMs);
  expect(await Promise.all(["new", "profile", "match", "call"].map(stored))).toEqual([
    ["2026-11-28  6"],
    ["2026-11-28  3"],
    ["2026-11-28  3"],
    ["2026-11-28  2"],
  ]);
});

test("counts first searches, also without a match, on days since they are stored", async () => {
  await searchesStoredSince(at("2026-11-27T23:59:00"));
  const day = at("2026-11-28T10:00:00");
  const [one, other, alone] = await accounts(4, day);
  const [before] = await accounts(2, at("2026-11-27T10:00:00"));
  await meet([one!, other!], at("2026-11-28T11:00:00"), null);
  await database.pool.query("update users set first_search_on = '2026-11-28' where id = any($1)", [
    [alone, one, before],
  ]);
  await countDays(database.db, nightMs - dayMs);
  await countDays(database.db, nightMs);
  expect(await stored("new")).toEqual(["2026-11-27  2", "2026-11-28  4"]);
  expect(await stored("search")).toEqual(["2026-11-28  3"]);
});

test("shows the share of first searches only for days on which they were counted", async () => {
  const asked = { days: 14, nowMs: nightMs, relayPrice: null };
  await database.pool.query(
    "insert into daily_figures (day, name, value) values ('2026-11-27', 'new', 40), ('2026-11-28', 'new', 30), ('2026-11-27', 'match', 25), ('2026-11-28', 'match', 0)",
  );
  const { funnel: before } = await dailyFigures(database.db, asked);
  expect(before.map(({ step }) => step)).toEqual(["new", "profile", "match", "call"]);
  await database.pool.query("insert into daily_figures (day, name, value) values ('2026-11-28', 'search', 24)");
  const { funnel } = await dailyFigures(database.db, asked);
  expect(funnel.filter(({ step }) => ["new", "search", "match"].includes(step))).toEqual([
    { step: "new", people: 70, of: 70 },
    { step: "search", people: 24, of: 30 },
    { step: "match", people: 25, of: 70 },
  ]);
});

test("shows what calls cost at the relay, from the sides that reported", async () => {
  const relayPrice = { perTerabyte: 9_000n, currency: "USD" };
  const costs = async (sides: number) => {
    const relayed = { bytes: 12_500_000 * sides, sides };
    await addTotals(database.db, { ...noTotals, relayed }, at("2026-11-28T10:00:00").getTime());
    return (await dailyFigures(database.db, { days: 14, nowMs: nightMs, relayPrice })).relay;
  };
  expect(await costs(19)).toEqual({ bytes_per_call: null, thousand_calls: null, currency: "USD" });
  expect(await costs(21)).toEqual({ bytes_per_call: 25_000_000, thousand_calls: 225, currency: "USD" });
  const withoutPrice = await dailyFigures(database.db, { days: 14, nowMs: nightMs, relayPrice: null });
  expect(withoutPrice.relay).toBeNull();
});

test("sums sales and completed refunds by currency, and leaves out other days and pending refunds", async () => {
  const [buyer] = await accounts(1, at("2026-11-01T10:00:00"));
  const order = async (number: number, paid: string, [minor, currency]: readonly [number, string]) => {
    const { rows } = await database.pool.query<{ id: bigint }>(
      `insert into payment_orders (order_no, user_id, provider, channel_type, pay_type, pay_name, beans, amount_minor,
         currency_code, country_code, language, state, transaction_id, paid_at, created_at, changed_at)
       values ('fv' || lpad($1::text, 4, '0'), $2, 'sandbox', 20, 'card', 'Card', 10000, $3, $4, 'US', 'en', 'paid',
         't' || $1::text, $5, $5, $5) returning id`,
      [number, buyer, minor, currency, at(paid)],
    );
    return rows[0]!.id;
  };
  const refund = (id: bigint, state: string, [asked, minor]: readonly [string, number]) =>
    database.pool.query(
      "insert into payment_refunds (order_id, refund_no, amount_minor, state, asked_at) values ($1, $2, $3, $2, $4)",
      [id, state, minor, at(asked)],
    );
  const early = await order(1, "2026-11-14T23:59:59", [999, "USD"]);
  const first = await order(2, "2026-11-15T00:00:00", [999, "USD"]);
  await order(3, "2026-11-28T23:59:59", [4_999, "USD"]);
  await order(4, "2026-11-29T00:00:00", [999, "USD"]);
  const lira = await order(5, "2026-11-20T10:00:00", [30_000, "TRY"]);
  await refund(early, "done", ["2026-11-16T10:00:00", 999]);
  await refund(first, "pending", ["2026-11-16T10:00:00", 999]);
  await refund(lira, "done", ["2026-11-29T00:00:00", 30_000]);
  const { money } = await dailyFigures(database.db, { days: 14, nowMs: nightMs, relayPrice: null });
  expect(money).toEqual([
    { currency: "TRY", sold: 30_000, orders: 1, refunded: 0, refunds: 0 },
    { currency: "USD", sold: 5_998, orders: 2, refunded: 999, refunds: 1 },
  ]);
});

test("counts calls of a day: connected, short, with a report, and ended for a violation", async () => {
  const [one, other] = await accounts(2, at("2026-11-01T10:00:00"));
  const pair = [one!, other!];
  const reported = await meet(pair, at("2026-11-28T00:00:00"), 9);
  await meet(pair, at("2026-11-28T10:00:00"), 11);
  const cut = await meet(pair, at("2026-11-28T23:59:59"), null);
  await meet(pair, at("2026-11-29T00:00:00"), 5);
  await database.pool.query("update calls set end_reason = 'violation' where id = $1", [cut]);
  const report = "insert into reports (reporter_id, reported_id, reason_id, call_id, at) values ($1, $2, 1, $3, now())";
  await database.pool.query(report, [...pair, reported]);
  await database.pool.query(report, [other, one, reported]);
  await countDays(database.db, nightMs);
  expect(await Promise.all(["matches", "connected", "short", "reported", "cut"].map(stored))).toEqual([
    ["2026-11-28  3"],
    ["2026-11-28  2"],
    ["2026-11-28  1"],
    ["2026-11-28  1"],
    ["2026-11-28  1"],
  ]);
});

test("counts who came back one, seven and thirty days after the first day", async () => {
  const [signedIn, away] = await accounts(2, at("2026-11-27T08:00:00"));
  const [called, partner] = await accounts(2, at("2026-11-21T08:00:00"));
  const [visited] = await accounts(1, at("2026-10-29T08:00:00"));
  await database.pool.query(
    "insert into login_events (user_id, ip, device_id, user_agent, at) values ($1, '', '', '', '2026-11-28T09:00Z')",
    [signedIn],
  );
  await database.pool.query(
    `insert into sessions (id, user_id, token_hash, source, ip, user_agent, last_seen_at, expires_at)
     values ('s', $1, 'h', 1, '', '', '2026-11-28T23:00Z', '2026-12-28'), ('t', $2, 'i', 1, '', '', '2026-11-27T23:00Z', '2026-12-28')`,
    [visited, away],
  );
  await meet([called!, partner!], at("2026-11-28T09:00:00"), 30);
  await countDays(database.db, nightMs);
  expect(await stored("back")).toEqual(["2026-10-29 30 1", "2026-11-21 7 2", "2026-11-27 1 1"]);
  expect(await stored("back_of")).toEqual(["2026-10-29 30 1", "2026-11-21 7 2", "2026-11-27 1 2"]);
});

test("catches up missed nights, and counts a day once", async () => {
  const [one, other] = await accounts(2, at("2026-11-01T10:00:00"));
  for (const day of ["25", "26", "27", "28"]) await meet([one!, other!], at(`2026-11-${day}T10:00:00`), 30);
  await countDays(database.db, nightMs - 3 * dayMs);
  await countDays(database.db, nightMs);
  await countDays(database.db, nightMs + 3_600_000);
  expect(await stored("matches")).toEqual(["2026-11-25  1", "2026-11-26  1", "2026-11-27  1", "2026-11-28  1"]);
});

test("adds the searches of several servers, and shows no count below 20", async () => {
  const first = at("2026-11-28T10:00:00").getTime();
  const waits = (bucket: number, count: number) => Array.from({ length: 22 }, (_, at) => (at === bucket ? count : 0));
  const one = {
    ...noTotals,
    waits: { any: waits(3, 15), men: waits(3, 19) },
    ends: { any: [15, 4], women: [19, 20], country: [9, 9] },
  };
  const other = { ...noTotals, waits: { any: waits(3, 10), women: waits(0, 0) }, ends: { any: [10, 0], men: [0, 0] } };
  await addTotals(database.db, one, first);
  await addTotals(database.db, other, first + 1_000);
  await database.pool.query(
    "insert into daily_figures (day, name, value) values ('2026-11-28', 'matches', 40), ('2026-11-28', 'new', 19), ('2026-11-27', 'new', 1)",
  );
  const figures = await dailyFigures(database.db, { days: 14, nowMs: nightMs, relayPrice: null });
  expect(figures.waits).toEqual([
    { wish: "any", found: 25, searches: 29, matched: 25, half: 1, most: 1 },
    { wish: "men", found: null, searches: null, matched: null, half: null, most: null },
    { wish: "women", found: null, searches: 39, matched: null, half: null, most: null },
    { wish: "country", found: null, searches: null, matched: null, half: null, most: null },
  ]);
  expect(figures.funnel[0]).toEqual({ step: "new", people: 20, of: 20 });
  expect(figures.calls).toMatchObject({ matches: 40, cut: null });
  expect(figures.over_time).toEqual([{ day: "2026-11-28", new: null, connected: null }]);
});
