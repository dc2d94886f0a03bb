import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "#db/embedded.ts";
import { isAlive } from "#db/embedded-process.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/pool.ts";
import { templateDatabase } from "./provided.ts";

const directoryPrefix = "fava-test-";

/** Starts one PostgreSQL for the run, and removes it afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  removeAbandoned();
  const directory = mkdtempSync(join(tmpdir(), `${directoryPrefix}${process.pid}-`));
  const server = await startEmbedded({ directory, durable: false, log: (message) => console.info(message) });
  const admin = new pg.Client(server.url);
  await admin.connect();
  await admin.query(`create database ${templateDatabase}`);
  await admin.end();
  const templateUrl = new URL(server.url);
  templateUrl.pathname = templateDatabase;
  const template = openDatabase(templateUrl.href, { max: 1 });
  await migrate(template.db);
  await template[Symbol.asyncDispose]();
  project.provide("databaseUrl", server.url);
  return async () => {
    await server[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  };
}

/** A run that was killed could not stop its server; the next run does. */
function removeAbandoned(): void {
  const self = process.getuid?.() ?? 0;
  for (const name of readdirSync(tmpdir())) {
    const owner = name.startsWith(directoryPrefix) ? Number(name.slice(directoryPrefix.length).split("-")[0]) : 0;
    if (!(owner > 0) || isAlive(owner)) continue;
    const directory = join(tmpdir(), name);
    if (self !== 0 && statSync(directory).uid !== self) continue;
    const lockFile = join(directory, "pgdata", "postmaster.pid");
    const server = existsSync(lockFile) ? Number(readFileSync(lockFile, "utf8").split("\n")[0]) : 0;
    if (server > 0 && isAlive(server)) process.kill(server, "SIGQUIT");
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
