import type { Kysely, Transaction } from "kysely";
import type { Logger } from "pino";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import type { OwnImage } from "@fava/wire/images.ts";
import { photosMax } from "@fava/wire/limits.ts";
import { nudityReasonId } from "@fava/wire/moderation.ts";
import type { OtherUser } from "@fava/wire/people.ts";
import type { Database } from "#db/schema.ts";
import { badInput, refused } from "#lib/errors.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { Limits } from "#ports/rate-limits.ts";
import { DecodeBudget, DecodeQueue } from "./decode-queue.ts";
import { ImageBytes } from "./image-bytes.ts";
import { waitingImages } from "./image-review-store.ts";
import { nearestRemoved, storeRemoved, writeImageDecision } from "./image-store.ts";
import * as store from "./image-store.ts";
import { ImageAddresses } from "./media-route.ts";
import { type PhotoInspection, PhotoInspector, ruleOn } from "./photo-inspection.ts";
import { readPhoto } from "./photo.ts";

export async function waitingCountOf(db: Kysely<Database>, kind: "avatar" | "photo"): Promise<number> {
  return (await waitingImages(db, kind)).waiting;
}

export interface ImageServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  blobs: Blobs;
  serverSecret: ServerSecret;
  limits: Limits;
  /** Null if an operator switched the inspection off. */
  classifier: FrameClassifier | null;
  /** In shadow mode software rejects no picture. */
  isShadow: boolean;
  logger: Pick<Logger, "warn">;
}

export type OwnImageViews = OutputOf<Endpoints["newPhoto"]>;

const unusedMax = 10;
const unusedKeptMs = 86_400_000;
/** Memory: a decoded picture takes 100 MB for a moment, a waiting upload up to 8 MB. */
const decodeLimits = { atOnceMax: 2, waitingMax: 32, waitMaxMs: 10_000 } as const;
/** Higher than above, since decoded uploads are small and the classifier has its own queue. */
const judgeLimits = { atOnceMax: 32, waitingMax: 64, waitMaxMs: 10_000 } as const;
/** One picture of this many is a random sample for moderators. */
const samplesOneIn = 20;

/** Uploads, photos and avatars of users. Kinds: unused, avatar, photo. Status: pending, approved, refused. */
export class ImageService {
  readonly addresses: ImageAddresses;
  readonly bytes: ImageBytes;
  readonly #options: ImageServiceOptions;
  readonly #decoding: DecodeQueue;
  readonly #judging: DecodeQueue;
  readonly #budget: DecodeBudget;
  readonly #inspector: PhotoInspector;

  constructor(options: ImageServiceOptions) {
    this.#options = options;
    this.addresses = new ImageAddresses(options);
    this.bytes = new ImageBytes(options);
    this.#decoding = new DecodeQueue(options.clock, decodeLimits);
    this.#judging = new DecodeQueue(options.clock, judgeLimits);
    this.#budget = new DecodeBudget(options);
    this.#inspector = new PhotoInspector(options.classifier, options.logger);
  }

  /**
   * Stores an upload; the inspection may reject it (rules IMG-61, IMG-62). An unused upload is private, and deleted
   * after a day or once ten newer ones exist.
   * @throws EndpointError 406 `image_unreadable`; 429 if too many uploads wait, or this user has too many.
   */
  async upload(userId: bigint, file: Buffer): Promise<OwnImage> {
    const picture = await this.#decoding.run(userId, () => this.#budget.spend(userId, () => readPhoto(file)));
    const { inspection } = await this.#judging.run(userId, () =>
      this.#budget.spendElsewhere(userId, () => this.#inspector.inspect(picture.full)),
    );
    const { db, random } = this.#options;
    const created_at = this.#now();
    const publicId = randomId(random);
    const row = await db.transaction().execute(async (trx) => {
      await store.lockPerson(trx, userId);
      const keys = await this.bytes.claim(trx, picture);
      const { width, height } = picture;
      return store.insertImage(trx, {
        public_id: publicId,
        user_id: userId,
        width,
        height,
        created_at,
        ...keys,
        ...(await this.#rule(trx, { userId, publicId, inspection })),
      });
    });
    try {
      await this.bytes.store([picture.full, picture.thumb]);
    } catch (error) {
      await store.markRemoved(db, [row.id], created_at);
      throw error;
    }
    await this.#change(userId, (trx) => this.#removeSurplus(trx, userId));
    await this.bytes.clear(userId);
    return this.#own(row);
  }

  async mine(userId: bigint): Promise<OwnImageViews> {
    const rows = await store.storedImagesOf(this.#options.db, userId);
    const avatar = rows.find((row) => row.kind === "avatar" && (row.status !== "approved" || row.hidden_at !== null));
    return {
      avatar: avatar ? this.#own(avatar) : null,
      photos: rows.filter(({ kind }) => kind === "photo").map((row) => this.#own(row)),
    };
  }

  async photosOf(userId: bigint): Promise<OtherUser["photos"]> {
    const rows = await store.storedImagesOf(this.#options.db, userId);
    return rows
      .filter(({ kind, status, hidden_at }) => kind === "photo" && status === "approved" && hidden_at === null)
      .map((row) => ({
        id: row.public_id,
        url: this.addresses.open(row.blob_key),
        thumb: this.addresses.open(row.thumb_key),
      }));
  }

  /**
   * Makes an upload the last photo of the profile. Idempotent.
   * @throws EndpointError 400 unless it is an upload of this user; 406 `too_many`.
   */
  async addPhoto(userId: bigint, publicId: string): Promise<OwnImageViews> {
    await this.#change(userId, async (trx) => {
      const image = await usable(trx, { userId, publicId, field: "id", as: "photo" });
      if (image.kind === "photo") return;
      const photos = (await store.storedImagesOf(trx, userId)).filter(({ kind }) => kind === "photo");
      if (photos.length >= photosMax) throw refused("too_many");
      await store.useImage(trx, image.id, { kind: "photo", position: (photos.at(-1)?.position ?? 0) + 1 });
    });
    return this.mine(userId);
  }

  /**
   * Removes a picture. Idempotent.
   * @throws EndpointError 400 for the current avatar, which can only be replaced.
   */
  async remove(userId: bigint, publicId: string): Promise<OwnImageViews> {
    await this.#change(userId, async (trx) => {
      const image = await store.imageOf(trx, userId, publicId);
      if (!image || image.removed_at !== null) return;
      if (image.kind === "avatar" && image.status === "approved") throw badInput("the avatar is in use", "id");
      await store.markRemoved(trx, [image.id], this.#now());
    });
    await this.bytes.clear(userId);
    return this.mine(userId);
  }

  /** @throws EndpointError 400 unless `publicIds` has every photo once. */
  async orderPhotos(userId: bigint, publicIds: readonly string[]): Promise<OwnImageViews> {
    await this.#change(userId, async (trx) => {
      const photos = (await store.storedImagesOf(trx, userId)).filter(({ kind }) => kind === "photo");
      const known = new Map(photos.map((photo) => [photo.public_id, photo.id]));
      if (publicIds.length !== known.size || new Set(publicIds).size !== known.size) {
        throw badInput("must list every photo once", "ids");
      }
      for (const [index, publicId] of publicIds.entries()) {
        const id = known.get(publicId);
        if (id === undefined) throw badInput("must list every photo once", "ids");
        await store.setPosition(trx, id, index + 1);
      }
    });
    return this.mine(userId);
  }

  /**
   * Proposes an upload as avatar; the current one stays until a moderator approves it. The caller holds the lock of the
   * user's row and calls `bytes.clear` after the transaction.
   * @throws EndpointError 400 unless it is an upload of this user.
   */
  async proposeAvatar(trx: Transaction<Database>, userId: bigint, publicId: string): Promise<void> {
    const image = await usable(trx, { userId, publicId, field: "avatar", as: "avatar" });
    if (image.kind === "avatar") return;
    const earlier = (await store.storedImagesOf(trx, userId)).filter(
      ({ kind, status }) => kind === "avatar" && status !== "approved",
    );
    await store.markRemoved(trx, idsOf(earlier), this.#now());
    await store.useImage(trx, image.id, { kind: "avatar", position: 0 });
  }

  async removeAll(userId: bigint): Promise<void> {
    const at = this.#now();
    await this.#change(userId, async (trx) => {
      await store.markRemoved(trx, idsOf(await store.storedImagesOf(trx, userId)), at);
      await store.replaceAvatar(trx, userId, { key: "", at });
    });
    await this.bytes.clear(userId);
  }

  /** Removes the current avatar and the proposed one, for a moderator. */
  async removeAvatar(userId: bigint): Promise<void> {
    const at = this.#now();
    await this.#change(userId, async (trx) => {
      const avatars = (await store.storedImagesOf(trx, userId)).filter(({ kind }) => kind === "avatar");
      await store.refuseRemoved(trx, idsOf(avatars), { reasonId: nudityReasonId, at });
      await store.replaceAvatar(trx, userId, { key: "", at });
    });
    await this.bytes.clear(userId);
  }

  /**
   * Removes pictures of a user after a notice, and keeps them from being uploaded again. The caller calls `bytes.clear`
   * after the transaction.
   */
  async removeNoticed(
    trx: Transaction<Database>,
    userId: bigint,
    { ids, reasonId }: { ids: readonly bigint[]; reasonId: number },
  ): Promise<void> {
    const at = this.#now();
    await store.lockPerson(trx, userId);
    const removed = (await store.storedImagesOf(trx, userId)).filter(({ id }) => ids.includes(id));
    const user = await trx.selectFrom("users").select("avatar_key").where("id", "=", userId).executeTakeFirstOrThrow();
    for (const { phash } of removed) if (phash !== null) await storeRemoved(trx, { phash, reasonId, at });
    await store.refuseRemoved(trx, idsOf(removed), { reasonId, at });
    if (removed.some(({ thumb_key }) => thumb_key === user.avatar_key))
      await store.replaceAvatar(trx, userId, { key: "", at });
  }

  /** Keeps one picture of a user, or all of them, from being uploaded again. Call before removing them. */
  async barUploads(userId: bigint, { publicId, reasonId }: { publicId?: string; reasonId: number }): Promise<void> {
    const at = this.#now();
    await this.#change(userId, async (trx) => {
      for (const { public_id, phash } of await store.storedImagesOf(trx, userId)) {
        const isMeant = publicId === undefined || public_id === publicId;
        if (isMeant && phash !== null) await storeRemoved(trx, { phash, reasonId, at });
      }
    });
  }

  async forgetStale(): Promise<void> {
    const { db, clock } = this.#options;
    await store.removeStale(db, new Date(clock.nowMs() - unusedKeptMs), this.#now());
    await this.bytes.clear(null);
  }

  isPublic(key: string): Promise<boolean> {
    return store.isPublic(this.#options.db, key);
  }

  async #rule(
    trx: Transaction<Database>,
    { userId, publicId, inspection }: { userId: bigint; publicId: string; inspection: PhotoInspection },
  ): Promise<store.ImageFindings> {
    const { random, isShadow } = this.#options;
    const nearest = await nearestRemoved(trx, inspection.phash);
    const ruling = ruleOn({ inspection, nearest, isShadow, isSample: random.integer(1, samplesOneIn) === 1 });
    const explicit = inspection.models.kind === "judged" ? inspection.models.explicit : null;
    const found = { why: ruling.why, explicit, phash: inspection.phash };
    if (ruling.status === "pending") return { ...found, status: "pending", reason_id: null, decided_at: null };
    const at = this.#now();
    const detail = { ...inspection, nearest };
    await writeImageDecision(trx, { at, actorId: null, ownerId: userId, publicId, reasonId: ruling.reasonId, detail });
    return { ...found, status: "refused", reason_id: ruling.reasonId, decided_at: at };
  }

  async #removeSurplus(trx: Transaction<Database>, userId: bigint): Promise<void> {
    const unused = (await store.storedImagesOf(trx, userId)).filter(({ kind }) => kind === "unused");
    const surplus = unused.toSorted((one, other) => Number(other.id - one.id)).slice(unusedMax);
    await store.markRemoved(trx, idsOf(surplus), this.#now());
  }

  #change(userId: bigint, work: (trx: Transaction<Database>) => Promise<void>): Promise<void> {
    return this.#options.db.transaction().execute(async (trx) => {
      await store.lockPerson(trx, userId);
      await work(trx);
    });
  }

  /** To its owner, a picture that a notice hides looks as it did before its review. */
  #own(row: store.ImageRow): OwnImage {
    const status = row.hidden_at === null ? row.status : "pending";
    const address = (key: string) => (status === "approved" ? this.addresses.open(key) : this.addresses.signed(key));
    return {
      id: row.public_id,
      url: address(row.blob_key),
      thumb: address(row.thumb_key),
      width: row.width,
      height: row.height,
      status,
      reason_id: row.reason_id,
    };
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

/** Requires an own upload that is unused or already serves this purpose. */
async function usable(
  trx: Transaction<Database>,
  asked: { userId: bigint; publicId: string; field: string; as: "avatar" | "photo" },
): Promise<store.ImageRow> {
  const image = await store.imageOf(trx, asked.userId, asked.publicId);
  const fits = image?.kind === "unused" || image?.kind === asked.as;
  if (!image || image.removed_at !== null || !fits) throw badInput("no such upload", asked.field);
  return image;
}

function idsOf(rows: readonly store.ImageRow[]): bigint[] {
  return rows.map(({ id }) => id);
}
