import pg from "pg";

const messages = {
  away: "the database is away",
  busy: "the database has no room for more at present",
  slow: "the database took too long for a statement",
} as const;

/**
 * The database could not do what was asked of it, for a reason that passes by itself. What had been sent may have been
 * done all the same: whoever asks again has to bear that.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
  /** `away`: told once by whoever watches the database, so that nobody else needs to. */
  readonly reason: keyof typeof messages;

  constructor(reason: keyof typeof messages, cause?: unknown) {
    super(messages[reason], { cause });
    this.reason = reason;
  }
}

/** Whether the database itself said no, by an error that does not pass: of the statement, or the transaction, nothing was done. */
export function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError;
}
