import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

const stepMs = 50;

export interface SessionLock {
  id: number;
  /** Any number may share it, but none of them with whoever has it alone. */
  isShared?: boolean;
}

/** Takes a lock of the database that lives as long as the connection; false where another one held it all the while. */
export async function takeSessionLock(connection: pg.Client, lock: SessionLock, waitMs: number): Promise<boolean> {
  const taking = lock.isShared ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock";
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += stepMs) {
    const { rows } = await connection.query<{ taken: boolean }>(`select ${taking}($1) as taken`, [lock.id]);
    if (rows[0]?.taken) return true;
    await delay(stepMs);
  }
  return false;
}
