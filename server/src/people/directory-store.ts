import { type Kysely, type RawBuilder, sql } from "kysely";
import { relationsMax } from "@fava/wire/limits.ts";
import type { FollowStatus, LikeStatus, Sex } from "@fava/wire/people.ts";
import { isCallSince } from "#db/call-days.ts";
import { prepared } from "#db/prepared.ts";
import type { Database } from "#db/schema.ts";
import type { Exclusions } from "./block-cache.ts";

type Db = Kysely<Database>;
type Id = RawBuilder<unknown> | bigint;

export interface CardRow {
  readonly id: bigint;
  readonly external_id: string;
  readonly nickname: string;
  readonly avatar_key: string;
  readonly sex: Sex;
  readonly country_id: number;
  readonly followStatus: FollowStatus;
  readonly likeStatus: LikeStatus;
}

/** SQL: neither user has blocked the other. Both arguments are SQL expressions of user ids. */
export function notBlocked(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from blocks
    where (blocks.user_id = ${one} and blocks.other_id = ${other})
       or (blocks.user_id = ${other} and blocks.other_id = ${one})
  )`;
}

/** Index lookups: with `exists` the planner may hash a whole table, and with `is null` it plans long lists badly. */

export function areFriends(one: Id, other: Id): RawBuilder<boolean> {
  return sql<boolean>`(${hasRelation("follows", one, other)} and ${hasRelation("follows", other, one)})`;
}

/** SQL: the other user's account is deleted, or either user has blocked the other. */
export function isHidden(one: Id, other: Id): RawBuilder<boolean> {
  return sql<boolean>`(
    ${isMissing(other)}
    or ${hasRelation("blocks", one, other)} or ${hasRelation("blocks", other, one)}
  )`;
}

function isMissing(userId: Id): RawBuilder<boolean> {
  return sql<boolean>`coalesce((select deleted_at is not null from users where id = ${userId}), true)`;
}

export function hasRelation(table: "follows" | "likes" | "blocks", userId: Id, otherId: Id): RawBuilder<boolean> {
  return sql<boolean>`coalesce(
    (select true from ${sql.table(table)} where user_id = ${userId} and other_id = ${otherId}), false
  )`;
}

/** Cards in any order, without users who are hidden from the viewer. */
export async function cardRows(db: Db, viewerId: bigint, ids: readonly bigint[]): Promise<CardRow[]> {
  const [first] = ids;
  if (first === undefined) return [];
  // Most queries are for one user and reuse one prepared plan. For an array PostgreSQL would plan each time.
  const [name, wanted] = ids.length === 1 ? ["card", sql`${first}`] : ["cards", sql`any(${ids.map(String)}::bigint[])`];
  const { rows } = await sql<CardRow>`
    ${prepared(name)} select
      person.id, person.external_id, person.nickname, person.avatar_key, person.sex, person.country_id,
      case when mine.user_id is null then 0 when theirs.user_id is null then 1 else 2 end as "followStatus",
      case when likes.user_id is null then 0 else 1 end as "likeStatus"
    from users as person
    left join follows as mine on mine.user_id = ${viewerId} and mine.other_id = person.id
    left join follows as theirs on theirs.user_id = person.id and theirs.other_id = ${viewerId}
    left join likes on likes.user_id = ${viewerId} and likes.other_id = person.id
    where person.id = ${wanted} and person.deleted_at is null
      and ${notBlocked(sql`${viewerId}`, sql`person.id`)}`.execute(db);
  return rows;
}

export async function readHidden(db: Db, one: bigint, other: bigint): Promise<boolean> {
  const { rows } = await sql<{ hidden: boolean }>`
    select ${isMissing(one)} or ${isHidden(one, other)} as hidden`.execute(db);
  return rows[0]?.hidden ?? true;
}

/**
 * Whether one user may know of the other: a call since `since`, a list (unless the other's account is deleted), a
 * conversation, or the official account. Ignores blocks.
 */
export async function isAcquainted(db: Db, pair: { one: bigint; other: bigint; since: Date }): Promise<boolean> {
  const { one, other, since } = pair;
  const { rows } = await sql<{ known: boolean }>`
    select
      (
        not ${isMissing(other)} and (
          ${hasRelation("follows", one, other)} or ${hasRelation("follows", other, one)} or ${hasRelation("likes", one, other)}
        )
      )
      or exists (select from conversation_sides where user_id = ${one} and other_id = ${other})
      or exists (
        select from calls
        where (offerer_id, answerer_id) in ((${one}::bigint, ${other}::bigint), (${other}::bigint, ${one}::bigint))
          and matched_at >= ${since} and ${isCallSince("id", since)}
      )
      or exists (select from users where id = ${other} and official) as known`.execute(db);
  return rows[0]?.known ?? false;
}

export async function haveMet(db: Db, pair: { one: bigint; other: bigint; since: Date }): Promise<boolean> {
  const { one, other, since } = pair;
  const { rows } = await sql<{ met: boolean }>`
    select exists (
      select from calls
      where offerer_id = ${one} and answerer_id = ${other}
        and matched_at >= ${since}::timestamptz - interval '1 minute' and connected_at >= ${since}
        and ${isCallSince("id", since)}
    ) or exists (
      select from calls
      where offerer_id = ${other} and answerer_id = ${one}
        and matched_at >= ${since}::timestamptz - interval '1 minute' and connected_at >= ${since}
        and ${isCallSince("id", since)}
    ) as met`.execute(db);
  return rows[0]?.met ?? false;
}

export async function readFriends(db: Db, one: bigint, other: bigint): Promise<boolean> {
  const { rows } = await sql<{ friends: boolean }>`
    select ${areFriends(one, other)} and not (${isMissing(one)} or ${isMissing(other)}) as friends`.execute(db);
  return rows[0]?.friends ?? false;
}

export async function friendIds(db: Db, userId: bigint): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select mine.other_id as id
    from follows as mine
    join follows as theirs on theirs.user_id = mine.other_id and theirs.other_id = mine.user_id
    join users as friend on friend.id = mine.other_id and friend.deleted_at is null
    where mine.user_id = ${userId}
    limit ${relationsMax}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Users whom this user has blocked, or avoids at `now`. Blocks come last, since a full cache drops the first ones. */
export async function readExclusions(db: Db, userId: bigint, now: Date): Promise<Exclusions> {
  const { rows } = await sql<Exclusions[number]>`
    ${prepared("exclusions")} select other_id as "otherId", 'apart' as kind from aparts
    where user_id = ${userId} and until > ${now}
    union all
    select other_id, 'block' from blocks where user_id = ${userId}`.execute(db);
  return rows;
}

export async function personByExternalId(db: Db, externalId: string) {
  const { rows } = await sql<{ id: bigint; official: boolean }>`
    ${prepared("person_by_external_id")} select id, official from users where external_id = ${externalId}`.execute(db);
  return rows[0];
}

/** Also of a deleted account. */
export async function externalIdOf(db: Db, userId: bigint): Promise<string | undefined> {
  const row = await db.selectFrom("users").select("external_id").where("id", "=", userId).executeTakeFirst();
  return row?.external_id;
}

/** Users who have this user in a list or a conversation, at most `relationsMax`. */
export async function contactIds(db: Db, userId: bigint): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    (select user_id as id from follows where other_id = ${userId} limit ${relationsMax})
    union (select other_id from follows where user_id = ${userId})
    union (select user_id from likes where other_id = ${userId} limit ${relationsMax})
    union (select user_id from conversation_sides where other_id = ${userId} limit ${relationsMax})
    limit ${relationsMax}`.execute(db);
  return rows.map(({ id }) => id);
}
