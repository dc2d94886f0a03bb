import { type Kysely, type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { isDistinctive, mirroredHash } from "@fava/wire/picture-hash.ts";

type Db = Kysely<Database>;
export type ImageRow = Selectable<Database["images"]>;
export type ImageKind = ImageRow["kind"];
export type ImageStatus = ImageRow["status"];
export type ImageFindings = Pick<ImageRow, "why" | "explicit" | "phash" | "status" | "reason_id" | "decided_at">;

const leftoversAtOnce = 200;

/** Locks the user's row, and with it their pictures, until the transaction ends. */
export async function lockPerson(trx: Db, userId: bigint): Promise<void> {
  await trx.selectFrom("users").select("id").where("id", "=", userId).forUpdate().executeTakeFirstOrThrow();
}

export function storedImagesOf(db: Db, userId: bigint): Promise<ImageRow[]> {
  return db
    .selectFrom("images")
    .selectAll()
    .where("user_id", "=", userId)
    .where("removed_at", "is", null)
    .orderBy("position")
    .orderBy("id")
    .execute();
}

/** Also a removed picture. */
export function imageOf(db: Db, userId: bigint, publicId: string): Promise<ImageRow | undefined> {
  return db
    .selectFrom("images")
    .selectAll()
    .where("user_id", "=", userId)
    .where("public_id", "=", publicId)
    .executeTakeFirst();
}

export function imageByPublicId(db: Db, publicId: string): Promise<ImageRow | undefined> {
  return db.selectFrom("images").selectAll().where("public_id", "=", publicId).executeTakeFirst();
}

export function insertImage(
  trx: Db,
  image: ImageFindings &
    Pick<ImageRow, "public_id" | "user_id" | "blob_key" | "thumb_key" | "width" | "height" | "created_at">,
): Promise<ImageRow> {
  return trx.insertInto("images").values(image).returningAll().executeTakeFirstOrThrow();
}

export async function useImage(trx: Db, id: bigint, as: { kind: "avatar" | "photo"; position: number }): Promise<void> {
  await trx.updateTable("images").set(as).where("id", "=", id).execute();
}

export async function setPosition(trx: Db, id: bigint, position: number): Promise<void> {
  await trx.updateTable("images").set({ position }).where("id", "=", id).execute();
}

export async function markRemoved(trx: Db, ids: readonly bigint[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await trx.updateTable("images").set({ removed_at: at }).where("id", "in", ids).execute();
}

/**
 * Changes the avatar. The previous blob gets a row to be deleted by. The caller has locked the user's row and removed
 * replaced pictures, and calls `bytes.clear` after the transaction.
 */
export async function replaceAvatar(trx: Db, userId: bigint, { key, at }: { key: string; at: Date }): Promise<void> {
  await sql`
    insert into images (public_id, user_id, blob_key, thumb_key, width, height, created_at, removed_at)
    select gen_random_uuid(), id, avatar_key, avatar_key, 1, 1, ${at}, ${at} from users
    where id = ${userId} and avatar_key <> ''
      and not exists (
        select from images
        where user_id = users.id and removed_at is not null and blob_key <> '' and thumb_key = avatar_key
      )`.execute(trx);
  await trx.updateTable("users").set({ avatar_key: key }).where("id", "=", userId).execute();
}

/**
 * Makes an imported picture the avatar and deletes its row, which the avatar does not need. The caller has locked the
 * row of a user without avatar.
 * @returns the key of the avatar; null if the picture is gone.
 */
export async function moveToPerson(trx: Db, { id, user_id, thumb_key }: ImageRow): Promise<string | null> {
  const { numDeletedRows } = await trx
    .deleteFrom("images")
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return null;
  await trx.updateTable("users").set({ avatar_key: thumb_key }).where("id", "=", user_id).execute();
  return thumb_key;
}

export async function setDecision(
  trx: Db,
  id: bigint,
  decision: { status: ImageStatus; reason_id: number | null; decided_by: bigint; decided_at: Date },
): Promise<void> {
  await trx.updateTable("images").set(decision).where("id", "=", id).execute();
}

/** Marks removed pictures as refused by a moderator, whatever was decided before. */
export async function refuseRemoved(
  trx: Db,
  ids: readonly bigint[],
  refusal: { reasonId: number; at: Date },
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("images")
    .set({ status: "refused", reason_id: refusal.reasonId, decided_at: refusal.at, removed_at: refusal.at })
    .where("id", "in", ids)
    .execute();
}

/** Removes unused uploads created before `before`. Returns their owners. */
export async function removeStale(db: Db, before: Date, at: Date): Promise<bigint[]> {
  const rows = await db
    .updateTable("images")
    .set({ removed_at: at })
    .where("kind", "=", "unused")
    .where("removed_at", "is", null)
    .where("created_at", "<", before)
    .returning("user_id")
    .execute();
  return Array.from(new Set(rows.map((row) => row.user_id)));
}

/** Removed pictures whose blobs may still be stored, of one user or (null) of all. */
export async function leftovers(db: Db, userId: bigint | null) {
  return db
    .selectFrom("images")
    .select(["id", "kind", "blob_key", "thumb_key"])
    .where("removed_at", "is not", null)
    .where("blob_key", "<>", "")
    .$if(userId !== null, (query) => query.where("user_id", "=", userId))
    .limit(leftoversAtOnce)
    .execute();
}

/** Clears the keys of deleted blobs. Rows of used pictures stay, with the decisions about them. */
export async function settleLeftovers(db: Db, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom("images").where("id", "in", ids).where("kind", "=", "unused").execute();
  await db.updateTable("images").set({ blob_key: "", thumb_key: "" }).where("id", "in", ids).execute();
}

export async function isNeeded(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql<{ needed: boolean }>`
    select
      exists (select from images where blob_key = ${key} and removed_at is null)
      or exists (select from images where thumb_key = ${key} and removed_at is null)
      or exists (select from users where avatar_key = ${key} and avatar_key <> '') as needed`.execute(db);
  return rows[0]?.needed ?? false;
}

/** Whether everybody may see the blob: an approved photo or an avatar of an existing account that no notice hides. */
export async function isPublic(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select
      exists (
        select from images join users on users.id = images.user_id
        where (images.blob_key = ${key} or images.thumb_key = ${key})
          and images.status = 'approved' and images.removed_at is null and users.deleted_at is null
          and images.hidden_at is null
      )
      or exists (
        select from users where avatar_key = ${key} and avatar_key <> '' and deleted_at is null
          and not exists (
            select from images
            where images.user_id = users.id and thumb_key = ${key} and removed_at is null and hidden_at is not null
          )
      ) as open`.execute(db);
  return rows[0]?.open ?? false;
}

export interface ImageDecision {
  at: Date;
  /** The moderator; null for software. */
  actorId: bigint | null;
  ownerId: bigint;
  publicId: string;
  reasonId: number | null;
  detail?: object;
}

export async function writeImageDecision(db: Kysely<Database>, decision: ImageDecision): Promise<void> {
  const { at, actorId, ownerId, publicId, reasonId, detail } = decision;
  await db
    .insertInto("audit_log")
    .values({
      at,
      actor_id: actorId,
      kind: reasonId === null ? "image_approve" : "image_reject",
      subject_id: ownerId,
      reason_id: reasonId,
      case_id: null,
      detail: JSON.stringify({ image: publicId, ...detail }),
    })
    .execute();
}

/** The most similar removed picture, also if mirrored; null for an almost empty one, which resembles many. */
export async function nearestRemoved(
  db: Kysely<Database>,
  phash: string,
): Promise<{ distance: number; reasonId: number } | null> {
  if (!isDistinctive(phash)) return null;
  const { rows } = await sql<{ distance: number; reason_id: number }>`
    with asked as (select ('x' || ${phash}::text)::bit(64) as bits)
    select
      least(
        bit_count(('x' || phash)::bit(64) # bits),
        bit_count(('x' || mirrored)::bit(64) # bits)
      )::int as distance,
      reason_id
    from removed_pictures, asked
    order by distance, id
    limit 1`.execute(db);
  const [nearest] = rows;
  return nearest ? { distance: nearest.distance, reasonId: nearest.reason_id } : null;
}

/** Keeps a picture that a moderator removed for its content from being uploaded again. */
export async function storeRemoved(
  db: Kysely<Database>,
  { phash, reasonId, at }: { phash: string; reasonId: number; at: Date },
): Promise<void> {
  if (!isDistinctive(phash)) return;
  await db
    .insertInto("removed_pictures")
    .values({ phash, mirrored: mirroredHash(phash), reason_id: reasonId, at })
    .execute();
}
