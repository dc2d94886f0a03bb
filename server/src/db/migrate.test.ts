import { sql } from "kysely";
import { expect, test } from "vitest";
import { systemClock } from "#adapters/local/clock.ts";
import { createTestDatabase } from "#test/fixtures/database.ts";
import { migrate, MigrationError } from "./migrate.ts";
import { openDatabase } from "./pool.ts";

const { db, url, pool } = await createTestDatabase();
const atMs = Date.UTC(2026, 0, 1);

async function createUser(userNo: string): Promise<bigint> {
  const names = { user_no: userNo, external_id: `external-${userNo}`, nickname: "ana", avatar_key: "", language: "en" };
  const user = { ...names, birthday: "1990-02-28", sex: 2, role: 0, country_id: 840, last_login_ip: "", device_id: "" };
  return (await db.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow()).id;
}

function session(id: string, userId: bigint) {
  const from = { ip: "203.0.113.7", user_agent: "test", source: 1, language: "en" };
  const open = { expires_at: new Date(atMs), ended_at: null, end_reason: null };
  return { id, user_id: userId, token_hash: `hash-${id}`, ...from, ...open };
}

test("[STORE-61] migrating a migrated database changes nothing", async () => {
  expect(await migrate(db)).toEqual([]);
});

test("[STORE-61] two processes that migrate at once both succeed", async () => {
  const fresh = await createTestDatabase({ migrated: false });
  await using one = openDatabase(fresh.url, { max: 1 });
  await using two = openDatabase(fresh.url, { max: 1 });
  const ran = await Promise.all([migrate(one.db), migrate(two.db)]);
  // Each step is one transaction: the two may have shared them out, and none ran twice.
  expect(ran.flat().toSorted()).toEqual([
    "0001-people",
    "0002-calls",
    "0003-beans",
    "0004-shop",
    "0005-meters",
    "0006-people",
    "0007-people-indexes",
    "0008-moderation",
    "0009-owed",
    "0010-sent-views",
    "0011-comments",
    "0012-any-reason",
    "0013-passed-calls",
    "0014-gathered-beans",
    "0015-standing-messages",
    "0016-owners",
    "0020-call-days-stated",
    "0021-call-days-proven",
    "0022-call-days",
    "0023-talk",
    "0024-aparts",
    "0026-notifications",
    "0027-rings",
    "0028-match-tells",
    "0029-away-rings",
    "0030-report-outcomes",
    "0031-left-out-countries",
    "0032-appeal-subscriptions",
    "0033-begun-erasures",
    "0034-pauses-and-notes",
    "0035-search-names",
    "0036-visible-names",
    "0037-covered-messages",
    "0038-text-findings",
    "0039-text-questions",
    "0045-standing",
  ]);
});

test("[STORE-62] a database migrated by a newer version is refused by name and left alone", async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999-future', 'x')`.execute(db);
  await expect(migrate(db)).rejects.toThrow(MigrationError);
  await expect(migrate(db)).rejects.toThrow("9999-future");
  await sql`delete from kysely_migration where name = '9999-future'`.execute(db);
});

test("[STORE-63] what happened in a call can be added to, never changed or removed", async () => {
  const [ana, bo] = [await createUser("10000001"), await createUser("10000002")];
  const open = { matched_at: new Date(atMs), connected_at: null, ended_at: null, end_reason: null };
  const call = { id: "call", offerer_id: ana, answerer_id: bo, offerer_price: 0, answerer_price: 0, ...open };
  await db.insertInto("calls").values(call).execute();
  await db
    .insertInto("call_events")
    .values({ call_id: "call", user_id: ana, kind: "joined", at: new Date(atMs) })
    .execute();
  await expect(db.updateTable("call_events").set({ kind: "left" }).execute()).rejects.toThrow("append only");
  await expect(db.deleteFrom("call_events").execute()).rejects.toThrow("append only");
  await expect(sql`truncate call_events`.execute(db)).rejects.toThrow("append only");
  await expect(sql`truncate call_events_before`.execute(db)).rejects.toThrow("append only");
  expect(await db.selectFrom("call_events").select("kind").execute()).toEqual([{ kind: "joined" }]);
});

test("[STORE-64] a person has one live session and any number of ended ones", async () => {
  const ana = await createUser("10000003");
  const ended = { ended_at: new Date(atMs), end_reason: "kicked" as const };
  await db.insertInto("sessions").values(session("first", ana)).execute();
  await expect(db.insertInto("sessions").values(session("second", ana)).execute()).rejects.toMatchObject({
    code: "23505",
    constraint: "sessions_one_live",
  });
  await db.updateTable("sessions").set(ended).where("id", "=", "first").execute();
  await db.insertInto("sessions").values(session("second", ana)).execute();
  await db.updateTable("sessions").set(ended).where("id", "=", "second").execute();
  await db.insertInto("sessions").values(session("third", ana)).execute();
});

test("[STORE-65] ids are exact beyond a double, and a birthday is a day in every time zone", async () => {
  const id = await createUser("10000004");
  expect(typeof id).toBe("bigint");
  const birthday = db.selectFrom("users").select("birthday").where("id", "=", id);
  expect(await birthday.executeTakeFirst()).toEqual({ birthday: "1990-02-28" });
  const wide = await sql<{ wide: bigint }>`select 9007199254740993::bigint as wide`.execute(db);
  expect(wide.rows).toEqual([{ wide: 9007199254740993n }]);
});

test("[STORE-66] a pool outlives a connection that the database closed, and says that it was lost", async () => {
  let tell: (error: Error) => void = () => undefined;
  const lost = new Promise<Error>((resolve) => (tell = resolve));
  await using watched = openDatabase(url, {
    max: 1,
    outages: { clock: systemClock, began: tell, ended: () => undefined, connectionLost: (error) => tell(error) },
  });
  const { rows } = await watched.pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  await pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  expect((await lost).message).toContain("terminating connection");
  expect((await watched.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});
