import { type Kysely, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { isTelling, mirroredHash } from "#picture-hash.ts";

/**
 * The removed picture that is the most like the one of this hash, straight or in the mirror; null where none was
 * removed, and for a picture with hardly anything on it, which is like every other of its kind.
 */
export async function nearestRemoved(
  db: Kysely<Database>,
  phash: string,
): Promise<{ distance: number; reasonId: number } | null> {
  if (!isTelling(phash)) return null;
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

/** Remembers a picture that a person took away for what it shows, so that nobody uploads it again (rule IMG-65). */
export async function rememberRemoved(
  db: Kysely<Database>,
  { phash, reasonId, at }: { phash: string; reasonId: number; at: Date },
): Promise<void> {
  if (!isTelling(phash)) return;
  await db
    .insertInto("removed_pictures")
    .values({ phash, mirrored: mirroredHash(phash), reason_id: reasonId, at })
    .execute();
}
