import { Socket } from "node:net";
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import type { Clock } from "#ports/clock.ts";
import { Heartbeat, type OutageListener } from "./heartbeat.ts";
import { preparedName } from "./prepared.ts";
import type { Database } from "./schema.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

/** A database with typed queries; disposing waits for running queries and closes all connections. */
export interface OpenedDatabase {
  /** Contains the password. */
  readonly url: string;
  readonly pool: pg.Pool;
  readonly db: Kysely<Database>;
  /** For background work that may take long, over a few separate connections. */
  readonly jobs: Kysely<Database>;
  /** The call log has its own connection: behind busy requests its buffer would fill up. */
  readonly log: Kysely<Database>;
  /** For the job engine only, which listens on one connection. */
  readonly engine: pg.Pool;
  /** Whether the database is known to be unavailable; always false without a heartbeat. */
  readonly isAway: boolean;
  [Symbol.asyncDispose](): Promise<void>;
}

interface PoolOptions {
  /** Besides the connections for jobs, the job engine and the call log. */
  max: number;
  /** With `outages`, every query fails at once during an outage; otherwise a hanging database is noticed late. */
  outages?: OutageListener & { clock: Clock };
}

const connectTimeoutMs = 5_000;
const idleTransactionTimeoutMs = 10_000;
const keepAliveAfterMs = 10_000;
/** The default of 10 s closes all connections in every idle moment, and new ones plan every statement again. */
const idleConnectionMs = 600_000;
/** Statement timeout of requests, and of migrations, exports, statistics and cleanup. */
const statementTimeoutMs = 10_000;
const jobStatementTimeoutMs = 1_800_000;
const jobConnectionsMax = 3;
/** One of them listens. */
const engineConnectionsMax = 3;
/** Finds rows by key, whatever the statistics say. A generic plan could not exclude partitions of other days. */
const byKeyAlone =
  "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_custom_plan";
/** By then the database itself has cancelled the statement, so the connection must be dead. */
const answerGraceMs = 2_000;

/** Beans and ids exceed a double, and a birthday is a day, not a moment in a time zone. */
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, BigInt],
  [pg.types.builtins.DATE, String],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    (format === "binary" ? undefined : parsers.get(id)) ?? pg.types.getTypeParser(id, format),
};

export function openDatabase(url: string, { max, outages }: PoolOptions): OpenedDatabase {
  const heartbeat = outages && new Heartbeat({ url, clock: outages.clock, listener: watched(outages, () => cutOff()) });
  const isAway = () => heartbeat?.isAway ?? false;
  const onConnectionLost = (error: Error) => heartbeat?.connectionLost(error);
  const calls = openPool(url, { max, statementMs: statementTimeoutMs, isAway, onConnectionLost });
  const jobs = openPool(url, { max: jobConnectionsMax, statementMs: jobStatementTimeoutMs, isAway, onConnectionLost });
  const log = openPool(url, { max: 1, statementMs: statementTimeoutMs, isAway, onConnectionLost, options: byKeyAlone });
  const engine = openPool(url, {
    max: engineConnectionsMax,
    statementMs: statementTimeoutMs,
    isAway,
    onConnectionLost,
  });
  const pools = [calls, jobs, log, engine];
  const cutOff = () => {
    for (const pool of pools) pool.cutOff();
  };
  let closing: Promise<void> | null = null;
  return {
    url,
    pool: calls.pool,
    db: calls.db,
    jobs: jobs.db,
    log: log.db,
    engine: engine.pool,
    get isAway() {
      return isAway();
    },
    [Symbol.asyncDispose]: () => {
      closing ??= Promise.all(pools.map(({ pool }) => pool.end())).then(() => heartbeat?.[Symbol.asyncDispose]());
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
  options?: string;
}

export function openPool(url: string, { max, statementMs, isAway, onConnectionLost, options }: OnePoolOptions) {
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    ...(options === undefined ? {} : { options }),
    application_name: "fava",
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleConnectionMs,
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
  // Without these listeners an outage would end this process. The pool listens to idle connections only, and a
  // connection that breaks in a transaction emits its error twice: to its query, and without a receiver.
  pool.on("connect", (client) => client.on("error", onConnectionLost));
  pool.on("error", () => undefined);
  const queries = new QueryPool({ pool, isAway, answerMs: statementMs + answerGraceMs });
  return {
    pool,
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: queries }) }),
    cutOff: () => {
      queries.giveUp();
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface QueryPoolOptions {
  pool: pg.Pool;
  /** Longer than the database's own statement timeout. */
  answerMs: number;
  isAway: () => boolean;
}

/** Temporary errors of PostgreSQL, by code or class of codes. */
const reasons = new Map<string, DatabaseUnavailableError["reason"]>([
  ["57014", "slow"],
  ["55P03", "slow"],
  ["08", "away"],
  ["57", "away"],
  ["53", "busy"],
]);

/** The pool for the query builder, with a limit on every wait. Temporary failures become `DatabaseUnavailableError`. */
export class QueryPool implements PostgresPool {
  readonly #options: QueryPoolOptions;
  readonly #waiting = new Set<(error: DatabaseUnavailableError) => void>();
  readonly #broken = new WeakSet<pg.PoolClient>();

  constructor(options: QueryPoolOptions) {
    this.#options = options;
    options.pool.on("connect", (client) => client.on("error", () => this.#broken.add(client)));
  }

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
    /** Set once a response is overdue or the connection has ended: no further query uses it, and it leaves the pool. */
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
    // The dialect has no cursors, so the cursor form of `query` is never called.
    return { query: query as PostgresPoolClient["query"], release: () => client.release(spent !== null) };
  }

  #queryFailure(client: pg.PoolClient, error: unknown): unknown {
    if (this.#broken.has(client)) return new DatabaseUnavailableError("away", error);
    return error instanceof pg.DatabaseError ? (passing(error) ?? error) : error;
  }
}

/** Every error but the database's own refusal, such as a wrong password, is temporary. */
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
