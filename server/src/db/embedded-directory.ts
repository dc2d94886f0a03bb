import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Account, canReach, sharedPath } from "./embedded-account.ts";

/**
 * Makes the launcher's folder and gives it to the account; answers another one where the account cannot get there.
 *
 * @throws with a sentence for the operator where neither works.
 */
export function prepareDirectory(wanted: string, account: Account | null, log: (message: string) => void): string {
  mkdirSync(wanted, { recursive: true });
  if (account === null) {
    // The mode guards the data; a folder of somebody else fails here.
    tryOwn(wanted, () => chmodSync(wanted, 0o700));
    return wanted;
  }
  if (canReach(account, dirname(wanted))) return handOver(wanted, account);
  if (existsSync(join(wanted, "pgdata"))) {
    throw new Error(
      `the database in ${wanted} is closed to the account with id ${account.uid}: open the folders above it`,
    );
  }
  // The note makes removing the folder mean a new database, as it does everywhere else.
  const note = join(wanted, "moved-to");
  if (!existsSync(note)) writeFileSync(note, mkdtempSync(sharedPath("data-")));
  const moved = readFileSync(note, "utf8");
  log(`PostgreSQL cannot run as root and nobody else may enter ${wanted}: the database lives in ${moved}`);
  return handOver(moved, account);
}

function handOver(directory: string, account: Account): string {
  mkdirSync(directory, { recursive: true });
  chownSync(directory, account.uid, account.gid);
  chmodSync(directory, 0o700);
  return directory;
}

/** Says whose fault it is when an action on a folder fails. */
export function tryOwn(directory: string, action: () => void): void {
  try {
    action();
  } catch (cause) {
    const advice = "start as that user, or set DATA_DIR to a folder of your own";
    throw new Error(`the folder ${directory} belongs to another user: ${advice}`, { cause });
  }
}
