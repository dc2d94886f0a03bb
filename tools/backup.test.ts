import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, chmod, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { checkLedger } from "@fava/server/billing/ledger-check.ts";
import { joinConfigured, startConfigured } from "@fava/server/db/configured.ts";
import { migrate } from "@fava/server/db/migrate.ts";
import { type OpenedDatabase, openDatabase } from "@fava/server/db/pool.ts";
import "@fava/wire/testing/depth.ts";
import { giveBeans } from "@fava/server/test/fixtures/give-beans.ts";
import { root, testProgram } from "./lib/bootstrap.mjs";

// Only stops a test that hangs: a shared machine may stall for seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder = "";
let database: OpenedDatabase;
let stop = async () => {};
let anaId = 0n;
const place = (name: string) => join(folder, name);
const configOf = (name: string) => ({ databaseUrl: null, dataDirectory: place(name) });

/** A database in `live`, which this process owns and the command joins, and a user with beans. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), `fava-backup-${process.pid}-`));
  await chmod(folder, 0o755);
  await mkdir(place("live/blobs/ab"), { recursive: true });
  await writeFile(place("live/blobs/ab/picture"), "a picture");
  await writeFile(place("live/server-secret"), "the secret of this installation");
  const embedded = await startConfigured(configOf("live"));
  if (!embedded) throw new Error("nothing was started");
  database = openDatabase(embedded.url, { max: 4 });
  stop = async () => {
    await database[Symbol.asyncDispose]();
    await embedded[Symbol.asyncDispose]();
  };
  await migrate(database.jobs);
  const { rows } = await database.pool.query<{ id: bigint }>(
    "insert into users (user_no, external_id, nickname, country_id) values (10000001, 'ana', 'ana', 18) returning id",
  );
  anaId = rows[0]?.id ?? 0n;
});

afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command with a data folder; returns its exit code and its output. */
async function run(program: string, words: readonly string[], dataName: string): Promise<string> {
  const child = spawn(process.execPath, [testProgram(`tools/${program}`), ...words], {
    cwd: root,
    env: { ...process.env, DATA_DIR: place(dataName), DATABASE_URL: "", APP_MODE: "development" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => (output += piece.toString()));
  const [code] = await once(child, "close");
  return `${code}: ${output}`;
}

/** Leaves most of the machine to the backup, which the test waits for. */
const giveEveryMs = 10;

/** Gives beans repeatedly until told to end; records when each gift was confirmed, by its number. */
function giveOn() {
  const confirmedAtMs: number[] = [];
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      await giveBeans(database.db, anaId, 7n);
      confirmedAtMs.push(Date.now());
      await delay(giveEveryMs);
    }
  })();
  return {
    confirmedAtMs,
    end: async () => {
      isOver = true;
      await done;
    },
  };
}

const transferCount = async ({ jobs }: OpenedDatabase) => (await checkLedger(jobs)).transferCount;

test("[START-101] backs up everything committed before its end while the database is written to, with a correct ledger", async () => {
  await giveBeans(database.db, anaId, 1_000n);
  const before = await transferCount(database);
  const giving = giveOn();
  expect(await run("backup.ts", ["make", place("kept")], "live")).toMatch(/^0: .*Backed up to/s);
  await giving.end();
  await giveBeans(database.db, anaId, 1n);
  const { endedAt } = JSON.parse(await readFile(place("kept/manifest.json"), "utf8"));
  const within = giving.confirmedAtMs.filter((ms) => ms < Date.parse(endedAt)).length;
  expect(within).toBeGreaterThan(0);
  expect(giving.confirmedAtMs.length).toBeGreaterThan(within);

  expect(await run("backup.ts", ["restore", place("kept")], "again")).toMatch(/^0: .*Restored to/s);
  expect(await run("ledger-check.ts", [], "again")).toMatch(/^0: (?!.*BROKEN)/s);
  await using server = await joinConfigured(configOf("again"));
  await using restored = openDatabase(server.url, { max: 1 });
  const there = await transferCount(restored);
  expect(there).toBeGreaterThanOrEqual(before + BigInt(within));
  expect(there).toBeLessThan(await transferCount(database));
  expect(await readFile(place("again/blobs/ab/picture"), "utf8")).toBe("a picture");
  expect(await readFile(place("again/server-secret"), "utf8")).toBe("the secret of this installation");
  // The restored database accepts new transfers.
  await giveBeans(restored.db, anaId, 1n);
  expect(await transferCount(restored)).toBe(there + 1n);
});

test("[START-101] leaves nothing in the database, and rejects a second backup into the same folder", async () => {
  const { rows } = await database.pool.query("select slot_name from pg_replication_slots");
  expect(rows).toEqual([]);
  expect(await run("backup.ts", ["make", place("kept")], "live")).toMatch(/^1: .*is not empty/s);
  expect(await run("backup.ts", ["make", place("live/inside")], "live")).toMatch(/^1: .*lies in the data folder/s);
  expect(await run("backup.ts", ["make", place("other")], "nothing")).toMatch(/^1: there is no database/);
});

/** What is copied last; `npm run test:deep -- kills` also tries the other one. */
const killedAt = inject("depth") > 1 ? ["pictures", "database"] : ["pictures"];

test.each(killedAt)(
  "[START-102] never restores a backup killed while it copied the %s, and makes the next one",
  async (part) => {
    const name = `killed-${part}`;
    // The process kills itself at that line: from here it might end before the signal.
    const say = `(line) => line.startsWith("Copying") && line.includes("${part}") && process.kill(process.pid, "SIGKILL")`;
    const config = JSON.stringify({ ...configOf("live"), folder: place(name) });
    const program = `import { makeBackup } from ${JSON.stringify(testProgram("tools/lib/backup.ts"))};
      const { folder, ...config } = ${config};
      await makeBackup({ config, folder, say: ${say} });`;
    const killed = spawn(process.execPath, ["--input-type=module", "--eval", program], { cwd: root });
    const [code, signal] = await once(killed, "close");
    expect([code, signal]).toEqual([null, "SIGKILL"]);
    expect((await readdir(folder)).filter((each) => each.startsWith(name))).toEqual([`${name}.unfinished`]);
    expect(await run("backup.ts", ["restore", place(`${name}.unfinished`)], "no")).toMatch(/^1: .*no manifest/s);
    expect(await run("backup.ts", ["make", place(name)], "live")).toMatch(/^1: .*an interrupted backup left/s);
    await vi.waitFor(
      async () => {
        const { rows } = await database.pool.query("select slot_name from pg_replication_slots");
        expect(rows).toEqual([]);
      },
      { timeout: 60_000 },
    );
    expect(await run("backup.ts", ["make", place(`after-${part}`)], "live")).toMatch(/^0: /);
  },
);

test("[START-102] rejects a backup with a changed, missing or cut file, and a folder that is not empty", async () => {
  await cp(place("kept"), place("torn"), { recursive: true });
  const control = place("torn/pgdata/global/pg_control");
  const manifest = place("torn/manifest.json");
  const bytes = await readFile(control);
  await rm(control);
  expect(await run("backup.ts", ["restore", place("torn")], "no")).toMatch(/^1: .*pg_control is missing/s);
  bytes.writeUInt8(bytes.readUInt8(9) ^ 1, 9);
  await writeFile(control, bytes);
  expect(await run("backup.ts", ["restore", place("torn")], "no")).toMatch(
    /^1: .*pg_control is not as it was written/s,
  );
  const text = await readFile(manifest, "utf8");
  await writeFile(manifest, text.slice(0, text.length / 2));
  expect(await run("backup.ts", ["restore", place("torn")], "no")).toMatch(/^1: .*manifest is torn/s);
  expect(await readdir(folder)).not.toContain("no");
  await mkdir(place("full"));
  await writeFile(place("full/somebody's"), "");
  expect(await run("backup.ts", ["restore", place("kept")], "full")).toMatch(/^1: .*is not empty/s);
  expect(await readdir(place("full"))).toEqual(["somebody's"]);
  expect(await run("backup.ts", ["restore", place("kept")], "live")).toMatch(/^1: .*is not empty/s);
});
