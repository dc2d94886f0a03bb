import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

/**
 * Until the transaction ends nobody else stores or deletes these bytes: whoever stores them writes the row that needs
 * them in the same transaction, whoever deletes them looks for such a row first. Sorted, so that two never wait for each
 * other.
 */
export async function lockBlobs(trx: Transaction<Database>, keys: readonly string[]): Promise<void> {
  for (const key of keys.toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`blob:${key}`}, 0))`.execute(trx);
  }
}
