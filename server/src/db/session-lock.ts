import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

const stepMs = 50;

/** Takes a lock of the database that lives as long as the connection; false where another one held it all the while. */
export async function takeSessionLock(connection: pg.Client, lockId: number, waitMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += stepMs) {
    const { rows } = await connection.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [lockId]);
    if (rows[0]?.taken) return true;
    await delay(stepMs);
  }
  return false;
}
