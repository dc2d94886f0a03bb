import { hash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

/** `sealed`: encrypted. */
export type BlobExtension = "webp" | "zip" | "sealed";

const keyShape = /^[0-9a-f]{64}\.(?:webp|zip|sealed)$/;

export function blobKeyOf(bytes: Uint8Array, extension: BlobExtension): string {
  return `${hash("sha256", bytes, "hex")}.${extension}`;
}

/** Whether a text is a well-formed key. Callers make paths and addresses only from such texts. */
export function isBlobKey(text: string): boolean {
  return keyShape.test(text);
}

/**
 * Locks blobs until the transaction ends. A transaction that stores bytes also writes the row that needs them. One that
 * deletes bytes first looks for such a row.
 */
export async function lockBlobs(trx: Transaction<Database>, keys: readonly string[]): Promise<void> {
  for (const key of keys.toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`blob:${key}`}, 0))`.execute(trx);
  }
}
