import { Socket } from "node:net";
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import type { Clock } from "#ports/clock.ts";
import { Heartbeat, type OutageListener } from "./heartbeat.ts";
import { preparedName } from "./prepared.ts";
import type { Database } from "./schema.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

/** The typed queries over a database; disposing waits for running queries and closes every connection. */
export interface OpenedDatabase {
  /** Where it is, with its password. */
  readonly url: string;
  readonly pool: pg.Pool;
  readonly db: Kysely<Database>;
  /** For work that nobody waits for, and that may take long: over few connections of its own. */
  readonly jobs: Kysely<Database>;
  /** For the call log, over one connection of its own: behind busy requests it would fill up, and matches be refused. */
  readonly log: Kysely<Database>;
  /** For the job engine alone, which listens on one connection all the time. */
  readonly engine: pg.Pool;
  /** Whether the database is known not to answer; false where nobody watches it. */
  readonly isAway: boolean;
  [Symbol.asyncDispose](): Promise<void>;
}

interface PoolOptions {
  /** Connections at most, beside those for jobs, the job engine and the call log. */
  max: number;
  /** Watches the database: while it is away everything fails at once. Left out, a hanging one is noticed late. */
  outages?: OutageListener & { clock: Clock };
}

const connectTimeoutMs = 5_000;
const idleTransactionTimeoutMs = 10_000;
const keepAliveAfterMs = 10_000;
/**
 * The pool's own ten seconds closed all of them in every quiet moment, and whoever came next waited for as many that had
 * to be opened, and plan every statement anew.
 */
const idleConnectionMs = 600_000;
/** What a statement may take: of a call, and of migrations, exports, statistics and what tidies up. */
const statementTimeoutMs = 10_000;
const jobStatementTimeoutMs = 1_800_000;
const jobConnectionsMax = 3;
/** One listens. */
const engineConnectionsMax = 3;
/**
 * The call log finds rows by their keys, whatever a table held when it was last counted; and in their days alone, which a
 * plan that is kept for any ids could not know.
 */
const byKeyAlone =
  "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_custom_plan";
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
  /** Settings of the database for these connections. */
  options?: string;
}

/** One pool, with every wait in it bounded. */
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

interface QueryPoolOptions {
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
