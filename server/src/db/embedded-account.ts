import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The system account PostgreSQL runs as. */
export interface Account {
  uid: number;
  gid: number;
}

/** Where root keeps what the database account could not reach under a private folder. Temporary folders get cleaned. */
const sharedDirectory = "/var/lib/fava";

/**
 * The account for a data directory, or null for the current one. PostgreSQL refuses to run as root, and initdb refuses
 * an id that has no name, so root hands over to whoever owns the directory, else to `postgres`, else to `nobody`.
 */
export function chooseAccount(directory: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = readAccounts();
  const ownerId = existsSync(directory) ? statSync(directory).uid : 0;
  const owner = ownerId === 0 ? undefined : accounts.find((account) => account.uid === ownerId);
  const chosen =
    owner ??
    accounts.find((account) => account.name === "postgres") ??
    accounts.find((account) => account.name === "nobody");
  if (!chosen) throw new Error("PostgreSQL does not run as root, and this machine has no account postgres or nobody");
  return { uid: chosen.uid, gid: chosen.gid };
}

/** Whether the account may enter a directory or run a program: a checkout below root's home is closed to it. */
export function canReach(account: Account | null, path: string): boolean {
  if (account === null) return true;
  return spawnSync("/bin/sh", ["-c", 'test -x "$1"', "sh", path], { ...account, cwd: "/" }).status === 0;
}

/** A path that every account can reach; only root may call this. */
export function sharedPath(name: string): string {
  mkdirSync(sharedDirectory, { recursive: true });
  chmodSync(sharedDirectory, 0o755);
  return join(sharedDirectory, name);
}

/** Lets every account read and run a copied tree, whatever the umask of the installation was. */
export function openForReading(directory: string): void {
  execFileSync("chmod", ["-R", "a+rX", directory]);
}

function readAccounts(): { name: string; uid: number; gid: number }[] {
  return readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((account) => account.uid > 0 && account.gid > 0);
}
