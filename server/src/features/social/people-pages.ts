import { listPageRows, relationsMax } from "@fava/wire/limits.ts";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Cursor } from "./cursor.ts";
import { notBlocked } from "./directory-store.ts";

type Db = Kysely<Database>;

export type PeopleList = "follows" | "fans" | "friends" | "likes";

/** A row of a list, before it is filled in. */
export interface ListedId {
  readonly id: bigint;
  /** Microseconds since the epoch. */
  readonly atUs: bigint;
}

/** `other` and `at` of everybody in a list; a friendship is as old as its younger half. */
const sources: Readonly<Record<PeopleList, (userId: bigint) => RawBuilder<unknown>>> = {
  follows: (userId) => sql`select other_id as id, at from follows where user_id = ${userId}`,
  fans: (userId) => sql`select user_id as id, at from follows where other_id = ${userId}`,
  friends: (userId) => sql`
    select mine.other_id as id, greatest(mine.at, theirs.at) as at
    from follows as mine
    join follows as theirs on theirs.user_id = mine.other_id and theirs.other_id = mine.user_id
    where mine.user_id = ${userId}`,
  likes: (userId) => sql`select other_id as id, at from likes where user_id = ${userId}`,
};

/** A page of a list, newest first, and one row more where there is another page. Blocks have removed their rows. */
export async function readListedIds(
  db: Db,
  { list, userId, after }: { list: PeopleList; userId: bigint; after: Cursor },
): Promise<ListedId[]> {
  const { rows } = await sql<ListedId>`
    select listed.id, ${microseconds(sql`listed.at`)} as "atUs"
    from (${sources[list](userId)}) as listed
    join users as person on person.id = listed.id and person.deleted_at is null
    where ${isAfter(after)}
    order by listed.at desc, listed.id
    limit ${listPageRows + 1}`.execute(db);
  return rows;
}

/** How many are in a list; counted up to `relationsMax`, so that a crowd of fans costs no more than that. */
export async function countListed(db: Db, list: PeopleList, userId: bigint): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select from (${sources[list](userId)}) as listed
      join users as person on person.id = listed.id and person.deleted_at is null
      limit ${relationsMax}
    ) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

export interface BlockedRow extends ListedId {
  readonly nickname: string;
  readonly avatar_key: string;
}

export async function readBlocked(db: Db, userId: bigint, after: Cursor): Promise<BlockedRow[]> {
  const { rows } = await sql<BlockedRow>`
    select person.id, ${microseconds(sql`listed.at`)} as "atUs", person.nickname, person.avatar_key
    from (select other_id as id, at from blocks where user_id = ${userId}) as listed
    join users as person on person.id = listed.id and person.deleted_at is null
    where ${isAfter(after)}
    order by listed.at desc, listed.id
    limit ${listPageRows + 1}`.execute(db);
  return rows;
}

export interface RecentRow extends ListedId {
  readonly callId: string;
  readonly seconds: number;
  readonly iAsked: boolean;
  readonly otherAsked: boolean;
}

/** The latest call with each person met since then, newest first; one row more where there is another page. */
export async function readRecent(
  db: Db,
  { userId, after, since, now }: { userId: bigint; after: Cursor; since: Date; now: Date },
): Promise<RecentRow[]> {
  const wished = (one: RawBuilder<unknown>, other: RawBuilder<unknown>) => sql`exists (
    select from meet_wishes where user_id = ${one} and other_id = ${other} and at >= ${since}
  )`;
  const callsAs = (mine: "offerer_id" | "answerer_id", other: "offerer_id" | "answerer_id") => sql`
    select id as call_id, ${sql.ref(other)} as id, connected_at as at, ended_at from calls
    where ${sql.ref(mine)} = ${userId}
      and matched_at >= ${since}::timestamptz - interval '1 minute' and connected_at >= ${since}`;
  const { rows } = await sql<RecentRow>`
    select
      listed.id, ${microseconds(sql`listed.at`)} as "atUs", listed.call_id as "callId",
      greatest(0, floor(extract(epoch from coalesce(listed.ended_at, ${now}) - listed.at)))::integer as seconds,
      ${wished(sql`${userId}`, sql`listed.id`)} as "iAsked",
      ${wished(sql`listed.id`, sql`${userId}`)} as "otherAsked"
    from (
      select distinct on (met.id) met.* from (
        ${callsAs("offerer_id", "answerer_id")} union all ${callsAs("answerer_id", "offerer_id")}
      ) as met
      order by met.id, met.at desc
    ) as listed
    join users as person on person.id = listed.id and person.deleted_at is null
    where ${isAfter(after)} and ${notBlocked(sql`${userId}`, sql`listed.id`)}
    order by listed.at desc, listed.id
    limit ${listPageRows + 1}`.execute(db);
  return rows;
}

function microseconds(at: RawBuilder<unknown>): RawBuilder<bigint> {
  return sql<bigint>`(extract(epoch from ${at}) * 1000000)::bigint`;
}

/** Rows of one moment stand in the order of their ids, so that a page begins exactly where the one before ended. */
function isAfter({ atUs, id }: Cursor): RawBuilder<boolean> {
  const at = sql`(timestamptz 'epoch' + ${String(atUs)}::bigint * interval '1 microsecond')`;
  return sql<boolean>`listed.at <= ${at} and (listed.at < ${at} or listed.id > ${id})`;
}
