import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { root, serverProgram } from "#test/fixtures/compiled-programs.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { SecondServerError, type ServerLock, takeServerLock } from "./server-lock.ts";

const alone = { isShared: false };
const ofSite = { isShared: true };

/** Closes the connections of the lock's owner, as a restart of the database does. */
async function cutOff(url: string): Promise<void> {
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'fava-server-%' and datname = current_database()",
  );
  await admin.end();
}

function isLost(server: ServerLock): Promise<boolean> {
  return Promise.race([server.lost.then(() => true), delay(0, false)]);
}

test("[START-16] rejects a second server on one database until the first has stopped", async () => {
  await using database = await createTestDatabase({ migrated: false });
  {
    await using first = await takeServerLock(database.url, alone);
    await expect(takeServerLock(database.url, alone)).rejects.toThrow(SecondServerError);
    expect(await isLost(first)).toBe(false);
  }
  await using second = await takeServerLock(database.url, alone);
  expect(await isLost(second)).toBe(false);
});

test("[START-16] takes the database again after its connection broke", async () => {
  await using database = await createTestDatabase({ migrated: false });
  await using first = await takeServerLock(database.url, alone);
  await cutOff(database.url);
  await vi.waitFor(
    async () => {
      const second = takeServerLock(database.url, alone).then((server) => server[Symbol.asyncDispose]());
      await expect(second).rejects.toThrow(SecondServerError);
    },
    { timeout: 20_000 },
  );
  expect(await isLost(first)).toBe(false);
});

test("[START-16] notices that another server has taken its database", async () => {
  await using database = await createTestDatabase({ migrated: false });
  await using first = await takeServerLock(database.url, alone);
  await cutOff(database.url);
  await using second = await takeServerLock(database.url, alone);
  await first.lost;
  expect(await isLost(second)).toBe(false);
});

test("lets servers of a site share a database, but not with a server without Redis", async () => {
  await using database = await createTestDatabase({ migrated: false });
  {
    await using first = await takeServerLock(database.url, ofSite);
    await using second = await takeServerLock(database.url, ofSite);
    await expect(takeServerLock(database.url, alone)).rejects.toThrow(
      /Several servers of one site need the same REDIS_URL/,
    );
    expect([await isLost(first), await isLost(second)]).toEqual([false, false]);
  }
  await using third = await takeServerLock(database.url, alone);
  await expect(takeServerLock(database.url, ofSite)).rejects.toThrow(
    /another Fava server without REDIS_URL uses this database/,
  );
  expect(await isLost(third)).toBe(false);
});

async function tablesIn({ pool }: TestDatabase): Promise<number | undefined> {
  const { rows } = await pool.query<{ tables: number }>(
    "select count(*)::integer as tables from pg_tables where schemaname = 'public'",
  );
  return rows[0]?.tables;
}

/** Runs the program as an operator does; returns its output and exit code. */
async function run(databaseUrl: string, words: readonly string[] = []) {
  const dataDirectory = await mkdtemp(join(tmpdir(), "fava-second-"));
  const program = spawn(process.execPath, [serverProgram(), ...words], {
    cwd: root,
    env: { TMPDIR: tmpdir(), DATABASE_URL: databaseUrl, DATA_DIR: dataDirectory, PORT: "0", MODERATION: "off" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [said, [code]] = await Promise.all([text(program.stderr), once(program, "exit")]);
  await rm(dataDirectory, { recursive: true, force: true });
  return [code, said];
}

test("migrates the tables and ends with --migrate", async () => {
  await using database = await createTestDatabase({ migrated: false });
  expect(await run(database.url, ["--migrate"])).toEqual([0, ""]);
  expect(await tablesIn(database)).toBeGreaterThan(10);
  expect(await run(database.url, ["--migrate"])).toEqual([0, ""]);
});

test("[START-16] prints one sentence and exits before it changes anything", async () => {
  await using database = await createTestDatabase({ migrated: false });
  await using first = await takeServerLock(database.url, alone);
  expect(await run(database.url)).toEqual([
    1,
    expect.stringMatching(/^Fava cannot start: another Fava server uses this database/),
  ]);
  expect(await tablesIn(database)).toBe(0);
  expect(await isLost(first)).toBe(false);
});
