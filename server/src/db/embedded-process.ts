import { execFile, spawn } from "node:child_process";
import { closeSync, fchownSync, openSync, readFileSync, realpathSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { programPath } from "./embedded-binaries.ts";
import { type Cluster, clusterUser, programOptions } from "./embedded-cluster.ts";
import { livingServer } from "./embedded-lock-file.ts";

/** A running server and one open connection to it. */
export interface RunningServer {
  pid: number;
  port: number;
  connection: pg.Client;
  /** Whether the server was already running, left behind by a process that was killed. */
  adopted: boolean;
}

const run = promisify(execFile);
/** After a kill, the old server's lock file and shared memory outlive it by a moment. */
const startAttemptsMax = 5;
const retryStepMs = 300;
const startTimeoutMs = 30_000;
const stopTimeoutMs = 30_000;
const probePauseMs = 20;
const connectTimeoutMs = 2_000;
/** More than a pool may have (`DATABASE_CONNECTIONS`), with room for the launcher's own connection. */
const connectionsMax = 220;

/** Adopts the server that already serves the cluster, or starts one. @throws with PostgreSQL's own words. */
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

/** Stops this server and waits for it, but not for a new one that may already have taken its place. */
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

/** One attempt; the last words of the server where it failed. */
async function start(cluster: Cluster): Promise<RunningServer | string> {
  const port = await freePort();
  const logFile = join(cluster.directory, "postgres.log");
  const logDescriptor = openSync(logFile, "w", 0o600);
  if (cluster.account) fchownSync(logDescriptor, cluster.account.uid, cluster.account.gid);
  // A group of its own keeps Ctrl-C from the terminal away: the database stops after the last query, not before.
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

/** Loopback TCP with a password: a socket file may be unwritable or too long a path, and Windows has none. */
function serverArguments(cluster: Cluster, port: number): string[] {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: String(connectionsMax),
    shared_buffers: "64MB",
    timezone: "UTC",
    // Refused statements carry what people wrote, and their own error already tells the caller.
    log_min_messages: "fatal",
    log_min_error_statement: "panic",
    ...(cluster.durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return ["-D", cluster.dataDirectory, "-p", String(port), ...flags];
}

/** Connects where the server on this port really serves this cluster, else null. */
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
  // Without a listener the end of the server would end this process; whoever queries next learns of it.
  connection.on("error", () => undefined);
  try {
    await connection.connect();
    const { rows } = await connection.query<{ data_directory: string }>("show data_directory");
    if (rows[0] && realpathSync(rows[0].data_directory) === realpathSync(cluster.dataDirectory)) return connection;
  } catch {
    // Not listening yet, still recovering, or somebody else's server: the caller decides how long to ask.
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
