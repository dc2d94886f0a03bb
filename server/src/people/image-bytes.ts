import type { Kysely, Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { blobKeyOf, lockBlobs } from "#lib/blob-key.ts";
import type { Blobs } from "#ports/blobs.ts";
import * as store from "./image-store.ts";
import type { Photo } from "./photo.ts";

/** Keys are hashes of the content, so users may share a blob. A blob is deleted only if no row needs it. */
export class ImageBytes {
  readonly #db: Kysely<Database>;
  readonly #blobs: Blobs;

  constructor(options: { db: Kysely<Database>; blobs: Blobs }) {
    this.#db = options.db;
    this.#blobs = options.blobs;
  }

  /** Keys for a row of this transaction. The row comes before the blob: a blob without row would never be deleted. */
  async claim(
    trx: Transaction<Database>,
    photo: Pick<Photo, "full" | "thumb">,
  ): Promise<{ blob_key: string; thumb_key: string }> {
    const keys = { blob_key: blobKeyOf(photo.full, "webp"), thumb_key: blobKeyOf(photo.thumb, "webp") };
    await lockBlobs(trx, Object.values(keys));
    return keys;
  }

  /** The rows exist. Call outside a transaction, since a bucket may be slow. Deletes what was removed meanwhile. */
  async store(pictures: readonly Buffer[]): Promise<void> {
    await Promise.all(pictures.map((picture) => this.#storeOne(picture)));
  }

  /** Deletes a blob that no row needs. A simultaneous store of the same bytes waits. */
  async forget(key: string): Promise<void> {
    if (key === "") return;
    await this.#db.transaction().execute(async (trx) => {
      await lockBlobs(trx, [key]);
      if (!(await store.isNeeded(trx, key))) await this.#blobs.delete(key);
    });
  }

  /** Deletes the blobs of removed pictures, of one user or (null) of all. The next run retries what fails. */
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

  async #storeOne(picture: Buffer): Promise<void> {
    try {
      await this.#blobs.put(picture, "webp");
    } finally {
      // Even after an error, since a bucket may have stored what it did not acknowledge.
      await this.forget(blobKeyOf(picture, "webp"));
    }
  }
}
