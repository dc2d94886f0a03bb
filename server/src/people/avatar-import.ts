import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#db/schema.ts";
import { openSource } from "#lib/picture-pixels.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { AvatarSource } from "#ports/identity.ts";
import { type Random, randomId } from "#ports/random.ts";
import { hasNoAvatar } from "./account-store.ts";
import { ImageBytes } from "./image-bytes.ts";
import * as store from "./image-store.ts";

export interface ProviderPicture {
  url: string;
  allowedHosts: readonly string[];
}

interface AvatarImportOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  avatars: AvatarSource;
  blobs: Blobs;
  log: Pick<Logger, "warn">;
}

const avatarSizePx = 256;
/** How long a sign-in waits until its picture is stored. */
const storeWaitMs = 3_000;

/** Imports a sign-in provider's picture: fetches it once, crops it to a square, encodes it without its metadata. */
export class AvatarImport {
  readonly #options: AvatarImportOptions;
  readonly #bytes: ImageBytes;

  constructor(options: AvatarImportOptions) {
    this.#options = options;
    this.#bytes = new ImageBytes(options);
  }

  /** Returns the key of the imported picture, or null. Never rejects, so that a sign-in never fails because of it. */
  async importPicture(userId: bigint, { url, allowedHosts }: ProviderPicture): Promise<string | null> {
    const { db, avatars, log } = this.#options;
    if (url === "") return null;
    try {
      if (!(await hasNoAvatar(db, userId))) return null;
      const bytes = await avatars.fetch(url, allowedHosts);
      return bytes && (await this.#store(userId, await squareOf(bytes)));
    } catch (error) {
      log.warn({ error: String(error) }, "failed to import an avatar");
      return null;
    }
  }

  /** The picture counts as an unused upload until it becomes the avatar, so that a failure leaves nothing behind. */
  async #store(userId: bigint, picture: Buffer): Promise<string | null> {
    const { db, clock, random } = this.#options;
    const created_at = new Date(clock.nowMs());
    const image = await db.transaction().execute(async (trx) =>
      store.insertImage(trx, {
        ...notLookedAt,
        ...(await this.#bytes.claim(trx, { full: picture, thumb: picture })),
        public_id: randomId(random),
        user_id: userId,
        width: avatarSizePx,
        height: avatarSizePx,
        created_at,
      }),
    );
    try {
      await this.#inTime(this.#bytes.store([picture]));
    } catch (error) {
      await store.markRemoved(db, [image.id], created_at);
      throw error;
    }
    return db.transaction().execute(async (trx) => {
      await store.lockPerson(trx, userId);
      if (await hasNoAvatar(trx, userId)) return store.moveToPerson(trx, image);
      await store.markRemoved(trx, [image.id], created_at);
      return null;
    });
  }

  /** @throws Error after `storeWaitMs`. The work itself continues until the bucket times out. */
  async #inTime(work: Promise<void>): Promise<void> {
    let timer: Disposable | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = this.#options.clock.after(storeWaitMs, () => reject(new Error(`not stored within ${storeWaitMs} ms`)));
    });
    try {
      await Promise.race([work, late]);
    } finally {
      timer?.[Symbol.dispose]();
    }
  }
}

const notLookedAt: store.ImageFindings = {
  why: "new",
  explicit: null,
  phash: null,
  status: "pending",
  reason_id: null,
  decided_at: null,
};

async function squareOf(bytes: Buffer): Promise<Buffer> {
  const source = await openSource(bytes);
  return source.autoOrient().resize(avatarSizePx, avatarSizePx, { fit: "cover" }).webp({ quality: 82 }).toBuffer();
}
