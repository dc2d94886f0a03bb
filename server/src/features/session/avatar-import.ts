import type { Transaction } from "kysely";
import { blobKeyOf } from "#blob-key.ts";
import { lockBlobs } from "#blob-lock.ts";
import { openSource } from "#picture-source.ts";
import type { Database } from "#db/schema.ts";
import type { AvatarSource } from "#ports/avatars.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Logger } from "pino";

const avatarSizePx = 256;

/** Takes a provider's picture over as our own: fetched once, decoded, cut square, written anew without its metadata. */
export class AvatarImport {
  readonly #source: AvatarSource;
  readonly #blobs: Blobs;
  readonly #log: Pick<Logger, "warn">;

  constructor(options: { source: AvatarSource; blobs: Blobs; log: Pick<Logger, "warn"> }) {
    this.#source = options.source;
    this.#blobs = options.blobs;
    this.#log = options.log;
  }

  /** The picture as we keep it; null where there is none. Never fails a sign-in (rule SIGNIN-67). */
  async take(url: string, allowedHosts: readonly string[]): Promise<Buffer | null> {
    if (url === "") return null;
    try {
      const bytes = await this.#source.fetch(url, allowedHosts);
      if (!bytes) return null;
      const source = await openSource(bytes);
      return await source
        .autoOrient()
        .resize(avatarSizePx, avatarSizePx, { fit: "cover" })
        .webp({ quality: 82 })
        .toBuffer();
    } catch (error) {
      return this.#fail(error);
    }
  }

  /**
   * Stores a picture for the row that this transaction is about to write: whoever erases the same picture of somebody
   * else meanwhile waits for it. Never fails a sign-in either.
   *
   * @returns its key, or null.
   */
  async keep(trx: Transaction<Database>, picture: Buffer): Promise<string | null> {
    await lockBlobs(trx, [blobKeyOf(picture, "webp")]);
    return this.#blobs.put(picture, "webp").catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): null {
    this.#log.warn({ error: String(error) }, "avatar not taken over");
    return null;
  }
}
