import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

const stepMs = 50;

export interface SessionLock {
  id: number;
  /** A shared lock excludes exclusive ones only. */
  isShared?: boolean;
}

/** Acquires an advisory lock that lives as long as the connection; false if another session held it for `waitMs`. */
export async function takeSessionLock(connection: pg.Client, lock: SessionLock, waitMs: number): Promise<boolean> {
  const taking = lock.isShared ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock";
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += stepMs) {
    const { rows } = await connection.query<{ taken: boolean }>(`select ${taking}($1) as taken`, [lock.id]);
    if (rows[0]?.taken) return true;
    await delay(stepMs);
  }
  return false;
}
