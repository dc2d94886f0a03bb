import type { Kysely, Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { blobKeyOf, lockBlobs } from "#lib/blob-key.ts";
import type { Blobs } from "#ports/blobs.ts";
import * as store from "./image-store.ts";
import type { Photo } from "./photo.ts";

/**
 * The bytes behind the rows. One picture may be several people's, since bytes are kept by their content: they are
 * deleted only once no row needs them, and a lock on the key keeps that apart from somebody who is just storing them.
 */
export class ImageBytes {
  readonly #db: Kysely<Database>;
  readonly #blobs: Blobs;

  constructor(options: { db: Kysely<Database>; blobs: Blobs }) {
    this.#db = options.db;
    this.#blobs = options.blobs;
  }

  /** Stores a picture for a row that this transaction is about to write. */
  async keep(trx: Transaction<Database>, photo: Photo): Promise<{ blob_key: string; thumb_key: string }> {
    const keys = { blob_key: blobKeyOf(photo.full, "webp"), thumb_key: blobKeyOf(photo.thumb, "webp") };
    await lockBlobs(trx, Object.values(keys));
    await Promise.all([this.#blobs.put(photo.full, "webp"), this.#blobs.put(photo.thumb, "webp")]);
    return keys;
  }

  /** Deletes bytes that nobody needs any more. */
  async forget(key: string): Promise<void> {
    if (key === "") return;
    await this.#db.transaction().execute(async (trx) => {
      await lockBlobs(trx, [key]);
      if (!(await store.isNeeded(trx, key))) await this.#blobs.delete(key);
    });
  }

  /** Deletes what removed pictures left behind: of one person, or of anybody. What fails is there at the next time. */
  async clear(userId: bigint | null): Promise<void> {
    const rows = await store.leftovers(this.#db, userId);
    for (const row of rows) {
      await this.forget(row.blob_key);
      await this.forget(row.thumb_key);
    }
    await store.settleLeftovers(
      this.#db,
      rows.map(({ id }) => id),
    );
  }
}
