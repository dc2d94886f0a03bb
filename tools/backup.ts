import { readConfig } from "@fava/server/config.ts";
import { startFailure } from "@fava/server/start-message.ts";
import { BackupError, makeBackup, restoreBackup } from "./lib/backup.ts";

/**
 * `npm run backup -- FOLDER` copies the embedded database and the files of `DATA_DIR`, even while the server runs. `npm
 * run restore -- FOLDER` restores such a copy into an empty `DATA_DIR`.
 */
async function main(): Promise<void> {
  const [what, folder] = process.argv.slice(2);
  if (!folder || (what !== "make" && what !== "restore")) {
    throw new BackupError("name a folder: npm run backup -- FOLDER, or npm run restore -- FOLDER");
  }
  const options = { config: readConfig(), folder, say: console.log };
  await (what === "make" ? makeBackup(options) : restoreBackup(options));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof BackupError ? error.message : startFailure(error)}\n`);
  process.exitCode = 1;
}
