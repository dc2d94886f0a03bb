import { type Kysely, sql, type Transaction } from "kysely";
import { apartsMax, relationsMax } from "@fava/wire/limits.ts";
import type { FollowStatus, LikeStatus } from "@fava/wire/people.ts";
import type { Database } from "#db/schema.ts";
import { forbidden, refused } from "#lib/errors.ts";
import { notBlocked, readHidden } from "./directory-store.ts";

type Db = Kysely<Database>;
type Writer = Transaction<Database>;

export interface RelationChange {
  readonly userId: bigint;
  readonly otherId: bigint;
  readonly at: Date;
}

export interface PairAfter {
  readonly changed: boolean;
  readonly actor: Partner;
  readonly other: Partner;
}

export interface Partner {
  readonly userId: bigint;
  readonly externalId: string;
  readonly official: boolean;
  readonly follows: boolean;
  readonly likes: boolean;
}

/**
 * Follows or likes, or the opposite if `on` is false; toggles if `on` is null.
 * @throws EndpointError 403 `not_met` if the two are hidden from each other; 406 `too_many`.
 */
export async function setRelation(
  db: Db,
  table: "follows" | "likes",
  { userId, otherId, at, on }: RelationChange & { on: boolean | null },
): Promise<PairAfter> {
  return db.transaction().execute(async (trx) => {
    await lockVisiblePair(trx, userId, otherId);
    const deleted = on === true ? false : await remove(trx, table, { userId, otherId });
    let changed = deleted;
    if (on === true || (on === null && !deleted)) changed = await add(trx, table, { userId, otherId, at });
    return { changed, ...(await readPair(trx, userId, otherId)) };
  });
}

/**
 * Blocks a user and deletes all other relations between the two.
 * @throws EndpointError 403 `not_met` for an unknown user; 406 `too_many`.
 */
export async function setBlock(db: Db, { userId, otherId, at }: RelationChange): Promise<PairAfter> {
  return db.transaction().execute(async (trx) => {
    const people = await lockPair(trx, userId, otherId);
    if (people.length < 2) throw forbidden("not_met");
    const changed = await add(trx, "blocks", { userId, otherId, at });
    for (const table of ["follows", "likes", "meet_wishes"] as const) {
      await remove(trx, table, { userId, otherId });
      await remove(trx, table, { userId: otherId, otherId: userId });
    }
    return { changed, ...(await readPair(trx, userId, otherId)) };
  });
}

export async function removeBlock(db: Db, userId: bigint, otherId: bigint): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockPair(trx, userId, otherId);
    return remove(trx, "blocks", { userId, otherId });
  });
}

/**
 * Sets or withdraws a rematch request, which ends the user's own `apart`. Ignores requests before `since`.
 * @throws EndpointError 403 `not_met` if the two are hidden from each other.
 */
export async function setRematchRequest(
  db: Db,
  { userId, otherId, at, on, since }: RelationChange & { on: boolean; since: Date },
): Promise<{ wasAsked: boolean; otherAsked: boolean; wasApart: boolean }> {
  return db.transaction().execute(async (trx) => {
    await lockVisiblePair(trx, userId, otherId);
    await trx.deleteFrom("meet_wishes").where("user_id", "=", userId).where("at", "<", since).execute();
    let wasAsked = false;
    if (on) wasAsked = !(await add(trx, "meet_wishes", { userId, otherId, at }));
    else wasAsked = await remove(trx, "meet_wishes", { userId, otherId });
    const theirs = await trx
      .selectFrom("meet_wishes")
      .select("at")
      .where("user_id", "=", otherId)
      .where("other_id", "=", userId)
      .where("at", ">=", since)
      .executeTakeFirst();
    const wasApart = on && (await remove(trx, "aparts", { userId, otherId }));
    return { wasAsked, otherAsked: theirs !== undefined, wasApart };
  });
}

/**
 * Makes a user avoid another one, and withdraws the user's rematch request. Expired entries do not count towards the
 * limit.
 * @throws EndpointError 403 `not_met` if the two are hidden from each other; 406 `too_many`.
 */
export async function setApart(
  db: Db,
  { userId, otherId, at, until }: RelationChange & { until: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockVisiblePair(trx, userId, otherId);
    const { rows } = await sql<{ full: boolean }>`
      select count(*) >= ${apartsMax} as full from aparts
      where user_id = ${userId} and other_id <> ${otherId} and until > ${at}`.execute(trx);
    if (rows[0]?.full) throw refused("too_many");
    await trx
      .insertInto("aparts")
      .values({ user_id: userId, other_id: otherId, until })
      .onConflict((conflict) => conflict.columns(["user_id", "other_id"]).doUpdateSet({ until }))
      .execute();
    await remove(trx, "meet_wishes", { userId, otherId });
  });
}

export async function removeApart(db: Db, userId: bigint, otherId: bigint): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockPair(trx, userId, otherId);
    return remove(trx, "aparts", { userId, otherId });
  });
}

export async function removeRematchRequests(db: Db, one: bigint, other: bigint): Promise<void> {
  await sql`
    delete from meet_wishes
    where (user_id = ${one} and other_id = ${other}) or (user_id = ${other} and other_id = ${one})`.execute(db);
}

export async function bothRequestRematch(db: Db, pair: { one: bigint; other: bigint; since: Date }): Promise<boolean> {
  const { one, other, since } = pair;
  const { rows } = await sql<{ both: boolean }>`
    select count(*) = 2 as both from meet_wishes
    where ((user_id = ${one} and other_id = ${other}) or (user_id = ${other} and other_id = ${one}))
      and at >= ${since}`.execute(db);
  return rows[0]?.both ?? false;
}

export function followStatusOf(viewer: Partner, other: Partner): FollowStatus {
  if (!viewer.follows) return 0;
  return other.follows ? 2 : 1;
}

export function likeStatusOf(viewer: Partner): LikeStatus {
  return viewer.likes ? 1 : 0;
}

/** Locks both users' rows in id order, which serializes changes between the two and the deletion of either. */
export async function lockPair(
  trx: Writer,
  one: bigint,
  other: bigint,
): Promise<{ id: bigint; deleted_at: Date | null }[]> {
  return trx
    .selectFrom("users")
    .select(["id", "deleted_at"])
    .where("id", "in", [one, other])
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

export async function readVisiblePair(
  db: Db,
  actorId: bigint,
  otherId: bigint,
): Promise<{ actor: Partner; other: Partner } | null> {
  return (await readHidden(db, actorId, otherId)) ? null : readPair(db, actorId, otherId);
}

async function lockVisiblePair(trx: Writer, one: bigint, other: bigint): Promise<void> {
  const people = await lockPair(trx, one, other);
  if (people.length < 2 || people.some(({ deleted_at }) => deleted_at !== null)) throw forbidden("not_met");
  const { rows } = await sql<{ seen: boolean }>`select ${notBlocked(sql`${one}`, sql`${other}`)} as seen`.execute(trx);
  if (!rows[0]?.seen) throw forbidden("not_met");
}

type RelationTable = "follows" | "likes" | "blocks" | "meet_wishes";

async function add(trx: Writer, table: RelationTable, { userId, otherId, at }: RelationChange): Promise<boolean> {
  const { rows } = await sql<{ there: boolean; full: boolean }>`
    select
      exists (select from ${sql.table(table)} where user_id = ${userId} and other_id = ${otherId}) as there,
      (select count(*) from ${sql.table(table)} where user_id = ${userId}) >= ${relationsMax} as full`.execute(trx);
  if (rows[0]?.there) return false;
  if (rows[0]?.full) throw refused("too_many");
  await trx.insertInto(table).values({ user_id: userId, other_id: otherId, at }).execute();
  return true;
}

async function remove(
  trx: Writer,
  table: RelationTable | "aparts",
  change: Omit<RelationChange, "at">,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom(table)
    .where("user_id", "=", change.userId)
    .where("other_id", "=", change.otherId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function readPair(db: Db, actorId: bigint, otherId: bigint): Promise<{ actor: Partner; other: Partner }> {
  const { rows } = await sql<Partner>`
    select
      id as "userId", external_id as "externalId", official,
      exists (
        select from follows where user_id = users.id and other_id in (${actorId}, ${otherId})
      ) as follows,
      exists (select from likes where user_id = users.id and other_id in (${actorId}, ${otherId})) as likes
    from users where id in (${actorId}, ${otherId})`.execute(db);
  const actor = rows.find(({ userId }) => userId === actorId);
  const other = rows.find(({ userId }) => userId === otherId);
  if (!actor || !other) throw new Error("a locked user is gone");
  return { actor, other };
}
