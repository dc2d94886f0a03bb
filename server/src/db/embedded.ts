import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fchownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import {
  type SystemAccount,
  type Binaries,
  canReach,
  chooseAccount,
  findBinaries,
  programPath,
  sharedPath,
} from "./embedded-binaries.ts";
import { takeSessionLock } from "./session-lock.ts";

export interface EmbeddedDatabase {
  /** Connection string with the password: never log it. */
  readonly url: string;
  /** Whether a killed process had left it running. */
  readonly adopted: boolean;
  /** Actual data folder. It differs from the requested one where root had to move it to a readable folder. */
  readonly directory: string;
  /** Resolves when the database stops unexpectedly. */
  readonly lost: Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface EmbeddedOptions {
  directory: string;
  log: (message: string) => void;
  /** False loses data in a power failure, for speed: tests only. */
  durable?: boolean;
}

/** Arbitrary; unique among the cluster's advisory locks. */
const ownerLockId = 4_718_230_591;
/** The connection of a killed owner closes with a short delay, and an owner without its npm stops within a second. */
const ownerWaitMs = 2_000;
const ownerAttemptsMax = 3;

/**
 * Adopts a database that a killed process left running. The owner holds an advisory lock as long as its connection
 * lives, so a second start in the same folder fails before it stops the database.
 * @throws DatabaseInUseError for the second start; other errors are messages for the operator.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { directory, log, durable = true } = options;
  const cluster = await openCluster({ directory, log, durable });
  const server = await startOwned(cluster, log);
  let stopping: Promise<void> | null = null;
  const lost = new Promise<void>((resolve) => {
    server.connection.once("end", () => {
      if (stopping === null) resolve();
    });
  });
  return {
    lost,
    url: urlOf(cluster, server.port),
    adopted: server.adopted,
    directory: cluster.directory,
    [Symbol.asyncDispose]: () => {
      stopping ??= stop(cluster, server);
      return stopping;
    },
  };
}

/** Null where none is running. */
export async function runningEmbeddedUrl({ directory, log }: EmbeddedOptions): Promise<string | null> {
  const cluster = await openCluster({ directory, log, durable: true });
  const port = livingServer(cluster.dataDirectory)?.port ?? 0;
  return port === 0 ? null : urlOf(cluster, port);
}

function urlOf({ password }: Cluster, port: number): string {
  return `postgres://${clusterUser}:${password}@127.0.0.1:${port}/postgres`;
}

/** An adopted server may just be stopping; then the next attempt starts a new one. */
async function startOwned(cluster: Cluster, log: (message: string) => void): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const server = await adoptOrStart(cluster, log);
    try {
      await takeOwnership(server.connection, cluster.directory);
      return server;
    } catch (error) {
      await server.connection.end();
      if (error instanceof DatabaseInUseError || attempt === ownerAttemptsMax) throw error;
      log(`PostgreSQL was just stopping, trying again: ${String(error)}`);
    }
  }
}

async function stop(cluster: Cluster, server: RunningServer): Promise<void> {
  try {
    await stopServer(cluster, server.pid);
  } finally {
    // The lock is released last: otherwise another start could adopt a server that is stopping.
    await server.connection.end();
  }
}

export class DatabaseInUseError extends Error {
  override readonly name = "DatabaseInUseError";
  constructor(directory: string, owner: string) {
    super(`the database in ${directory} is in use by ${owner}: stop that one first, or set DATA_DIR to another folder`);
  }
}

async function takeOwnership(connection: pg.Client, directory: string): Promise<void> {
  if (await takeSessionLock(connection, { id: ownerLockId }, ownerWaitMs)) return;
  const { rows } = await connection.query<{ application_name: string }>(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and a.application_name like 'fava-owner-%'`,
  );
  const process = rows[0]?.application_name.replace("fava-owner-", "process ");
  throw new DatabaseInUseError(directory, process ?? "another process");
}

export interface RunningServer {
  pid: number;
  port: number;
  connection: pg.Client;
  adopted: boolean;
}

const run = promisify(execFile);
/** The lock file and shared memory of a killed server remain for a moment. */
const startAttemptsMax = 5;
const retryStepMs = 300;
const startTimeoutMs = 30_000;
const stopTimeoutMs = 30_000;
const probePauseMs = 20;
const connectTimeoutMs = 2_000;
/** More than the pools use (`DATABASE_CONNECTIONS`), and the launcher's own connection. */
const connectionsMax = 220;

/** Adopts the server that is running on the cluster, or starts one. @throws with PostgreSQL's last log lines. */
export async function adoptOrStart(cluster: Cluster, log: (message: string) => void): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const left = await adopt(cluster);
    if (left) return left;
    const started = await start(cluster);
    if (typeof started !== "string") return started;
    if (attempt === startAttemptsMax) throw new Error(`PostgreSQL did not start in ${cluster.directory}: ${started}`);
    log(`PostgreSQL did not start, trying again: ${started}`);
    await delay(retryStepMs * attempt);
  }
}

/** Stops this server and waits for its end, ignoring a new server on the same cluster. */
export async function stopServer(cluster: Cluster, pid: number): Promise<void> {
  if (livingServer(cluster.dataDirectory)?.pid !== pid) return;
  await run(programPath(cluster.binaries, "pg_ctl"), ["kill", "INT", String(pid)], programOptions(cluster));
  const deadlineMs = performance.now() + stopTimeoutMs;
  while (livingServer(cluster.dataDirectory)?.pid === pid) {
    if (performance.now() > deadlineMs) throw new Error(`PostgreSQL (process ${pid}) does not stop`);
    await delay(probePauseMs);
  }
}

async function adopt(cluster: Cluster): Promise<RunningServer | null> {
  const left = livingServer(cluster.dataDirectory);
  const connection = left && left.port > 0 ? await connect(cluster, left.port) : null;
  return left && connection && { ...left, connection, adopted: true };
}

async function start(cluster: Cluster): Promise<RunningServer | string> {
  const port = await freePort();
  const logFile = join(cluster.directory, "postgres.log");
  const logDescriptor = openSync(logFile, "w", 0o600);
  if (cluster.account) fchownSync(logDescriptor, cluster.account.uid, cluster.account.gid);
  // Its own process group protects it from Ctrl-C: it must stop after the last query.
  const child = spawn(programPath(cluster.binaries, "postgres"), serverArguments(cluster, port), {
    ...programOptions(cluster),
    detached: true,
    stdio: ["ignore", logDescriptor, logDescriptor],
  });
  closeSync(logDescriptor);
  child.unref();
  let failure: string | null = null;
  child.once("error", (error) => (failure = error.message));
  child.once("exit", (code, signal) => (failure ??= `it ended with ${signal ?? `code ${code}`}`));
  const deadlineMs = performance.now() + startTimeoutMs;
  while (failure === null && performance.now() < deadlineMs) {
    const connection = await connect(cluster, port);
    if (connection) return { pid: child.pid ?? 0, port, connection, adopted: false };
    await delay(probePauseMs);
  }
  child.kill("SIGQUIT");
  const words = readFileSync(logFile, "utf8").trim().split("\n").slice(-5).join(" | ");
  return `${failure ?? "no answer in time"}; ${words}`;
}

/** TCP on loopback with a password: a socket path may be unwritable or too long, and Windows has none. */
function serverArguments(cluster: Cluster, port: number): string[] {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: String(connectionsMax),
    shared_buffers: "64MB",
    timezone: "UTC",
    // Failed statements contain user data, and their caller receives the error.
    log_min_messages: "fatal",
    log_min_error_statement: "panic",
    ...(cluster.durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return ["-D", cluster.dataDirectory, "-p", String(port), ...flags];
}

/** Connects if the server on this port serves this cluster, else null. */
async function connect(cluster: Cluster, port: number): Promise<pg.Client | null> {
  const connection = new pg.Client({
    host: "127.0.0.1",
    port,
    user: clusterUser,
    password: cluster.password,
    database: "postgres",
    application_name: `fava-owner-${process.pid}`,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // An error without a listener would end this process; the next query fails as well.
  connection.on("error", () => undefined);
  try {
    await connection.connect();
    const { rows } = await connection.query<{ data_directory: string }>("show data_directory");
    if (rows[0] && realpathSync(rows[0].data_directory) === realpathSync(cluster.dataDirectory)) return connection;
  } catch {
    // Not listening, still recovering, or another cluster: the caller decides about retries.
  }
  await connection.end();
  return null;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

export const clusterUser = "fava";

export interface Cluster {
  directory: string;
  dataDirectory: string;
  binaries: Binaries;
  account: SystemAccount | null;
  password: string;
  durable: boolean;
}

export interface ClusterOptions {
  directory: string;
  durable: boolean;
  log: (message: string) => void;
}

const passwordFileName = "fava-password";

/**
 * Creates a missing cluster. Never deletes or replaces data.
 * @throws with a message for the operator where the directory is unusable.
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

/**
 * The rename at the end is atomic.
 * @param fill writes the copy into the given folder.
 * @throws where a cluster exists, or where another version made the copy.
 */
export async function placeCluster(
  options: EmbeddedOptions,
  fill: (directory: string) => Promise<void>,
): Promise<void> {
  const wanted = resolve(options.directory);
  const account = chooseAccount(wanted);
  const directory = prepareDirectory(wanted, account, options.log);
  const binaries = findBinaries(account);
  const dataDirectory = join(directory, "pgdata");
  if (existsSync(dataDirectory)) throw new Error(`there is a database in ${dataDirectory} already`);
  const staging = `${dataDirectory}.new-${randomBytes(6).toString("hex")}`;
  try {
    mkdirSync(staging, { mode: 0o700 });
    await fill(staging);
    readCluster({ directory, dataDirectory: staging, binaries, account, durable: true });
    if (account) await run("chown", ["-R", `${account.uid}:${account.gid}`, staging]);
    renameSync(staging, dataDirectory);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Environment of the programs, without ours: the machine's PGPORT or a missing locale must not matter. */
export function programOptions(cluster: Omit<Cluster, "password">) {
  return { ...cluster.account, cwd: cluster.directory, env: { HOME: cluster.directory, LC_ALL: "C", TZ: "UTC" } };
}

/** Renamed atomically: an interrupted first start leaves nothing, and of two concurrent starts one wins. */
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

/** The built-in locale sorts equally on every machine. */
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

function writeOwned(file: string, text: string, account: SystemAccount | null): void {
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

/**
 * Returns another folder where the account cannot reach it.
 * @throws with a message for the operator.
 */
export function prepareDirectory(
  wanted: string,
  account: SystemAccount | null,
  log: (message: string) => void,
): string {
  mkdirSync(wanted, { recursive: true });
  if (account === null) {
    // The mode protects the data; another user's folder fails here.
    tryOwn(wanted, () => chmodSync(wanted, 0o700));
    return wanted;
  }
  if (canReach(account, dirname(wanted))) return handOver(wanted, account);
  if (existsSync(join(wanted, "pgdata"))) {
    throw new Error(
      `the database in ${wanted} is closed to the account with id ${account.uid}: open the folders above it`,
    );
  }
  // With the path in this file, deleting the folder means a new database, as on other machines.
  const note = join(wanted, "moved-to");
  if (!existsSync(note)) writeFileSync(note, mkdtempSync(sharedPath("data-")));
  const moved = readFileSync(note, "utf8");
  log(`PostgreSQL cannot run as root, and its account cannot enter ${wanted}: the data is in ${moved}`);
  return handOver(moved, account);
}

function handOver(directory: string, account: SystemAccount): string {
  mkdirSync(directory, { recursive: true });
  chownSync(directory, account.uid, account.gid);
  chmodSync(directory, 0o700);
  return directory;
}

export function tryOwn(directory: string, action: () => void): void {
  try {
    action();
  } catch (cause) {
    const advice = "start as that user, or set DATA_DIR to a folder of your own";
    throw new Error(`the folder ${directory} belongs to another user: ${advice}`, { cause });
  }
}

/** The running server named in PostgreSQL's lock file, or null. Its port is 0 while it starts. */
export function livingServer(dataDirectory: string): { pid: number; port: number } | null {
  const lockFile = join(dataDirectory, "postmaster.pid");
  const [pid, , , port] = readIfThere(lockFile)?.split("\n") ?? [];
  if (!pid || !isAlive(Number(pid))) return null;
  const program = readIfThere(`/proc/${pid}/comm`)?.trim() ?? "postgres";
  if (program === "postgres") return { pid: Number(pid), port: Number(port ?? 0) };
  // After a power failure or a container restart, another program of this user may have the old process id, and
  // PostgreSQL would wait for it for ever. Shared memory still protects the data against a second server.
  rmSync(lockFile, { force: true });
  return null;
}

/** Whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // The file may have been deleted meanwhile.
    if (!existsSync(file)) return null;
    throw error;
  }
}
