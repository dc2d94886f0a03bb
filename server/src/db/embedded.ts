import type pg from "pg";
import { type Cluster, clusterUser, openCluster } from "./embedded-cluster.ts";
import { livingServer } from "./embedded-lock-file.ts";
import { takeSessionLock } from "./session-lock.ts";
import { adoptOrStart, type RunningServer, stopServer } from "./embedded-process.ts";

/** A PostgreSQL of our own; disposing stops it and keeps its data. */
export interface EmbeddedDatabase {
  /** Connection string with the password: never to be logged. */
  readonly url: string;
  /** Whether a server left behind by a killed process was taken over. */
  readonly adopted: boolean;
  /** Where the data really is; elsewhere than asked for where root keeps it out of a closed folder. */
  readonly directory: string;
  /** Resolves when it has ended without having been told to. */
  readonly lost: Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface EmbeddedOptions {
  /** Folder that belongs to the launcher alone. */
  directory: string;
  log: (message: string) => void;
  /** False gives up everything at a power cut, for speed: tests only. */
  durable?: boolean;
}

/** Any number that nothing else in the cluster locks. */
const ownerLockId = 4_718_230_591;
/** A killed owner's connection closes a moment after it, and an owner without its npm stops within a second. */
const ownerWaitMs = 2_000;
const ownerAttemptsMax = 3;

/**
 * Starts the embedded PostgreSQL, or takes over the one that a killed process left behind.
 *
 * The owner holds a lock in the database itself for as long as its connection lives, so no crash can leave the lock
 * behind, and a second start in the same folder is refused before it can stop the first one's database.
 *
 * @throws DatabaseInUseError for that second start; other errors are sentences for the operator.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { directory, log, durable = true } = options;
  const cluster = await openCluster({ directory, log, durable });
  const server = await startOwned(cluster, log);
  let stopping: Promise<void> | null = null;
  // The connection that owns it lives as long as the database does.
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

/** Connection string of the database that another living process owns; null where none runs. */
export async function runningEmbeddedUrl({ directory, log }: EmbeddedOptions): Promise<string | null> {
  const cluster = await openCluster({ directory, log, durable: true });
  const port = livingServer(cluster.dataDirectory)?.port ?? 0;
  return port === 0 ? null : urlOf(cluster, port);
}

function urlOf({ password }: Cluster, port: number): string {
  return `postgres://${clusterUser}:${password}@127.0.0.1:${port}/postgres`;
}

/** A server that its owner was just stopping can be adopted, and then goes away: the next try starts it. */
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
    // The lock goes last: released before, another start could adopt a server that is about to stop.
    await server.connection.end();
  }
}

/** Another living process serves this data folder. */
export class DatabaseInUseError extends Error {
  override readonly name = "DatabaseInUseError";
  constructor(directory: string, owner: string) {
    super(`the database in ${directory} is in use by ${owner}: stop that one first, or set DATA_DIR to another folder`);
  }
}

async function takeOwnership(connection: pg.Client, directory: string): Promise<void> {
  if (await takeSessionLock(connection, ownerLockId, ownerWaitMs)) return;
  const { rows } = await connection.query<{ application_name: string }>(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and a.application_name like 'fava-owner-%'`,
  );
  const process = rows[0]?.application_name.replace("fava-owner-", "process ");
  throw new DatabaseInUseError(directory, process ?? "another process");
}
