import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { createTestDatabase } from "#test/fixtures/database.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { openDatabase, QueryPool } from "./pool.ts";

const { url, db, jobs } = await createTestDatabase({ migrated: false });
const patientMs = 30_000;

/** A pool of one connection with these timeouts. */
function narrow({ waitMs = patientMs, answerMs = patientMs } = {}) {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: waitMs });
  leftovers.push({ [Symbol.asyncDispose]: () => pool.end() });
  const queries = new QueryPool({ pool, answerMs, isAway: () => false });
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool: queries }) });
}

const backendOf = async (one: Parameters<ReturnType<typeof sql>["execute"]>[0]) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(one)).rows[0]?.pid;

test("throws that there is no room after too long a wait for a connection", async () => {
  // The timeout includes opening a connection, which takes time on a busy machine.
  const one = narrow({ waitMs: 2_000 });
  await one.connection().execute(async () => {
    await expect(backendOf(one)).rejects.toMatchObject({ name: "DatabaseUnavailableError", reason: "busy" });
  });
  expect(await backendOf(one)).toBeGreaterThan(0);
});

test("lets the database cancel a statement that takes too long", async () => {
  const work = narrow()
    .transaction()
    .execute(async (trx) => {
      await sql`set local statement_timeout = 20`.execute(trx);
      await sql`select pg_sleep(30)`.execute(trx);
    });
  await expect(work).rejects.toMatchObject({ name: "DatabaseUnavailableError", reason: "slow" });
});

test("replaces a connection that does not answer", async () => {
  const one = narrow({ answerMs: 1_000 });
  const before = await backendOf(one);
  const work = one.transaction().execute(async (trx) => void (await sql`select pg_sleep(60)`.execute(trx)));
  await expect(work).rejects.toMatchObject({ name: "DatabaseUnavailableError", reason: "slow" });
  expect(await backendOf(one)).not.toBe(before);
  await sql`select pg_terminate_backend(${before})`.execute(db);
});

test("reports a broken connection, and passes other errors on", async () => {
  const one = narrow();
  const work = one.connection().execute(async (connection) => {
    await sql`select pg_terminate_backend(${await backendOf(connection)})`.execute(db);
    await sql`select 1`.execute(connection);
  });
  await expect(work).rejects.toMatchObject({ name: "DatabaseUnavailableError", reason: "away" });
  await expect(sql`select 1 / 0`.execute(one)).rejects.toMatchObject({ code: "22012" });
});

test("cancels statements of requests after ten seconds, and of long jobs after half an hour", async () => {
  const allowed = sql<{ statement_timeout: string }>`show statement_timeout`;
  expect((await allowed.execute(db)).rows).toEqual([{ statement_timeout: "10s" }]);
  expect((await allowed.execute(jobs)).rows).toEqual([{ statement_timeout: "30min" }]);
});

test("keeps an idle connection open for minutes, but not forever", async () => {
  await using database = openDatabase(url, { max: 1 });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const backend = await backendOf(database.db);
    vi.advanceTimersByTime(9 * 60_000);
    expect([await backendOf(database.db), database.pool.totalCount]).toEqual([backend, 1]);
    vi.advanceTimersByTime(11 * 60_000);
    expect(database.pool.totalCount).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
