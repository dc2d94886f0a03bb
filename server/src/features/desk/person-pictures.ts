import { nudityReasonId } from "@fava/wire/moderation.ts";
import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import { badInput } from "#http/call-error.ts";
import type { Clock } from "#ports/clock.ts";
import { imagesOf } from "./person-store.ts";

/** What the desk has the keeper of pictures do. */
export interface Images {
  remove(userId: bigint, publicId: string): Promise<unknown>;
  removeAll(userId: bigint): Promise<void>;
  /** Nobody is to upload one, or all, of this person's pictures again. */
  barUploads(userId: bigint, which: { publicId?: string; reasonId: number }): Promise<void>;
}

/** Takes pictures away from a person, as a moderator says (rule DESK-60). */
export class PersonPictures {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #images: Images;

  constructor(options: { db: Kysely<Database>; clock: Clock; images: Images }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#images = options.images;
  }

  /** @throws CallError 400 for a picture that is not this person's. */
  async remove(userId: bigint, { id, reasonId }: { id: string; reasonId: number | null }): Promise<void> {
    const image = (await imagesOf(this.#db, userId)).find(({ public_id }) => public_id === id);
    if (!image) throw badInput("no such picture", "id");
    if (reasonId === nudityReasonId) await this.#images.barUploads(userId, { publicId: id, reasonId });
    if (image.kind === "avatar" && image.status === "approved") await this.removeAvatar(userId);
    else await this.#images.remove(userId, id);
  }

  async removeAll(userId: bigint, reasonId: number | null): Promise<void> {
    if (reasonId === nudityReasonId) await this.#images.barUploads(userId, { reasonId });
    await this.#images.removeAll(userId);
  }

  /** The picture that is shown goes, and with it what waited to take its place. */
  async removeAvatar(userId: bigint): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .updateTable("images")
        .set({ status: "refused", reason_id: nudityReasonId, decided_at: new Date(this.#clock.nowMs()) })
        .where("user_id", "=", userId)
        .where("kind", "=", "avatar")
        .where("removed_at", "is", null)
        .execute();
      await trx.updateTable("users").set({ avatar_key: "" }).where("id", "=", userId).execute();
    });
    for (const { kind, public_id } of await imagesOf(this.#db, userId)) {
      if (kind === "avatar") await this.#images.remove(userId, public_id);
    }
  }
}
