import { type PostgresPool, type PostgresPoolClient, type RawBuilder, sql } from "kysely";
import type pg from "pg";

const mark = /^\s*\/\* prepared (\w+) \*\//;

/**
 * Stands at the beginning of a statement that each connection plans once and keeps: for those over many tables that run
 * all the time, where planning costs several times what running does. The text under a name never varies, only its
 * parameters do.
 */
export function prepared(name: string): RawBuilder<unknown> {
  return sql.raw(`/* prepared ${name} */`);
}

/** The pool as the query builder takes it: statements that ask for it are kept under their names. */
export function preparingPool(pool: pg.Pool): PostgresPool {
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect();
    const query = (text: string, values: readonly unknown[] = []): unknown => {
      const name = mark.exec(text)?.[1];
      return client.query({ text, values: [...values], ...(name !== undefined && { name }) });
    };
    // The other form, for cursors, is never asked for: the dialect is given none.
    return { query: query as PostgresPoolClient["query"], release: () => client.release() };
  };
  return { connect, end: () => pool.end() };
}
