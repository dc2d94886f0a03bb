import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "#db/embedded.ts";
import { livingServer, isAlive } from "#db/embedded-lock-file.ts";
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
  for (const name of readdirSync(tmpdir())) {
    const owner = name.startsWith(directoryPrefix) ? Number(name.slice(directoryPrefix.length).split("-")[0]) : 0;
    if (!(owner > 0) || isAlive(owner)) continue;
    try {
      const server = livingServer(join(tmpdir(), name, "pgdata"));
      if (server) process.kill(server.pid, "SIGQUIT");
      rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      // Another user's, or being removed by another run at this moment: this run does not need it gone.
      console.info(`left ${name} alone: ${String(error)}`);
    }
  }
}
