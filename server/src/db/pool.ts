import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { preparingPool } from "./prepared.ts";
import type { Database } from "./schema.ts";

/** A pool and the typed queries over it; disposing waits for running queries and closes every connection. */
export interface OpenedDatabase {
  readonly pool: pg.Pool;
  readonly db: Kysely<Database>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface PoolOptions {
  /** Connections at most. */
  max: number;
  /** Hears of connections that broke; the pool replaces them by itself. */
  onConnectionLost?: (error: Error) => void;
}

const connectTimeoutMs = 5_000;
const statementTimeoutMs = 10_000;
const idleTransactionTimeoutMs = 10_000;

/** Beans and ids are wider than a double, and a birthday is a day, not a moment in some time zone. */
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, BigInt],
  [pg.types.builtins.DATE, String],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    (format === "binary" ? undefined : parsers.get(id)) ?? pg.types.getTypeParser(id, format),
};

/** Opens a pool; no connection is made before the first query. */
export function openDatabase(url: string, options: PoolOptions): OpenedDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    types,
    application_name: "fava",
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
  });
  // Without these listeners, a database that goes away would end this process: the pool listens to idle connections
  // only, and one that breaks in the middle of a transaction says so twice, to its query and to nobody.
  pool.on("connect", (client) => client.on("error", (error) => options.onConnectionLost?.(error)));
  pool.on("error", () => undefined);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparingPool(pool) }) });
  let closing: Promise<void> | null = null;
  return {
    pool,
    db,
    [Symbol.asyncDispose]: () => {
      closing ??= pool.end();
      return closing;
    },
  };
}
