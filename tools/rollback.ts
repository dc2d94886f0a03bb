import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readConfig } from "@fava/server/config.ts";
import { joinConfigured } from "@fava/server/db/configured.ts";
import { appliedMigrations } from "@fava/server/db/migrate.ts";
import { openDatabase } from "@fava/server/db/pool.ts";
import { startFailure } from "@fava/server/start-message.ts";
import { root } from "./lib/bootstrap.mjs";
import { readEnvironmentFile } from "./lib/production-settings.ts";
import { rollBack, RollbackError } from "./lib/rollback.ts";

/**
 * `npm run rollback -- VERSION [FILE]`: checks out and builds a released version, if it can use the database of the
 * environment or of a file such as `deploy/.env`. Running servers go on until they are restarted.
 */
async function main(): Promise<void> {
  const [version, file] = process.argv.slice(2);
  if (version === undefined) throw new RollbackError("name a version: npm run rollback -- v1.0.0 [FILE]");
  const settings = file === undefined ? {} : readEnvironmentFile(await readFile(resolve(file), "utf8"));
  rollBack({ root, version, applied: await readApplied({ ...process.env, ...settings }) });
  execFileSync(process.execPath, ["tools/build-server.mjs"], { cwd: root, stdio: "inherit" });
  console.log(`${version} is built. Restart the servers, which run the other version until then.`);
}

async function readApplied(environment: NodeJS.ProcessEnv): Promise<readonly string[]> {
  await using server = await joinConfigured(readConfig(environment));
  await using database = openDatabase(server.url, { max: 1 });
  return await appliedMigrations(database.db);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof RollbackError ? error.message : startFailure(error)}\n`);
  process.exitCode = 1;
}
