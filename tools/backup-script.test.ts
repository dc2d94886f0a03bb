import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { migrate } from "@fava/server/db/migrate.ts";
import { openDatabase } from "@fava/server/db/pool.ts";
import { startInstalled } from "@fava/server/test/fixtures/installed-postgres.ts";
import { root } from "./lib/bootstrap.mjs";

const installation = "/usr/lib/postgresql/15";

// Only stops a test that hangs: a shared machine may stall for seconds.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.runIf(existsSync(installation))("the backup of a PostgreSQL of one's own", () => {
  // Named as a backup is: the script must not take the folder itself for an old one.
  const folder = join(mkdtempSync(join(tmpdir(), "fava-backup-script-")), "fava-Z");
  const data = mkdtempSync(join(tmpdir(), "fava-backup-data-"));
  const cluster = mkdtempSync(join(tmpdir(), "fava-backup-cluster-"));
  let server: Awaited<ReturnType<typeof startInstalled>>;

  beforeAll(async () => {
    mkdirSync(folder);
    writeFileSync(join(data, "picture"), "a picture");
    server = await startInstalled(installation, cluster);
    await using database = openDatabase(server.url, { max: 1 });
    await migrate(database.jobs);
    await database.pool.query(
      "insert into users (user_no, external_id, nickname, country_id) values (10000001, 'ana', 'ana', 18)",
    );
    await database.pool.query("create database other");
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    for (const one of [dirname(folder), data, cluster]) rmSync(one, { recursive: true });
  });

  function run(words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
    const { hostname, port, username } = new URL(server.url);
    const around = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGDATABASE: "postgres", DATA_DIR: data };
    const env = { PATH: `${installation}/bin:${process.env["PATH"]}`, BACKUP_FOLDER: folder, ...around, ...settings };
    const { status, stdout, stderr } = spawnSync("sh", [join(root, "deploy/backup.sh"), ...words], {
      env,
      encoding: "utf8",
    });
    return { status, said: `${stdout}${stderr}` };
  }

  test("keeps the newest copies, passes each on, and restores all rows into an empty database alone", () => {
    const after = `touch -r ${folder} ${folder}.passed`;
    writeFileSync(join(folder, "fava-20200101T000000Z"), "an old copy");
    expect(run(["make"], { BACKUP_KEEP: "1", BACKUP_AFTER: after })).toMatchObject({ status: 0 });
    const [name = "", ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(existsSync(`${folder}.passed`)).toBe(true);
    rmSync(`${folder}.passed`);
    const backup = join(folder, name);
    expect(run(["check", backup]).said).toMatch(/\d+ tables with all their rows are in restore_check/);
    expect(run(["restore", backup], { PGDATABASE: "other" })).toMatchObject({ status: 0 });
    expect(run(["restore", backup], { PGDATABASE: "other" }).said).toContain("already exists");

    const rows = join(backup, "rows");
    const text = readFileSync(rows, "utf8");
    writeFileSync(rows, text.replace("public.users 1", "public.users 2"));
    expect(run(["check", backup])).toMatchObject({
      status: 1,
      said: expect.stringContaining("rows: FAILED") as string,
    });
    expect(run(["make"], { PGPORT: "1" }).status).not.toBe(0);
    expect(readdirSync(folder)).toEqual([name]);
  });

  test("keeps a copy while pictures change, and none without a readable folder of pictures", () => {
    const picture = join(data, "changing");
    writeFileSync(picture, Buffer.alloc(1_000_000));
    // GNU tar appends to the picture while it reads it.
    const TAR_OPTIONS = `--checkpoint=1 --checkpoint-action=exec='echo >> ${picture}'`;
    const changed = run(["make"], { TAR_OPTIONS });
    expect(changed).toMatchObject({ status: 0, said: expect.stringContaining("file changed as we read it") as string });
    const before = readdirSync(folder);
    expect(run(["make"], { DATA_DIR: join(data, "missing") }).status).not.toBe(0);
    expect(readdirSync(folder)).toEqual(before);
  });
});
