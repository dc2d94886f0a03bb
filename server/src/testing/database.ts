import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";
import { openDatabase, type OpenedDatabase } from "#db/pool.ts";
import { leftovers } from "./leftovers.ts";
import { templateDatabase } from "./provided.ts";

/** A migrated, empty database of its own with a pool over it. */
export interface TestDatabase extends OpenedDatabase {
  readonly url: string;
}

/** A closed connection's backend leaves the list of sessions a moment later. */
const closingTries = 200;
const closingStepMs = 5;
const connectionsMax = 8;

/**
 * Clones a database for this test file. It is dropped after the last test, or when disposed, and fails the file where
 * the code under test left a pool or a client open.
 */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const template = migrated ? templateDatabase : "template1";
  // Copying the files takes a third of what writing every page into the log as well takes.
  await withAdmin((admin) => admin.query(`create database ${name} template ${template} strategy file_copy`));
  const url = new URL(inject("databaseUrl"));
  url.pathname = name;
  const opened = openDatabase(url.href, { max: connectionsMax });
  let dropping: Promise<void> | null = null;
  const database: TestDatabase = {
    url: url.href,
    pool: opened.pool,
    db: opened.db,
    jobs: opened.jobs,
    [Symbol.asyncDispose]: () => {
      dropping ??= opened[Symbol.asyncDispose]().then(() => withAdmin((admin) => drop(admin, name)));
      return dropping;
    },
  };
  leftovers.push(database);
  return database;
}

async function withAdmin<Result>(work: (admin: pg.Client) => Promise<Result>): Promise<Result> {
  const admin = new pg.Client(inject("databaseUrl"));
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

async function drop(admin: pg.Client, name: string): Promise<void> {
  let open = 0;
  for (let tries = 0; tries < closingTries; tries += 1) {
    const { rows } = await admin.query<{ open: number }>(
      "select count(*)::integer as open from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
      [name],
    );
    open = rows[0]?.open ?? 0;
    if (open === 0) break;
    await delay(closingStepMs);
  }
  await admin.query(`drop database ${name} with (force)`);
  if (open > 0)
    throw new Error(`${open} connections to the test database were left open: close the pool that made them`);
}
