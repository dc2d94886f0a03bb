import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { takeSessionLock } from "./session-lock.ts";

/** Arbitrary; unique among the database's advisory locks. */
const serverLockId = 4_718_230_592;
/** The connection of a killed server closes with a short delay. */
const lockWaitMs = 2_000;
const connectTimeoutMs = 5_000;
const retakeStepMs = 1_000;

export class SecondServerError extends Error {
  override readonly name = "SecondServerError";
  constructor({ isShared }: Access) {
    super(
      isShared
        ? "another Fava server without REDIS_URL uses this database, and users of the two would not be matched: stop that server, then restart it with the same REDIS_URL as this one"
        : "another Fava server uses this database, and users of the two would not be matched: stop that server, or set DATABASE_URL to another database. Several servers of one site need the same REDIS_URL",
    );
  }
}

interface Access {
  /** Shared with other servers, which use Redis. */
  isShared: boolean;
}

/** This server's right to use the database; disposing releases it. */
export interface ServerLock extends AsyncDisposable {
  /** Resolves when a server that shares nothing took the database during an outage, and when disposed. */
  readonly lost: Promise<void>;
}

/**
 * An advisory lock while this process lives: exclusive, or shared with servers that use Redis. Two servers without
 * Redis could not match their users with each other.
 * @throws SecondServerError where a server holds the lock that does not share it, or any server if this one does not.
 */
export async function takeServerLock(url: string, access: Access): Promise<ServerLock> {
  let connection = await lockedConnection(url, access);
  let isDisposed = false;
  /** Resolves to null where another server has the lock. */
  const takeAgain = async (): Promise<pg.Client | null> => {
    while (!isDisposed) {
      await delay(retakeStepMs);
      try {
        return await lockedConnection(url, access);
      } catch (error) {
        if (error instanceof SecondServerError) return null;
        // The database is unavailable: retry as long as this server lives.
      }
    }
    return null;
  };
  const holding = async () => {
    while (!isDisposed) {
      await new Promise<void>((resolve) => connection.once("end", resolve));
      const again = isDisposed ? null : await takeAgain();
      if (again === null) return;
      connection = again;
      if (isDisposed) await again.end();
    }
  };
  return {
    lost: holding(),
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      await connection.end();
    },
  };
}

async function lockedConnection(url: string, access: Access): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `fava-server-${process.pid}`,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  });
  // An error without a listener would end this process; listeners of `end` act on it.
  client.on("error", () => undefined);
  await client.connect();
  try {
    // The lock of a machine that vanished is released after half a minute.
    await client.query("set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4");
    if (await takeSessionLock(client, { id: serverLockId, ...access }, lockWaitMs)) return client;
    throw new SecondServerError(access);
  } catch (error) {
    await client.end();
    throw error;
  }
}
