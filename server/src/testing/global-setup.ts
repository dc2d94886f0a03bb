import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/pool.ts";
import { templateDatabase } from "./provided.ts";

/** Of this repository: the same for every run of tests, however it was begun. */
const removeAbandoned = fileURLToPath(new URL("../../../tools/lib/run-folder.mjs", import.meta.url));

/** Starts one PostgreSQL for the run, and removes it afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  execFileSync(process.execPath, [removeAbandoned], { stdio: "inherit" });
  const directory = mkdtempSync(join(tmpdir(), `fava-vitest-${process.pid}-`));
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
