import type { Kysely, Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { blobKeyOf, lockBlobs } from "#lib/blob-key.ts";
import type { Blobs } from "#ports/blobs.ts";
import * as store from "./image-store.ts";
import type { Photo } from "./photo.ts";

/** Keys are hashes of the content, so users may share a blob. Only a blob that no row needs is deleted. */
export class ImageBytes {
  readonly #db: Kysely<Database>;
  readonly #blobs: Blobs;

  constructor(options: { db: Kysely<Database>; blobs: Blobs }) {
    this.#db = options.db;
    this.#blobs = options.blobs;
  }

  /** Keys for a row that this transaction writes: a blob without a row would never be deleted. */
  async claim(
    trx: Transaction<Database>,
    photo: Pick<Photo, "full" | "thumb">,
  ): Promise<{ blob_key: string; thumb_key: string }> {
    const keys = { blob_key: blobKeyOf(photo.full, "webp"), thumb_key: blobKeyOf(photo.thumb, "webp") };
    await lockBlobs(trx, Object.values(keys));
    return keys;
  }

  /** Stores blobs whose rows are committed, since a bucket may be slow; deletes those whose rows are gone by then. */
  async store(pictures: readonly Buffer[]): Promise<void> {
    await Promise.all(pictures.map((picture) => this.#storeOne(picture)));
  }

  /** Deletes a blob that no row needs; a simultaneous store of the same bytes waits. */
  async forget(key: string): Promise<void> {
    if (key === "") return;
    await this.#db.transaction().execute(async (trx) => {
      await lockBlobs(trx, [key]);
      if (!(await store.isNeeded(trx, key))) await this.#blobs.delete(key);
    });
  }

  /** Deletes blobs of removed pictures, of one user or of all. The next run retries what fails. */
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
      // Also after a failure: a bucket may have stored what it did not acknowledge.
      await this.forget(blobKeyOf(picture, "webp"));
    }
  }
}
