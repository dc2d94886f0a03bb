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

  /**
   * Where a picture is going to be stored, for a row that this transaction is about to write. The row comes first: bytes
   * that no row names would never be deleted, and nobody deletes those that one names.
   */
  async claim(
    trx: Transaction<Database>,
    photo: Pick<Photo, "full" | "thumb">,
  ): Promise<{ blob_key: string; thumb_key: string }> {
    const keys = { blob_key: blobKeyOf(photo.full, "webp"), thumb_key: blobKeyOf(photo.thumb, "webp") };
    await lockBlobs(trx, Object.values(keys));
    return keys;
  }

  /**
   * Stores pictures once their row is there; in no transaction, since a bucket may take long. Those whose
   * row was removed and tidied away before they came go at once.
   */
  async store(pictures: readonly Buffer[]): Promise<void> {
    await Promise.all(pictures.map((picture) => this.#storeOne(picture)));
  }

  /** Deletes bytes that nobody needs any more; who is about to store the same ones waits for it. */
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

  async #storeOne(picture: Buffer): Promise<void> {
    try {
      await this.#blobs.put(picture, "webp");
    } finally {
      // Also after a failure: a bucket may have stored what it gave no answer to.
      await this.forget(blobKeyOf(picture, "webp"));
    }
  }
}
