import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/pool.ts";
import { templateDatabase } from "./provided.ts";

/** Starts one PostgreSQL for the run, and removes it afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), "fava-test-"));
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
