import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { noticeCopyBitsMax, noticePicturesMax } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { isBlobKey } from "#lib/blob-key.ts";
import { isDistinctive, mirroredHash } from "@fava/wire/picture-hash.ts";

type Db = Kysely<Database>;
type Trx = Transaction<Database>;
type ImageRow = Selectable<Database["images"]>;

/** The key of a picture in its address at this site, whatever the host; null for any other text. */
export function keyInAddress(address: string): string | null {
  const key = /\/media\/(?:images|avatars)\/([^/?#\s]+)/.exec(address)?.[1];
  return key !== undefined && isBlobKey(key) ? key : null;
}

/**
 * The stored pictures with this key. Several users may have the same one. An avatar without a row, which was imported
 * at a sign-in, gets one.
 */
export async function imagesWithKey(trx: Trx, key: string, at: Date): Promise<ImageRow[]> {
  const bare = await trx
    .selectFrom("users")
    .select("id")
    .where("avatar_key", "=", key)
    .where(
      sql<boolean>`not exists (
        select from images where images.user_id = users.id and thumb_key = ${key} and removed_at is null
      )`,
    )
    .orderBy("id")
    .execute();
  for (const { id } of bare) {
    // Sign-ins and changes of the avatar lock the row as well.
    await trx.selectFrom("users").select("id").where("id", "=", id).forUpdate().execute();
    await sql`
      insert into images (public_id, user_id, kind, status, blob_key, thumb_key, width, height, created_at)
      select gen_random_uuid(), id, 'avatar', 'approved', avatar_key, avatar_key, 1, 1, ${at} from users
      where id = ${id} and avatar_key = ${key}`.execute(trx);
  }
  return trx
    .selectFrom("images")
    .selectAll()
    .where((where) => where.or([where("blob_key", "=", key), where("thumb_key", "=", key)]))
    .where("removed_at", "is", null)
    .orderBy("id")
    .limit(noticePicturesMax)
    .execute();
}

export interface ImageCopy {
  readonly id: bigint;
  readonly distance: number;
}

/** Stored pictures that resemble one of the hashes, also if mirrored; the most similar first. */
export async function copiesOf(db: Db, hashes: readonly string[]): Promise<ImageCopy[]> {
  const known = hashes.filter(isDistinctive).flatMap((hash) => [hash, mirroredHash(hash)]);
  if (known.length === 0) return [];
  const { rows } = await sql<{ id: bigint; distance: number }>`
    select id, distance from (
      select images.id, (
        select min(bit_count(('x' || images.phash)::bit(64) # ('x' || hash)::bit(64)))::int
        from unnest(${known}::text[]) as hash
      ) as distance
      from images where removed_at is null and phash is not null
    ) as alike
    where distance <= ${noticeCopyBitsMax} order by distance, id limit ${noticePicturesMax}`.execute(db);
  return rows;
}

/** Hides pictures from all but their owners and moderators. */
export async function hideImages(trx: Db, ids: readonly bigint[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("images")
    .set({ hidden_at: at })
    .where("id", "in", ids)
    .where("hidden_at", "is", null)
    .execute();
}
