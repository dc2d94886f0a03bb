import { type Kysely, sql } from "kysely";
import { type ImageReviewReason, imageReviewReasons } from "@fava/wire/images.ts";
import type { Database } from "#db/schema.ts";
import type { ImageKind, ImageRow, ImageStatus } from "./image-store.ts";

type Db = Kysely<Database>;

export interface ReviewRow extends ImageRow {
  user_no: string;
  nickname: string;
  joined_at: Date;
  /** Rank by urgency, 1 first. Decided pictures all have 0. */
  rank: number;
  approved: number;
  rejected: number;
  claimed_by: bigint | null;
  claimed_name: string | null;
  claimed_until: Date | null;
}

export interface ReviewPosition {
  rank: number;
  id: bigint;
}

export interface ReviewPage {
  kind: ImageKind;
  status: ImageStatus;
  why: ImageReviewReason | null;
  after: ReviewPosition;
  rows: number;
  /** Ignores claims that end by this time. */
  at: Date;
}

export function reviewPage(db: Db, page: ReviewPage): Promise<ReviewRow[]> {
  const { after } = page;
  const rank = page.status === "pending" ? urgency() : sql<number>`0::int`;
  return shown(db, page)
    .leftJoin("claims", (join) =>
      join.on(sql<boolean>`claims.item = 'image:' || images.public_id`).on("claims.until", ">", page.at),
    )
    .leftJoin("users as claimer", "claimer.id", "claims.moderator_id")
    .selectAll("images")
    .select([
      "users.user_no",
      "users.nickname",
      "users.created_at as joined_at",
      rank.as("rank"),
      "claims.moderator_id as claimed_by",
      "claims.until as claimed_until",
      "claimer.nickname as claimed_name",
      countOf("approved").as("approved"),
      countOf("refused").as("rejected"),
    ])
    .where(sql<boolean>`(${rank}, images.id) > (${after.rank}, ${after.id})`)
    .orderBy(rank)
    .orderBy("images.id")
    .limit(page.rows)
    .execute();
}

export async function waitingImages(db: Db, kind: ImageKind): Promise<{ waiting: number; oldest: Date | null }> {
  const { waiting, oldest } = await shown(db, { kind, status: "pending", why: null })
    .select((eb) => [eb.fn.countAll<number>().as("waiting"), eb.fn.min("images.created_at").as("oldest")])
    .executeTakeFirstOrThrow();
  return { waiting: Number(waiting), oldest };
}

export async function isClaimedByOther(
  db: Db,
  { publicId, moderatorId, at }: { publicId: string; moderatorId: bigint; at: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom("claims")
    .select("item")
    .where("item", "=", `image:${publicId}`)
    .where("moderator_id", "<>", moderatorId)
    .where("until", ">", at)
    .executeTakeFirst();
  return row !== undefined;
}

export async function endClaim(db: Db, publicId: string): Promise<void> {
  await db.deleteFrom("claims").where("item", "=", `image:${publicId}`).execute();
}

function shown(db: Db, { kind, status, why }: Pick<ReviewPage, "kind" | "status" | "why">) {
  return db
    .selectFrom("images")
    .innerJoin("users", "users.id", "images.user_id")
    .where("images.kind", "=", kind)
    .where("images.status", "=", status)
    .where("images.removed_at", "is", null)
    .where("users.deleted_at", "is", null)
    .$if(why !== null, (query) => query.where("images.why", "=", why));
}

/** Ranks a random sample like a new picture. */
function urgency() {
  const places = sql.join(imageReviewReasons.map((why) => sql.lit(why)));
  return sql<number>`least(array_position(array[${places}], images.why), ${sql.lit(imageReviewReasons.indexOf("random") + 1)})`;
}

function countOf(status: ImageStatus) {
  return sql<number>`(
    select count(*)::int from images as earlier
    where earlier.user_id = images.user_id and earlier.id <> images.id
      and earlier.kind <> 'unused' and earlier.status = ${sql.lit(status)}
  )`;
}
