import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { listPageRows } from "@fava/wire/limits.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { banReasonIds } from "@fava/wire/reasons.ts";
import type { Kysely, Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { badInput, forbidden, refused } from "#http/call-error.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { ImageService } from "./service.ts";
import * as store from "./store.ts";

export interface ImageReviewOptions {
  db: Kysely<Database>;
  clock: Clock;
  bus: Pick<Bus, "push">;
  images: ImageService;
}

type Reviewed = "avatar" | "photo";
type Decision = Pick<ParsedInputOf<Endpoints["adminImageOperate"]>, "id" | "operation" | "reason_id">;

const cursorShape = /^\d{1,18}$/;

/** Pictures before people's eyes see them (rules IMG-30 to IMG-35). */
export class ImageReview {
  readonly #options: ImageReviewOptions;
  readonly #avatarListeners = new Set<(userId: bigint) => void>();

  constructor(options: ImageReviewOptions) {
    this.#options = options;
  }

  /** Called when somebody's avatar became another. */
  onAvatar(listener: (userId: bigint) => void): Disposable {
    this.#avatarListeners.add(listener);
    return { [Symbol.dispose]: () => void this.#avatarListeners.delete(listener) };
  }

  /**
   * A page of pictures by the state of their review, the oldest first.
   *
   * @throws CallError 400 for a cursor that is none.
   */
  async list(
    kind: Reviewed,
    { status, cursor = "0" }: Pick<ParsedInputOf<Endpoints["adminImageList"]>, "status" | "cursor">,
  ): Promise<OutputOf<Endpoints["adminImageList"]>> {
    if (!cursorShape.test(cursor)) throw badInput("the cursor is none", "cursor");
    const { db, images } = this.#options;
    const found = await store.reviewPage(db, { kind, status, after: BigInt(cursor), rows: listPageRows + 1 });
    const rows = found.slice(0, listPageRows);
    return {
      rows: rows.map((row) => ({
        id: row.public_id,
        user_id: Number(row.user_id),
        user_no: row.user_no,
        nickname: row.nickname,
        url: images.addresses.signed(row.blob_key),
        thumb: images.addresses.signed(row.thumb_key),
        status: row.status,
        reason_id: row.reason_id,
        at: row.created_at.getTime(),
      })),
      next: found.length > rows.length ? String(rows.at(-1)?.id) : null,
    };
  }

  /**
   * Approves or rejects, once; the owner's browser is told. The same decision again changes nothing.
   *
   * @throws CallError 400 for an unknown picture or a rejection without reason; 403 for one's own; 406
   *   `already_decided`.
   */
  async decide(kind: Reviewed, moderatorId: bigint, decision: Decision): Promise<void> {
    const { db, bus, images } = this.#options;
    const status = decision.operation === 1 ? "approved" : "refused";
    const reason_id = status === "refused" ? reasonOf(decision) : null;
    const ownerId = (await this.#reviewed(db, kind, decision.id)).user_id;
    if (ownerId === moderatorId) throw forbidden("role");
    const outcome = await db.transaction().execute(async (trx) => {
      await store.lockPerson(trx, ownerId);
      const image = await this.#reviewed(trx, kind, decision.id);
      if (image.status === status) return null;
      if (image.status !== "pending") throw refused("already_decided");
      const decided_at = new Date(this.#options.clock.nowMs());
      await store.setDecision(trx, image.id, { status, reason_id, decided_by: moderatorId, decided_at });
      return { avatarBefore: kind === "avatar" && status === "approved" ? await this.#show(trx, image) : null };
    });
    if (!outcome) return;
    if (outcome.avatarBefore !== null) {
      for (const listener of this.#avatarListeners) listener(ownerId);
      await images.bytes.clear(ownerId);
      await images.bytes.forget(outcome.avatarBefore);
    }
    bus.push(ownerId, { code: pushCodes.systemNotice });
  }

  /** Makes an approved picture the avatar in place of the one before, whose key it answers. */
  async #show(trx: Transaction<Database>, image: store.ImageRow): Promise<string> {
    const others = (await store.imagesOf(trx, image.user_id)).filter(
      ({ id, kind, status }) => id !== image.id && kind === "avatar" && status === "approved",
    );
    await store.markRemoved(
      trx,
      others.map(({ id }) => id),
      new Date(this.#options.clock.nowMs()),
    );
    return store.replaceAvatar(trx, image.user_id, image.thumb_key);
  }

  async #reviewed(db: Kysely<Database>, kind: Reviewed, publicId: string): Promise<store.ImageRow> {
    const image = await store.imageByPublicId(db, publicId);
    if (!image || image.kind !== kind || image.removed_at !== null) throw badInput("no such picture", "id");
    return image;
  }
}

function reasonOf({ reason_id }: Decision): number {
  const known = banReasonIds.find((id) => id === reason_id);
  if (known === undefined) throw badInput("a rejection has a reason", "reason_id");
  return known;
}
