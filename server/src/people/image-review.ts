import type { Kysely, Transaction } from "kysely";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { listPageRows } from "@fava/wire/limits.ts";
import { type Claim, nudityReasonId, pictureReasonIds } from "@fava/wire/moderation.ts";
import type { Database } from "#db/schema.ts";
import { badInput, forbidden, refused } from "#lib/errors.ts";
import { pushOwnDataChanged } from "#lib/own-data-pushes.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import * as review from "./image-review-store.ts";
import type { ImageService } from "./image-service.ts";
import { storeRemoved, writeImageDecision } from "./image-store.ts";
import * as store from "./image-store.ts";

export interface ImageReviewOptions {
  db: Kysely<Database>;
  clock: Clock;
  bus: Pick<Bus, "push">;
  images: ImageService;
  avatarChanged: (userId: bigint) => void;
}

type Reviewed = "avatar" | "photo";
type ListQuestion = Pick<ParsedInputOf<Endpoints["adminImageList"]>, "status" | "why" | "cursor">;
type Decision = Pick<ParsedInputOf<Endpoints["adminImageOperate"]>, "id" | "operation" | "reason_id">;

const cursorShape = /^(\d)\.(\d{1,18})$/;

/** Moderators' review of pictures (rules IMG-34, IMG-35). */
export class ImageReview {
  readonly #options: ImageReviewOptions;

  constructor(options: ImageReviewOptions) {
    this.#options = options;
  }

  /**
   * A page of pictures: waiting ones by urgency and age, decided ones by age.
   * @throws EndpointError 400 for an invalid cursor.
   */
  async list(
    kind: Reviewed,
    moderatorId: bigint,
    { status, why, cursor = "0.0" }: ListQuestion,
  ): Promise<OutputOf<Endpoints["adminImageList"]>> {
    const { db, clock } = this.#options;
    const after = placeOf(cursor);
    const at = new Date(clock.nowMs());
    const [found, { waiting, oldest }] = await Promise.all([
      review.reviewPage(db, { kind, status, why: why ?? null, after, rows: listPageRows + 1, at }),
      review.waitingImages(db, kind),
    ]);
    const rows = found.slice(0, listPageRows);
    const last = rows.at(-1);
    return {
      rows: rows.map((row) => this.#listed(row, moderatorId)),
      next: found.length > rows.length && last ? `${last.rank}.${last.id}` : null,
      waiting,
      oldest_at: oldest?.getTime() ?? null,
    };
  }

  /**
   * Decides a picture once and notifies the owner's page. Repeating the same decision changes nothing.
   * @throws EndpointError 400 for an unknown picture or a rejection without reason; 403 `own_case`, `claimed` while
   * another moderator has it; 406 `already_decided`.
   */
  async decide(kind: Reviewed, moderatorId: bigint, decision: Decision): Promise<void> {
    const { db, bus, images } = this.#options;
    const reasonId = decision.operation === 1 ? null : reasonOf(decision);
    const status = reasonId === null ? "approved" : "refused";
    const ownerId = (await this.#reviewed(db, kind, decision.id)).user_id;
    if (ownerId === moderatorId) throw forbidden("own_case");
    const outcome = await db.transaction().execute(async (trx) => {
      await store.lockPerson(trx, ownerId);
      const image = await this.#reviewed(trx, kind, decision.id);
      if (image.status === status) return null;
      // A moderator may still decide a picture that software rejected.
      if (image.status !== "pending" && image.decided_by !== null) throw refused("already_decided");
      await this.#settle(trx, { image, moderatorId, reasonId });
      const isShown = kind === "avatar" && reasonId === null;
      if (isShown) await this.#show(trx, image);
      return { isShown };
    });
    if (!outcome) return;
    if (outcome.isShown) {
      this.#options.avatarChanged(ownerId);
      await images.bytes.clear(ownerId);
    }
    pushOwnDataChanged(bus, ownerId);
  }

  /** Stores and logs the decision, and keeps pictures removed for nudity from being uploaded again. */
  async #settle(
    trx: Transaction<Database>,
    { image, moderatorId, reasonId }: { image: store.ImageRow; moderatorId: bigint; reasonId: number | null },
  ): Promise<void> {
    const at = new Date(this.#options.clock.nowMs());
    const { id, public_id: publicId, user_id: ownerId, phash } = image;
    if (await review.isClaimedByOther(trx, { publicId, moderatorId, at })) throw forbidden("claimed");
    const status = reasonId === null ? "approved" : "refused";
    await store.setDecision(trx, id, { status, reason_id: reasonId, decided_by: moderatorId, decided_at: at });
    await review.endClaim(trx, publicId);
    await writeImageDecision(trx, { at, actorId: moderatorId, ownerId, publicId, reasonId });
    if (reasonId === nudityReasonId && phash !== null) await storeRemoved(trx, { phash, reasonId, at });
  }

  #listed(row: review.ReviewRow, moderatorId: bigint): OutputOf<Endpoints["adminImageList"]>["rows"][number] {
    const { addresses } = this.#options.images;
    return {
      id: row.public_id,
      user_id: Number(row.user_id),
      user_no: row.user_no,
      nickname: row.nickname,
      url: addresses.signed(row.blob_key),
      thumb: addresses.signed(row.thumb_key),
      status: row.status,
      reason_id: row.reason_id,
      at: row.created_at.getTime(),
      joined_at: row.joined_at.getTime(),
      why: row.why,
      explicit: row.explicit,
      earlier: { approved: row.approved, rejected: row.rejected },
      claim: claimOf(row, moderatorId),
    };
  }

  /** Makes an approved picture the avatar, in place of the current one. */
  async #show(trx: Transaction<Database>, image: store.ImageRow): Promise<void> {
    const at = new Date(this.#options.clock.nowMs());
    const others = (await store.storedImagesOf(trx, image.user_id)).filter(
      ({ id, kind, status }) => id !== image.id && kind === "avatar" && status === "approved",
    );
    await store.markRemoved(
      trx,
      others.map(({ id }) => id),
      at,
    );
    await store.replaceAvatar(trx, image.user_id, { key: image.thumb_key, at });
  }

  async #reviewed(db: Kysely<Database>, kind: Reviewed, publicId: string): Promise<store.ImageRow> {
    const image = await store.imageByPublicId(db, publicId);
    if (!image || image.kind !== kind || image.removed_at !== null) throw badInput("no such picture", "id");
    return image;
  }
}

function claimOf({ claimed_by, claimed_name, claimed_until }: review.ReviewRow, moderatorId: bigint): Claim | null {
  if (claimed_by === null || claimed_until === null) return null;
  return { mine: claimed_by === moderatorId, name: claimed_name ?? "", until: claimed_until.getTime() };
}

function placeOf(cursor: string): review.ReviewPosition {
  const [, rank, id] = cursorShape.exec(cursor) ?? [];
  if (rank === undefined || id === undefined) throw badInput("invalid cursor", "cursor");
  return { rank: Number(rank), id: BigInt(id) };
}

function reasonOf({ reason_id }: Decision): number {
  const known = pictureReasonIds.find((id) => id === reason_id);
  if (known === undefined) throw badInput("missing reason of the rejection", "reason_id");
  return known;
}
