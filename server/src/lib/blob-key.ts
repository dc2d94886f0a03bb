import { hash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

/** `sealed`: encrypted, and of use only to whoever holds the key. */
export type BlobExtension = "webp" | "zip" | "sealed";

const keyShape = /^[0-9a-f]{64}\.(?:webp|zip|sealed)$/;

/** The key under which these bytes are kept: their SHA-256 in hex, and what they are. */
export function blobKeyOf(bytes: Uint8Array, extension: BlobExtension): string {
  return `${hash("sha256", bytes, "hex")}.${extension}`;
}

/** Whether this could be a key; a text of another shape never becomes a path or an address. */
export function isBlobKey(text: string): boolean {
  return keyShape.test(text);
}

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
