import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import { preparedName } from "./prepared.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

export interface QueryPoolOptions {
  pool: pg.Pool;
  /** How long an answer may take: longer than the database itself lets a statement run. */
  answerMs: number;
  isAway: () => boolean;
}

/** What PostgreSQL itself says of something that passes, by its codes or the classes of its codes. */
const reasons = new Map<string, DatabaseUnavailableError["reason"]>([
  ["57014", "slow"],
  ["55P03", "slow"],
  ["08", "away"],
  ["57", "away"],
  ["53", "busy"],
]);

/** The pool as the query builder takes it, every wait in it bounded: what passes by itself is a `DatabaseUnavailableError`. */
export class QueryPool implements PostgresPool {
  readonly #options: QueryPoolOptions;
  /** Who waits for a connection. */
  readonly #waiting = new Set<(error: DatabaseUnavailableError) => void>();
  readonly #broken = new WeakSet<pg.PoolClient>();

  constructor(options: QueryPoolOptions) {
    this.#options = options;
    options.pool.on("connect", (client) => client.on("error", () => this.#broken.add(client)));
  }

  /** Whoever waits for a connection waits no longer: the database is away. */
  giveUp(): void {
    for (const refuse of this.#waiting) refuse(new DatabaseUnavailableError("away"));
    this.#waiting.clear();
  }

  connect(): Promise<PostgresPoolClient> {
    const { pool, isAway } = this.#options;
    if (isAway()) return Promise.reject(new DatabaseUnavailableError("away"));
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      pool.connect().then(
        (client) => {
          if (this.#waiting.delete(reject)) resolve(this.#lent(client));
          else client.release();
        },
        (error: unknown) => {
          this.#waiting.delete(reject);
          reject(connectFailure(error));
        },
      );
    });
  }

  end(): Promise<void> {
    return this.#options.pool.end();
  }

  #lent(client: pg.PoolClient): PostgresPoolClient {
    /** Set once it owes an answer, or has ended: nothing more is asked of it, and nobody else is to have it. */
    let spent: DatabaseUnavailableError | null = null;
    const query = (text: string, values: readonly unknown[] = []): Promise<unknown> => {
      if (spent) return Promise.reject(spent);
      const name = preparedName(text);
      const answered = client.query({ text, values: [...values], ...(name !== undefined && { name }) });
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          spent ??= new DatabaseUnavailableError("slow");
          reject(spent);
        }, this.#options.answerMs);
        answered
          .then(resolve, (error: unknown) => {
            const failure = this.#queryFailure(client, error);
            if (failure instanceof DatabaseUnavailableError && failure.reason === "away") spent ??= failure;
            reject(failure);
          })
          .finally(() => clearTimeout(timer));
      });
    };
    // The other form, for cursors, is never asked for: the dialect is given none.
    return { query: query as PostgresPoolClient["query"], release: () => client.release(spent !== null) };
  }

  #queryFailure(client: pg.PoolClient, error: unknown): unknown {
    if (this.#broken.has(client)) return new DatabaseUnavailableError("away", error);
    return error instanceof pg.DatabaseError ? (passing(error) ?? error) : error;
  }
}

/** Anything but the database's own refusal, such as a wrong password, passes. */
function connectFailure(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) return passing(error) ?? error;
  const isFull = error instanceof Error && error.message.includes("timeout exceeded");
  return new DatabaseUnavailableError(isFull ? "busy" : "away", error);
}

function passing(error: pg.DatabaseError): DatabaseUnavailableError | null {
  const { code = "" } = error;
  const reason = reasons.get(code) ?? reasons.get(code.slice(0, 2));
  return reason ? new DatabaseUnavailableError(reason, error) : null;
}
