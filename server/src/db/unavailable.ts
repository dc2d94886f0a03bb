import pg from "pg";

const messages = {
  away: "database is unavailable",
  busy: "database has no free resources",
  slow: "database statement timed out",
} as const;

/** The database failed temporarily. It may nevertheless have executed the statement: retries must be idempotent. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
  /** `away`: the pool's heartbeat logs the outage, so callers need not. */
  readonly reason: keyof typeof messages;

  constructor(reason: keyof typeof messages, cause?: unknown) {
    super(messages[reason], { cause });
    this.reason = reason;
  }
}

/** Whether the database rejected the statement permanently: the statement or transaction changed nothing. */
export function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError;
}
