import { sql } from "kysely";
import { pino } from "pino";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { RoomNotStoredError } from "#ports/room-claims.ts";
import { CallStore, type CallStoreLimits } from "./call-store.ts";
import { newCallId } from "#db/call-days.ts";
import { seededRandom } from "#test/fakes/random.ts";

const random = seededRandom(1);
let database: TestDatabase;
let prefix: string;
let clock: TestClock;
let store: CallStore;
let logged: string[];
let ana: bigint;
let bo: bigint;

beforeAll(async () => {
  database = await createTestDatabase();
  const { rows } = await sql<{ id: bigint }>`
    insert into users (user_no, external_id, nickname, country_id)
    values ('10000001', 'ext-1', 'ana', 18), ('10000002', 'ext-2', 'bo', 18)
    returning id`.execute(database.db);
  [ana, bo] = rows.map((row) => row.id) as [bigint, bigint];
});

beforeEach(() => {
  // Calls and their events cannot be deleted, so every test uses its own ids.
  clock = new TestClock();
  prefix = newCallId(random, clock.nowMs());
  logged = [];
  store = openStore();
});

function openStore(limits?: CallStoreLimits, self = "own"): CallStore {
  const stream = { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) };
  const logger = pino({ level: "warn" }, stream);
  return new CallStore({ db: database.log, self, clock, logger, ...(limits && { limits }) });
}

const idOf = (name: string) => `${prefix}-${name}`;
const matched = (name: string, at = store) => {
  const people = { offererId: ana, answererId: bo, offererPrice: 1_600, answererPrice: 0 };
  return { claim: at.make({ id: idOf(name), ...people, matchedAtMs: clock.nowMs() }) };
};
const peopleOf = (name: string) => ({ id: idOf(name), offererId: ana, answererId: bo });
const calls = () =>
  database.db.selectFrom("calls").selectAll().where("id", "like", `${prefix}-%`).orderBy("id").execute();
const events = () =>
  database.db
    .selectFrom("call_events")
    .select(["call_id", "user_id", "kind", "at"])
    .where("call_id", "like", `${prefix}-%`)
    .orderBy("at")
    .execute();

describe("writing behind", () => {
  test("[SAFE-40] stores every way in which our checks end a call", async () => {
    for (const reason of ["violation", "unchecked"] as const) {
      matched(reason);
      store.ended(idOf(reason), { atMs: clock.nowMs(), reason });
    }
    await store[Symbol.asyncDispose]();
    expect((await calls()).map(({ end_reason }) => end_reason)).toEqual(["unchecked", "violation"]);
  });

  test("stores a call whole, in one batch or several", async () => {
    const start = clock.nowMs();
    matched("one");
    store.event({ callId: idOf("one"), userId: null, kind: "matched", atMs: start });
    matched("two");
    store.connected(peopleOf("two"), start + 5);
    store.ended(idOf("two"), { atMs: start + 9, reason: "next" });
    await store.flush();
    store.connected(peopleOf("one"), start + 700);
    await store.flush();
    store.ended(idOf("one"), { atMs: start + 900, reason: "left" });
    store.event({ callId: idOf("one"), userId: bo, kind: "ended", atMs: start + 900 });
    await store.flush();
    const prices = {
      owner: "own",
      owner_epoch: 1,
      offerer_id: ana,
      answerer_id: bo,
      offerer_price: 1_600,
      answerer_price: 0,
    };
    const at = (ms: number) => new Date(start + ms);
    expect(await calls()).toEqual([
      { id: idOf("one"), ...prices, matched_at: at(0), connected_at: at(700), ended_at: at(900), end_reason: "left" },
      { id: idOf("two"), ...prices, matched_at: at(0), connected_at: at(5), ended_at: at(9), end_reason: "next" },
    ]);
    expect(await events()).toEqual([
      { call_id: idOf("one"), user_id: null, kind: "matched", at: at(0) },
      { call_id: idOf("one"), user_id: bo, kind: "ended", at: at(900) },
    ]);
    await store[Symbol.asyncDispose]();
  });

  test("writes after a moment, and at once when many rows wait", async () => {
    matched("one");
    expect(clock.pendingCount).toBe(1);
    clock.advance(250);
    await store.flush();
    expect(await calls()).toHaveLength(1);
    for (let call = 0; call < 500; call += 1) matched(`many-${call}`);
    expect(clock.pendingCount).toBe(0);
    await store[Symbol.asyncDispose]();
    expect(await calls()).toHaveLength(501);
  });

  test("writes the remaining rows at a stop", async () => {
    matched("last");
    await store[Symbol.asyncDispose]();
    expect([await calls(), clock.pendingCount]).toEqual([[expect.objectContaining({ id: idOf("last") })], 0]);
  });
});

describe("a database that fails", () => {
  const breakWrites = () => sql`alter table calls rename to calls_away`.execute(database.db);
  const mendWrites = () => sql`alter table calls_away rename to calls`.execute(database.db);

  /** Advances the clock past the retry delays until the flush ends. */
  async function flushed(): Promise<void> {
    let done = false;
    const flushing = store.flush().then(() => {
      done = true;
    });
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(10_000);
    }
    await flushing;
  }

  test("retries a write without losing or doubling a row", async () => {
    matched("one");
    store.event({ callId: idOf("one"), userId: ana, kind: "joined", atMs: clock.nowMs() });
    await breakWrites();
    const flushing = store.flush();
    while (logged.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await mendWrites();
    clock.advance(100);
    await flushing;
    expect([(await calls()).length, (await events()).length]).toEqual([1, 1]);
    expect(logged).toEqual(["failed to write calls, retrying"]);
  });

  test("gives up after some tries, logs it, and stores later calls without the lost ones", async () => {
    matched("lost");
    await breakWrites();
    await flushed();
    await mendWrites();
    expect(logged.at(-1)).toBe("failed to write calls, giving up");
    store.event({ callId: idOf("lost"), userId: ana, kind: "joined", atMs: clock.nowMs() });
    store.ended(idOf("lost"), { atMs: clock.nowMs(), reason: "next" });
    matched("kept");
    store.event({ callId: idOf("kept"), userId: ana, kind: "joined", atMs: clock.nowMs() });
    await flushed();
    expect((await calls()).map((call) => call.id)).toEqual([idOf("kept")]);
    expect((await events()).map((event) => event.call_id)).toEqual([idOf("kept")]);
  });

  test("makes no new match while too many rows wait, and bounds memory", async () => {
    store = openStore({ waitingRowsMax: 10, waitingRowsHardMax: 30 });
    await breakWrites();
    matched("one");
    const event = { callId: idOf("one"), userId: ana, kind: "camera_off", atMs: clock.nowMs() } as const;
    for (let row = 0; row < 8; row += 1) store.event(event);
    expect(store.isOverloaded()).toBe(false);
    store.event(event);
    expect(store.isOverloaded()).toBe(true);
    for (let row = 0; row < 100; row += 1) store.event(event);
    await mendWrites();
    await flushed();
    expect(store.isOverloaded()).toBe(false);
    expect(await events()).toHaveLength(29);
    expect(logged).toContain("dropped call events, queue is full");
  });
});

test("writes calls while requests hold every other connection", async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const busy = Array.from({ length: database.pool.options.max }, () =>
    database.db.connection().execute(() => released),
  );
  await vi.waitUntil(() => database.pool.totalCount - database.pool.idleCount === busy.length);
  matched("meanwhile");
  await store.flush();
  release();
  await Promise.all(busy);
  expect(await calls()).toMatchObject([{ id: idOf("meanwhile") }]);
});

test("finds calls by key, also by a plan that was made while the table was small", async () => {
  const planned = async (db: TestDatabase["db"]) => {
    const { rows } = await sql<Record<string, string>>`
      explain update calls set ended_at = now()
      from unnest(array['a', 'b']) as change (id) where calls.id = change.id`.execute(db);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  expect(await planned(database.db)).toContain("Seq Scan on calls");
  const plan = await planned(database.log);
  expect(plan).toContain("Index Scan using calls_2026_01_01_pkey");
  expect(plan).not.toContain("Seq Scan on calls");
});

test("resolves when a call is stored, and rejects if it never will be", async () => {
  const { claim: written } = matched("written");
  clock.advance(250);
  expect(await written).toBe(1);
  expect(await calls()).toMatchObject([{ id: idOf("written"), owner: "own", owner_epoch: 1 }]);
  const { claim: lost } = matched("lost");
  await sql`alter table calls rename to calls_away`.execute(database.db);
  let isOver = false;
  const flushing = store.flush().then(() => (isOver = true));
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(10_000);
  }
  await flushing;
  await sql`alter table calls_away rename to calls`.execute(database.db);
  await expect(lost).rejects.toThrow(RoomNotStoredError);
});

test("[START-70] does not change a call that another server has taken", async () => {
  matched("taken");
  await store.flush();
  await sql`update calls set owner = 'another', owner_epoch = 2 where id = ${idOf("taken")}`.execute(database.db);
  store.connected(peopleOf("taken"), clock.nowMs());
  store.event({ callId: idOf("taken"), userId: null, kind: "ended", atMs: clock.nowMs() });
  store.ended(idOf("taken"), { atMs: clock.nowMs(), reason: "left" });
  await store[Symbol.asyncDispose]();
  expect(await calls()).toMatchObject([{ connected_at: null, ended_at: null, end_reason: null, owner: "another" }]);
  expect(await events()).toEqual([]);
});

test("[START-70] writes no end of a call that another server takes after this one was declared dead", async () => {
  const { id: self } = await database.db
    .insertInto("processes")
    .values({ id: "of this test", dead_at: new Date() })
    .returning("id")
    .executeTakeFirstOrThrow();
  const dead = openStore(undefined, self);
  matched("to be taken", dead);
  await dead.flush();
  dead.ended(idOf("to be taken"), { atMs: clock.nowMs(), reason: "left" });
  await dead[Symbol.asyncDispose]();
  expect(await calls()).toMatchObject([{ ended_at: null, end_reason: null, owner: self }]);
});
