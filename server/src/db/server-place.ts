import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { takeSessionLock } from "./session-lock.ts";

/** Any number that nothing else in the database locks. */
const serverLockId = 4_718_230_592;
/** The connection of a server that was killed closes a moment after it. */
const lockWaitMs = 2_000;
const connectTimeoutMs = 5_000;
const retakeStepMs = 1_000;

/** A living server uses this database that this one cannot share it with. */
export class SecondServerError extends Error {
  override readonly name = "SecondServerError";
  constructor({ isShared }: Access) {
    super(
      isShared
        ? "a Fava server without REDIS_URL uses this database, and people on two would not meet each other: stop that one first, and start it anew with the REDIS_URL of this one"
        : "another Fava server uses this database, and people on two would not meet each other: stop that one first, or set DATABASE_URL to another database. Several servers of one site need REDIS_URL, all the same one",
    );
  }
}

interface Access {
  /** With other servers that share it, whose people meet over Redis (decision 040). */
  isShared: boolean;
}

/** This server has its place in its database; disposing gives it up. */
export interface ServerPlace extends AsyncDisposable {
  /** Resolves when the database was away and a server has it now that shares it with nobody, and when disposed. */
  readonly lost: Promise<void>;
}

/**
 * Holds a lock in the database for as long as this process lives: alone, or together with those that share it. A second
 * one beside a server that is alone would harm nobody's calls (decision 029), but nobody on it would meet anybody on the
 * first. No crash can leave the lock, which lives as long as a connection of its own; where that breaks, it is
 * taken again.
 *
 * @throws SecondServerError where another server holds it that does not share it, or holds it at all if this one does not.
 */
export async function takePlace(url: string, access: Access): Promise<ServerPlace> {
  let connection = await lockedConnection(url, access);
  let isDisposed = false;
  /** Resolves with a connection that holds the lock again, or null where it is not to be had any more. */
  const takeAgain = async (): Promise<pg.Client | null> => {
    while (!isDisposed) {
      await delay(retakeStepMs);
      try {
        return await lockedConnection(url, access);
      } catch (error) {
        if (error instanceof SecondServerError) return null;
        // The database is away: it is asked again for as long as this server lives.
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
  // Without a listener a connection that breaks would end this process; its end is heard elsewhere.
  client.on("error", () => undefined);
  await client.connect();
  try {
    // The lock of a machine that vanished without a word is free after half a minute.
    await client.query("set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4");
    if (await takeSessionLock(client, { id: serverLockId, ...access }, lockWaitMs)) return client;
    throw new SecondServerError(access);
  } catch (error) {
    await client.end();
    throw error;
  }
}
