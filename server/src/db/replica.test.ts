import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "#adapters/local/clock.ts";
import { readConfig } from "#config.ts";
import { Standby } from "#test/fixtures/standby.ts";
import { type EmbeddedDatabase, startEmbedded } from "./embedded.ts";
import { openDatabase, type OpenedDatabase } from "./pool.ts";
import { ReadReplica } from "./replica.ts";

// A second PostgreSQL is copied, started and killed, which takes time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });
const patiently = { timeout: 30_000, interval: 50 };

let folder: string;
let server: EmbeddedDatabase;
let primary: OpenedDatabase;
let standby: Standby;
let logged: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), `fava-replica-${process.pid}-`));
  server = await startEmbedded({ directory: folder, durable: false, log: () => undefined });
  primary = openDatabase(server.url, { max: 4 });
  await primary.pool.query("create table words (word text)");
  standby = await Standby.start(server.url);
});

afterAll(async () => {
  await standby[Symbol.asyncDispose]();
  await primary[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  logged = [];
  await standby.ask("select pg_wal_replay_resume()").catch(() => undefined);
});

function replicaAt(url: string | null): ReadReplica {
  const logger = pino({}, { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) });
  return new ReadReplica({ url, primary: primary.jobs, clock: systemClock, logger });
}

/** Which of them answers: a standby is always in recovery. */
const whoAnswers = (replica: ReadReplica, options?: { upToNow: boolean }) =>
  replica.read(
    primary.db,
    async (db) => (await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(db)).rows[0]?.standby,
    options,
  );

test("reads everything from the primary without a replica, and measures no lag", async () => {
  await using replica = replicaAt(null);
  expect(await whoAnswers(replica, { upToNow: true })).toBe(false);
  expect([replica.isThere, replica.lagMs, replica.fallbacks]).toEqual([false, null, 0]);
  expect(readConfig({}).databaseReplicaUrl).toBe(null);
  expect(() => readConfig({ DATABASE_REPLICA_URL: "postgres://replica/fava" })).toThrow("DATABASE_REPLICA_URL");
});

describe("a standby of the primary", () => {
  test("answers once its position is known, and counts as current while no one writes", async () => {
    await using replica = replicaAt(standby.url);
    expect(await whoAnswers(replica)).toBe(false);
    await vi.waitUntil(async () => await whoAnswers(replica), patiently);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(replica.lagMs).toBeLessThan(5_000);
    expect(await whoAnswers(replica)).toBe(true);
    expect(replica.isThere).toBe(true);
  });

  test("reads an earlier write from a replica that has it, or from the primary", async () => {
    await using replica = replicaAt(standby.url);
    await vi.waitUntil(async () => await whoAnswers(replica), patiently);
    const count = (word: string) =>
      replica.read(
        primary.db,
        async (db) =>
          (await sql<{ found: bigint }>`select count(*) as found from words where word = ${word}`.execute(db)).rows[0]
            ?.found,
        { upToNow: true },
      );
    for (let number = 0; number < 20; number += 1) {
      const word = `w${number}`;
      await primary.pool.query("insert into words values ($1)", [word]);
      expect(await count(word)).toBe(1n);
    }
    expect(replica.fallbacks).toBeLessThan(20);
  });

  test("skips a standby that falls behind until it has caught up", async () => {
    await using replica = replicaAt(standby.url);
    await vi.waitUntil(async () => await whoAnswers(replica), patiently);
    await standby.ask("select pg_wal_replay_pause()");
    await primary.pool.query("insert into words values ('behind')");
    await vi.waitUntil(() => logged.includes("replica is unavailable or behind, using the primary"), patiently);
    expect(await whoAnswers(replica)).toBe(false);
    expect(replica.lagMs).toBeGreaterThan(5_000);
    expect(replica.fallbacks).toBeGreaterThan(0);
    await standby.ask("select pg_wal_replay_resume()");
    await vi.waitUntil(async () => await whoAnswers(replica), patiently);
    await vi.waitUntil(() => logged.includes("replica is usable again"), patiently);
  });

  test("repeats a query at the primary if the standby failed, but not for an error of the query", async () => {
    await using replica = replicaAt(standby.url);
    await vi.waitUntil(async () => await whoAnswers(replica), patiently);
    const asked: boolean[] = [];
    const write = async (db: OpenedDatabase["db"]) => {
      asked.push(db === primary.db);
      await sql`insert into words values ('written')`.execute(db);
    };
    await replica.read(primary.db, write);
    expect(asked).toEqual([false, true]);
    await vi.waitUntil(async () => await whoAnswers(replica), patiently);
    let tries = 0;
    const broken = async () => {
      tries += 1;
      throw new Error("broken off");
    };
    await expect(replica.read(primary.db, broken)).rejects.toThrow("broken off");
    expect(tries).toBe(1);
  });

  test("never reads from a replica that turns out to be a primary", async () => {
    await using replica = replicaAt(server.url);
    await vi.waitUntil(() => logged.includes("failed to read the lag of the replica"), patiently);
    expect([await whoAnswers(replica), replica.lagMs, replica.fallbacks]).toEqual([false, null, 1]);
  });

  test("skips a standby that was killed", async () => {
    await using replica = replicaAt(standby.url);
    await vi.waitUntil(async () => await whoAnswers(replica), patiently);
    await standby.kill();
    expect(await whoAnswers(replica)).toBe(false);
    expect(await whoAnswers(replica, { upToNow: true })).toBe(false);
    expect(replica.fallbacks).toBeGreaterThan(0);
  });
});
