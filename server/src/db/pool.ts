import { Socket } from "node:net";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Clock } from "#ports/clock.ts";
import { Heartbeat, type OutageListener } from "./heartbeat.ts";
import { QueryPool } from "./query-pool.ts";
import type { Database } from "./schema.ts";

/** The typed queries over a database; disposing waits for running queries and closes every connection. */
export interface OpenedDatabase {
  readonly pool: pg.Pool;
  readonly db: Kysely<Database>;
  /** For work that nobody waits for, and that may take long: over few connections of its own. */
  readonly jobs: Kysely<Database>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface PoolOptions {
  /** Connections at most, beside those for jobs. */
  max: number;
  /** Watches the database: while it is away everything fails at once. Left out, a hanging one is noticed late. */
  outages?: OutageListener & { clock: Clock };
}

const connectTimeoutMs = 5_000;
const idleTransactionTimeoutMs = 10_000;
const keepAliveAfterMs = 10_000;
/** What a statement may take: of a call, and of migrations, exports, statistics and what tidies up. */
const statementTimeoutMs = 10_000;
const jobStatementTimeoutMs = 1_800_000;
const jobConnectionsMax = 3;
/** By then the database has given up the statement itself, so that the connection must be dead. */
const answerGraceMs = 2_000;

/** Beans and ids are wider than a double, and a birthday is a day, not a moment in some time zone. */
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, BigInt],
  [pg.types.builtins.DATE, String],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    (format === "binary" ? undefined : parsers.get(id)) ?? pg.types.getTypeParser(id, format),
};

/** Opens the pools; no connection of theirs is made before the first query. */
export function openDatabase(url: string, { max, outages }: PoolOptions): OpenedDatabase {
  const heartbeat = outages && new Heartbeat({ url, clock: outages.clock, listener: watched(outages, () => cutOff()) });
  const isAway = () => heartbeat?.isAway ?? false;
  const onConnectionLost = (error: Error) => heartbeat?.connectionLost(error);
  const calls = openPool(url, { max, statementMs: statementTimeoutMs, isAway, onConnectionLost });
  const jobs = openPool(url, { max: jobConnectionsMax, statementMs: jobStatementTimeoutMs, isAway, onConnectionLost });
  const cutOff = () => {
    calls.cutOff();
    jobs.cutOff();
  };
  let closing: Promise<void> | null = null;
  return {
    pool: calls.pool,
    db: calls.db,
    jobs: jobs.db,
    [Symbol.asyncDispose]: () => {
      closing ??= Promise.all([calls.pool.end(), jobs.pool.end()]).then(() => heartbeat?.[Symbol.asyncDispose]());
      return closing;
    },
  };
}

function watched(listener: OutageListener, cutOff: () => void): OutageListener {
  return {
    ...listener,
    began(error) {
      listener.began(error);
      cutOff();
    },
  };
}

interface OnePoolOptions {
  max: number;
  statementMs: number;
  isAway: () => boolean;
  onConnectionLost: (error: Error) => void;
}

function openPool(url: string, { max, statementMs, isAway, onConnectionLost }: OnePoolOptions) {
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    application_name: "fava",
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once("close", () => sockets.delete(socket));
    },
  });
  // Without these listeners, a database that goes away would end this process: the pool listens to idle connections
  // only, and one that breaks in the middle of a transaction says so twice, to its query and to nobody.
  pool.on("connect", (client) => client.on("error", onConnectionLost));
  pool.on("error", () => undefined);
  const queries = new QueryPool({ pool, isAway, answerMs: statementMs + answerGraceMs });
  return {
    pool,
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: queries }) }),
    /** Whoever waits for the database hears that it is away; nothing that hangs is used again. */
    cutOff: () => {
      queries.giveUp();
      for (const socket of sockets) socket.destroy();
    },
  };
}
