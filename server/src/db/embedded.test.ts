import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { testProgram } from "#test/fixtures/compiled-programs.ts";
import { DatabaseInUseError, startEmbedded } from "./embedded.ts";

vi.setConfig({ testTimeout: 60_000 });

/** How many more times the processes are killed. */
const repeats = fuzz(1).numRuns - 1;

const root = mkdtempSync(join(tmpdir(), "fava-embedded-"));
chmodSync(root, 0o755);
const directory = join(root, "shared");
const lockFile = join(directory, "pgdata", "postmaster.pid");

const start = (folder = directory) => startEmbedded({ directory: folder, log: () => undefined, durable: false });

afterAll(async () => {
  // A failed test may have left a running database; taking it over allows stopping it.
  if (existsSync(lockFile)) await (await start())[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

/** Starts the database in another process, as `npm start` does, and kills that process without warning. */
async function startAndKill(): Promise<void> {
  const script = `
    import { startEmbedded } from ${JSON.stringify(testProgram("server/src/db/embedded.ts"))};
    const options = { directory: ${JSON.stringify(directory)}, log: () => undefined, durable: false };
    await startEmbedded(options);
    process.kill(process.pid, "SIGKILL");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [, signal] = await once(child, "exit");
  expect(signal).toBe("SIGKILL");
}

test("starts a stopped database with its data", async () => {
  {
    await using first = await start();
    await query(first.url, "create table kept as select 7 as value");
  }
  expect(existsSync(lockFile)).toBe(false);
  await using second = await start();
  expect(second.adopted).toBe(false);
  expect(await query(second.url, "select value from kept")).toEqual([7]);
});

test(
  "takes over the running database after a kill -9 of the server, and stops it at the end",
  { repeats },
  async () => {
    await startAndKill();
    {
      await using adopted = await start();
      expect(adopted.adopted).toBe(true);
      expect(await query(adopted.url, "select 1")).toEqual([1]);
    }
    expect(existsSync(lockFile)).toBe(false);
  },
);

test("recovers after a kill -9 of the database", { repeats }, async () => {
  await startAndKill();
  const [pid] = readFileSync(lockFile, "utf8").split("\n");
  process.kill(Number(pid), "SIGKILL");
  await using recovered = await start();
  expect(recovered.adopted).toBe(false);
  expect(await query(recovered.url, "select 1")).toEqual([1]);
});

test("starts despite a lock file whose process id now belongs to another program", async () => {
  writeFileSync(lockFile, `${process.pid}\n${directory}/pgdata\n1\n1\n`);
  await using started = await start();
  expect(await query(started.url, "select 1")).toEqual([1]);
});

test("rejects a second start in the same folder by its name, and keeps the first running", async () => {
  await using first = await start();
  const refused = start();
  await expect(refused).rejects.toThrow(DatabaseInUseError);
  await expect(refused).rejects.toThrow(directory);
  await expect(refused).rejects.toThrow(`process ${process.pid}`);
  expect(await query(first.url, "select 1")).toEqual([1]);
});

test("waits for a stop in progress, then starts the database", async () => {
  const first = await start();
  const second = start();
  const owners = "select count(*)::integer from pg_stat_activity where application_name like 'fava-owner-%'";
  await vi.waitFor(async () => expect(await query(first.url, owners)).toEqual([2]), { timeout: 10_000 });
  await first[Symbol.asyncDispose]();
  await using started = await second;
  expect(await query(started.url, "select 1")).toEqual([1]);
});

test("accepts one of two simultaneous first starts, and rejects the other", async () => {
  const [one, two] = await Promise.allSettled([start(join(root, "fresh")), start(join(root, "fresh"))]);
  const winner = one.status === "fulfilled" ? one : two;
  const loser = one.status === "fulfilled" ? two : one;
  if (winner.status !== "fulfilled" || loser.status !== "rejected") throw new Error("expected one of each");
  await using won = winner.value;
  expect(loser.reason).toBeInstanceOf(DatabaseInUseError);
  expect(await query(won.url, "select 1")).toEqual([1]);
});

test("leaves data of another PostgreSQL version alone, and says what to do", async () => {
  const old = join(root, "old");
  mkdirSync(join(old, "pgdata"), { recursive: true });
  writeFileSync(join(old, "pgdata", "PG_VERSION"), "12\n");
  writeFileSync(join(old, "pgdata", "fava-password"), "secret\n");
  await expect(start(old)).rejects.toThrow(/made by PostgreSQL 12.*DATA_DIR/);
  expect(readdirSync(join(old, "pgdata")).toSorted()).toEqual(["PG_VERSION", "fava-password"]);
});

test("accepts connections only on loopback, and only with its password", async () => {
  await using database = await start();
  expect(await query(database.url, "show listen_addresses")).toEqual(["127.0.0.1"]);
  const wrong = new URL(database.url);
  wrong.password = "guess";
  await expect(query(wrong.href, "select 1")).rejects.toThrow("password");
  expect(statSync(join(directory, "pgdata", "fava-password")).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("sorts text alike on every machine", async () => {
  await using database = await start();
  expect(await query(database.url, "select datlocprovider::text || ' ' || datlocale from pg_database")).toEqual(
    Array.from({ length: 3 }, () => "b C.UTF-8"),
  );
});
