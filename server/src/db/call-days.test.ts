import { type RawBuilder, sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { callsKeptMs } from "@fava/wire/limits.ts";
import { readStatement } from "#billing/statement.ts";
import { CallStore } from "#calls/call-store.ts";
import { banById } from "#people/session-store.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { beanWorld, minuteHold } from "#test/fixtures/bean-world.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { CallDays, isCallBetween, isCallSince, newCallId, readDays } from "./call-days.ts";

const dayMs = 86_400_000;
const random = seededRandom(1);
const logger = { error: () => undefined, warn: () => undefined } as unknown as ConstructorParameters<
  typeof CallStore
>[0]["logger"];

let database: TestDatabase;
let clock: TestClock;
let days: CallDays;

beforeEach(async () => {
  database = await createTestDatabase();
  clock = new TestClock();
  days = new CallDays({ db: database.db, clock });
});

const dayOf = (atMs: number) => Math.floor(atMs / dayMs);

async function people(db: TestDatabase["db"]): Promise<[bigint, bigint]> {
  const { rows } = await sql<{ id: bigint }>`
    insert into users (user_no, external_id, nickname, country_id)
    values ('10000001', 'ext-1', 'ana', 18), ('10000002', 'ext-2', 'bo', 18) returning id`.execute(db);
  return [rows[0]!.id, rows[1]!.id];
}

/** Writes a call of this age as the product does. */
async function writeCall(pair: readonly [bigint, bigint], { agoMs = 0, price = 0 } = {}): Promise<string> {
  const store = new CallStore({ db: database.log, self: "own", clock, logger });
  const matchedAtMs = clock.nowMs() - agoMs;
  const callId = newCallId(random, matchedAtMs);
  const room = { id: callId, offererId: pair[0], answererId: pair[1], offererPrice: price, answererPrice: 0 };
  store.make({ ...room, matchedAtMs }).catch(() => undefined);
  store.event({ callId, userId: null, kind: "matched", atMs: matchedAtMs });
  store.ended(callId, { atMs: matchedAtMs + 1_000, reason: "next" });
  await store[Symbol.asyncDispose]();
  return callId;
}

async function plan(statement: RawBuilder<unknown>) {
  const { rows } = await sql<Record<string, string>>`explain ${statement}`.execute(database.db);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

/** Days of calls that a query plan reads. */
const daysIn = (text: string) => new Set(text.match(/calls_\d{4}_\d\d_\d\d(?= )/g));

describe("days of calls", () => {
  test("reads only the day of a call by its id", async () => {
    await days.makeAhead();
    const pair = await people(database.db);
    const dated = await writeCall(pair);
    const { rows } = await sql<{ id: string; home: string; event_home: string }>`
      select calls.id, calls.tableoid::regclass::text as home, call_events.tableoid::regclass::text as event_home
      from calls join call_events on call_id = calls.id order by calls.id`.execute(database.db);
    expect(rows).toEqual([{ id: dated, home: "calls_2026_01_01", event_home: "call_events_2026_01_01" }]);
    expect(daysIn(await plan(sql`select * from calls where id = ${dated}`))).toEqual(new Set(["calls_2026_01_01"]));
    const since = isCallSince("id", new Date(clock.nowMs()));
    expect(daysIn(await plan(sql`select * from calls where offerer_id = 1 and ${since}`))).toEqual(
      new Set((await readDays(database.db)).map((day) => `calls_${nameOf(day)}`)),
    );
    const later = isCallSince("id", new Date(clock.nowMs() + 6 * dayMs));
    expect(daysIn(await plan(sql`select * from calls where offerer_id = 1 and ${later}`)).size).toBe(3);
    const joined = sql`
      update calls set ended_at = now() from unnest(${[dated]}::text[]) as change (id)
      where calls.id = change.id and ${isCallBetween("calls.id", [dated])}`;
    expect(daysIn(await plan(joined))).toEqual(new Set(["calls_2026_01_01"]));
  });

  test("takes the day from the id's bytes, in every collation of the database", async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      "select opcname as name from pg_partitioned_table join pg_opclass on pg_opclass.oid = any (partclass)",
    );
    expect(rows.map(({ name }) => name)).toEqual(["text_pattern_ops", "text_pattern_ops"]);
  });

  test("creates a week of days in advance, with any number of servers", async () => {
    const another = new CallDays({ db: database.db, clock });
    expect(days.ahead).toBe(0);
    await Promise.all([days.makeAhead(), another.makeAhead(), days.makeAhead()]);
    const today = dayOf(clock.nowMs());
    expect(await readDays(database.db)).toEqual(Array.from({ length: 8 }, (_, index) => today + index));
    expect([days.ahead, another.ahead]).toEqual([7, 7]);
    clock.advance(3 * dayMs);
    expect(days.ahead).toBe(4);
    await days.makeAhead();
    expect([days.ahead, (await readDays(database.db)).length]).toEqual([7, 11]);
  });

  test("writes a call of a day that was not created in advance", async () => {
    expect(await readDays(database.db)).toEqual([]);
    const pair = await people(database.db);
    const ids = await Promise.all([writeCall(pair), writeCall(pair), writeCall(pair, { agoMs: 40 * dayMs })]);
    const { rows } = await database.pool.query(
      "select count(*)::integer as calls from calls where id = any ($1) and end_reason = 'next'",
      [ids],
    );
    expect(rows).toEqual([{ calls: 3 }]);
    expect(await readDays(database.db)).toHaveLength(2);
  });

  test("[STORE-63] allows new call events of any day, and no change, deletion or truncation", async () => {
    await writeCall(await people(database.db));
    for (const change of [
      "update call_events set kind = 'left'",
      "delete from call_events",
      "truncate call_events_2026_01_01",
    ])
      await expect(database.pool.query(change)).rejects.toThrow("append only");
  });
});

describe("expired days", () => {
  test("[DATA-173] are deleted whole, except what moderators, banned users and statements need", async () => {
    const world = await beanWorld();
    database = world.database;
    ({ clock } = world);
    days = new CallDays({ db: database.db, clock });
    const [payer, other] = [await world.person(10_000n), await world.person()];
    const agoMs = callsKeptMs + 2 * dayMs;
    const gone = await writeCall([payer, other], { agoMs, price: 1_600 });
    const unpaid = await writeCall([payer, other], { agoMs, price: 800 });
    const kept = await writeCall([payer, other], { agoMs: callsKeptMs - dayMs, price: 1_600 });
    for (const id of [gone, kept]) {
      const { key } = minuteHold(payer, { id, minute: 1, amount: 1_600n });
      await world.ledger.hold(minuteHold(payer, { id, minute: 1, amount: 1_600n }));
      await world.ledger.settleHold(key, 1_600n);
    }
    const at = new Date(clock.nowMs());
    const { id: caseId } = await database.db
      .insertInto("cases")
      .values({ ...aCase, subject_id: other, call_id: gone, opened_at: at, changed_at: at })
      .returning("id")
      .executeTakeFirstOrThrow();
    const { id: banId } = await database.db
      .insertInto("bans")
      .values({ user_id: other, reason_id: 1, call_id: gone })
      .returning("id")
      .executeTakeFirstOrThrow();
    const statement = () =>
      readStatement(database.db, {
        userId: payer,
        filter: 2,
        before: null,
        now: new Date(clock.nowMs()),
        isStopped: false,
      });
    const before = [await statement(), await banById(database.db, banId)];
    expect(before[0]).toMatchObject({ rows: [{ paid_seconds: 60 }, { paid_seconds: 60 }] });
    await days.dropOld();
    const { rows } = await database.pool.query("select calls.id from calls join call_events on call_id = calls.id");
    expect(rows).toEqual([{ id: kept }]);
    expect(await readDays(database.db)).toEqual([dayOf(clock.nowMs() - callsKeptMs + dayMs)]);
    expect([await statement(), await banById(database.db, banId)]).toEqual(before);
    expect(await database.db.selectFrom("call_prices").selectAll().execute()).toEqual([
      { call_id: gone, user_id: payer, price: 1_600 },
    ]);
    expect(await database.db.selectFrom("cases").select("call_at").where("id", "=", caseId).execute()).toEqual([
      { call_at: new Date(clock.nowMs() - agoMs) },
    ]);
    expect([days.overdue, unpaid === gone]).toEqual([0, false]);
    await days.dropOld();
    expect((await statement()).rows).toHaveLength(2);
  });

  test("leaves a locked day as it is, without a long wait for later queries", async () => {
    const pair = await people(database.db);
    const old = await writeCall(pair, { agoMs: callsKeptMs + 2 * dayMs });
    await writeCall(pair);
    const reader = await database.pool.connect();
    await reader.query("begin");
    await reader.query("select * from calls where id = $1", [old]);
    const dropped = days.dropOld().catch((error: unknown) => error);
    await writeCall(pair);
    expect(await dropped).toMatchObject({ message: "database statement timed out" });
    await reader.query("commit");
    reader.release();
    expect([days.overdue, (await database.pool.query("select from calls")).rowCount]).toEqual([1, 3]);
    await days.dropOld();
    expect([days.overdue, (await database.pool.query("select from calls")).rowCount]).toEqual([0, 2]);
  });
});

const nameOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10).replaceAll("-", "_");

const aCase = { queue: "reports", reason_id: 4, rule: "report", harm: 4 } as const;
