import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Account, chooseAccount } from "./embedded-account.ts";
import { type Binaries, findBinaries, programPath } from "./embedded-binaries.ts";
import { prepareDirectory, tryOwn } from "./embedded-directory.ts";

/** Superuser of every embedded cluster. */
export const clusterUser = "fava";

/** A data directory, the programs that serve it and the account they run as. */
export interface Cluster {
  /** Folder of the launcher: the cluster and the log of the server. */
  directory: string;
  dataDirectory: string;
  binaries: Binaries;
  account: Account | null;
  password: string;
  durable: boolean;
}

export interface ClusterOptions {
  directory: string;
  durable: boolean;
  log: (message: string) => void;
}

const run = promisify(execFile);
const passwordFileName = "fava-password";

/**
 * Opens the cluster below a directory, creating it the first time. Existing data is never deleted or replaced.
 *
 * @throws with a sentence for the operator where the directory cannot be used.
 */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const wanted = resolve(options.directory);
  const account = chooseAccount(existsSync(join(wanted, "pgdata")) ? join(wanted, "pgdata") : wanted);
  const directory = prepareDirectory(wanted, account, options.log);
  const binaries = findBinaries(account);
  const dataDirectory = join(directory, "pgdata");
  const cluster = { directory, dataDirectory, binaries, account, durable: options.durable, password: "" };
  if (!existsSync(dataDirectory)) await createCluster(cluster);
  return { ...cluster, password: readCluster(cluster) };
}

/** Environment of the programs: nothing of ours, so that a PGPORT or a missing locale of the machine changes nothing. */
export function programOptions(cluster: Omit<Cluster, "password">) {
  return { ...cluster.account, cwd: cluster.directory, env: { HOME: cluster.directory, LC_ALL: "C", TZ: "UTC" } };
}

/**
 * Everything is made under another name, the password inside it; the one rename at the end makes it the cluster. So an
 * interrupted first start leaves nothing half-made, and of two at once one wins.
 */
async function createCluster(cluster: Omit<Cluster, "password">): Promise<void> {
  const suffix = randomBytes(6).toString("hex");
  const staging = `${cluster.dataDirectory}.new-${suffix}`;
  const passwordFile = join(cluster.directory, `password-${suffix}`);
  const password = randomBytes(24).toString("hex");
  try {
    writeOwned(passwordFile, password, cluster.account);
    await run(programPath(cluster.binaries, "initdb"), initArguments(cluster, staging, passwordFile), {
      ...programOptions(cluster),
      encoding: "utf8",
    });
    writeOwned(join(staging, passwordFileName), password, cluster.account);
    renameSync(staging, cluster.dataDirectory);
  } catch (cause) {
    if (existsSync(cluster.dataDirectory)) return;
    throw new Error(`PostgreSQL could not create its data folder in ${cluster.directory}: ${String(cause)}`, { cause });
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The built-in locale sorts alike on every machine. */
function initArguments(cluster: Omit<Cluster, "password">, staging: string, passwordFile: string): string[] {
  return [
    `--pgdata=${staging}`,
    `--username=${clusterUser}`,
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    ...(cluster.durable ? [] : ["--no-sync"]),
  ];
}

function writeOwned(file: string, text: string, account: Account | null): void {
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  if (account) chownSync(file, account.uid, account.gid);
}

function readCluster({ dataDirectory, binaries }: Omit<Cluster, "password">): string {
  let made = "";
  let password = "";
  tryOwn(dataDirectory, () => {
    made = readFileSync(join(dataDirectory, "PG_VERSION"), "utf8").trim();
    password = readFileSync(join(dataDirectory, passwordFileName), "utf8").trim();
  });
  if (made === binaries.majorVersion) return password;
  throw new Error(
    `the database in ${dataDirectory} was made by PostgreSQL ${made}, but PostgreSQL ${binaries.majorVersion} is installed: ` +
      "start the version of Fava that made it and export the data, or set DATA_DIR to a new folder",
  );
}
