import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { systemClock } from "#adapters/local/clock.ts";
import { createTestDatabase } from "#test/fixtures/database.ts";
import { migrate, MigrationError, ownMigrations } from "./migrate.ts";
import { openDatabase } from "./pool.ts";
import { storeCall } from "#test/fixtures/stored-calls.ts";

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

test("changes nothing in a migrated database", async () => {
  expect(await migrate(db)).toEqual([]);
});

test("succeeds in two servers that migrate at once", async () => {
  const fresh = await createTestDatabase({ migrated: false });
  await using one = openDatabase(fresh.url, { max: 1 });
  await using two = openDatabase(fresh.url, { max: 1 });
  const ran = await Promise.all([migrate(one.db), migrate(two.db)]);
  expect(ran.flat()).toEqual(Object.keys(ownMigrations()));
});

test("keeps the schema of 1.0.0, which databases have", () => {
  expect(Object.keys(ownMigrations())[0]).toBe("0001-baseline-1077edc29b6d");
});

test("rejects a database of another version by its name, and changes nothing in it", async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999-future', 'x')`.execute(db);
  await expect(migrate(db)).rejects.toThrow(MigrationError);
  await expect(migrate(db)).rejects.toThrow("9999-future");
  await sql`delete from kysely_migration where name = '9999-future'`.execute(db);

  const earlier = await createTestDatabase({ migrated: false });
  await sql`create table kysely_migration (name text primary key, timestamp text not null)`.execute(earlier.db);
  await sql`insert into kysely_migration values ('0001-people', 'x'), ('0002-calls', 'x')`.execute(earlier.db);
  await sql`create table users (nickname text)`.execute(earlier.db);
  await sql`insert into users values ('ana')`.execute(earlier.db);
  await expect(migrate(earlier.db)).rejects.toThrow(/"0002-calls".*empty database \(docs\/operations\/update\.md\)/);
  const { rows } = await sql`
    select (select string_agg(tablename, ',' order by tablename) from pg_tables where schemaname = 'public') as tables,
      (select count(*)::integer from kysely_migration) as migrations, (select nickname from users) as person`.execute(
    earlier.db,
  );
  expect(rows).toEqual([{ tables: "kysely_migration,users", migrations: 2, person: "ana" }]);
});

test("accepts a newer schema that fits its version, and rejects any other newer one by what to do", async () => {
  const fresh = await createTestDatabase({ migrated: false });
  const change = (statement: string) => ({
    up: async (on: Kysely<unknown>) => void (await sql.raw(statement).execute(on)),
  });
  const first = Object.fromEntries(Object.entries(ownMigrations()).slice(0, 1));
  const second = { ...first, "0002-motto.fits-0001": change("alter table talk add motto text not null default ''") };
  const third = { ...second, "0003-mottoes.fits-0002": change("create table mottoes (id bigint)") };
  const versions = [first, second, third];
  const starts = async () =>
    Promise.all(versions.map((migrations) => migrate(fresh.db, { migrations }).catch((error: Error) => error.message)));

  expect(await migrate(fresh.db, { migrations: first })).toHaveLength(1);
  expect(await migrate(fresh.db, { migrations: second })).toEqual(["0002-motto.fits-0001"]);
  expect(await migrate(fresh.db, { migrations: first })).toEqual([]);
  expect(await migrate(fresh.db, { migrations: third })).toEqual(["0003-mottoes.fits-0002"]);
  expect(await starts()).toEqual([
    expect.stringMatching(/newer schema "0003-mottoes.fits-0002".*restore the backup/) as string,
    [],
    [],
  ]);
  await sql`update kysely_migration set name = '0003-mottoes' where name = '0003-mottoes.fits-0002'`.execute(fresh.db);
  expect(await starts()).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('"0003-mottoes"') as string));
});

test("rejects a PostgreSQL that is too old, and changes nothing in it", async () => {
  const fresh = await createTestDatabase({ migrated: false });
  await expect(migrate(fresh.db, { majorMin: 99 })).rejects.toThrow(
    /the database is PostgreSQL \d+, and Fava needs 99 or newer/,
  );
  const { rows } = await sql`select tablename from pg_tables where schemaname = 'public'`.execute(fresh.db);
  expect(rows).toEqual([]);
});

test("[STORE-63] allows new call events, and no change or deletion", async () => {
  const [ana, bo] = [await createUser("10000001"), await createUser("10000002")];
  const open = { matched_at: new Date(atMs), connected_at: null, ended_at: null, end_reason: null };
  const id = await storeCall(db, { offerer_id: ana, answerer_id: bo, ...open });
  await db
    .insertInto("call_events")
    .values({ call_id: id, user_id: ana, kind: "joined", at: new Date(atMs) })
    .execute();
  await expect(db.updateTable("call_events").set({ kind: "left" }).execute()).rejects.toThrow("append only");
  await expect(db.deleteFrom("call_events").execute()).rejects.toThrow("append only");
  await expect(sql`truncate call_events`.execute(db)).rejects.toThrow("append only");
  expect(await db.selectFrom("call_events").select("kind").execute()).toEqual([{ kind: "joined" }]);
});

test("[STORE-64] allows one live session per user, and any number of ended ones", async () => {
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

test("[STORE-65] keeps ids exact beyond a double, and a birthday the same day in every time zone", async () => {
  const id = await createUser("10000004");
  expect(typeof id).toBe("bigint");
  const birthday = db.selectFrom("users").select("birthday").where("id", "=", id);
  expect(await birthday.executeTakeFirst()).toEqual({ birthday: "1990-02-28" });
  const wide = await sql<{ wide: bigint }>`select 9007199254740993::bigint as wide`.execute(db);
  expect(wide.rows).toEqual([{ wide: 9007199254740993n }]);
});

test("keeps a pool usable after the database closed a connection, and reports the loss", async () => {
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
