import { type Kysely, type RawBuilder, sql } from "kysely";
import { listPageRows, relationsMax } from "@fava/wire/limits.ts";
import type { KindWord } from "@fava/wire/people.ts";
import { isCallSince } from "#db/call-days.ts";
import type { Database } from "#db/schema.ts";
import { badInput } from "#lib/errors.ts";
import type { UnwrittenCall } from "#ports/directory.ts";
import { notBlocked } from "./directory-store.ts";
import { isDelivered } from "./kind-words.ts";

type Db = Kysely<Database>;

export type PeopleList = "follows" | "fans" | "friends" | "likes";

interface ListedId {
  readonly id: bigint;
  /** Microseconds since the epoch, as PostgreSQL stores times. */
  readonly atUs: bigint;
}

/* A lookup per listed user. With a join, the planner may read all fans of a famous user, or all users. */
const isNotDeleted = sql<boolean>`(select deleted_at is null from users where id = listed.id)`;

/** A friendship is as old as the younger of its two follows. */
const sources: Readonly<Record<PeopleList, (userId: bigint) => RawBuilder<unknown>>> = {
  follows: (userId) => sql`select other_id as id, at from follows where user_id = ${userId}`,
  fans: (userId) => sql`select user_id as id, at from follows where other_id = ${userId}`,
  friends: (userId) => sql`
    select id, greatest(my_at, their_at) as at
    from (
      select other_id as id, at as my_at,
        (select at from follows where user_id = mine.other_id and other_id = ${userId}) as their_at
      from follows as mine where user_id = ${userId}
      offset 0
    ) as both_ways
    where their_at is not null`,
  likes: (userId) => sql`select other_id as id, at from likes where user_id = ${userId}`,
};

/** A page, newest first, with one row more if another page follows. Blocks have deleted rows of blocked users. */
export async function readListedIds(
  db: Db,
  { list, userId, after }: { list: PeopleList; userId: bigint; after: Cursor },
): Promise<ListedId[]> {
  const { rows } = await sql<ListedId>`
    select listed.id, ${microseconds(sql`listed.at`)} as "atUs"
    from (
      select * from (${sources[list](userId)}) as listed
      where ${isAfter(after)}
      order by listed.at desc, listed.id
      offset 0
    ) as listed
    where ${isNotDeleted}
    limit ${listPageRows + 1}`.execute(db);
  return rows;
}

/** Counts at most `relationsMax`, to limit the cost for users with many fans. */
export async function countListed(db: Db, list: PeopleList, userId: bigint): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select from (${sources[list](userId)}) as listed where ${isNotDeleted} limit ${relationsMax}
    ) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

interface NamedRow extends ListedId {
  readonly nickname: string;
  readonly avatar_key: string;
}

/** Blocked users, also those who deleted the account. Otherwise the list would reveal who has. */
export async function readBlocked(db: Db, userId: bigint, after: Cursor): Promise<NamedRow[]> {
  const { rows } = await sql<NamedRow>`
    select person.id, ${microseconds(sql`listed.at`)} as "atUs", person.nickname, person.avatar_key
    from (select other_id as id, at from blocks where user_id = ${userId}) as listed
    join users as person on person.id = listed.id
    where ${isAfter(after)}
    order by listed.at desc, listed.id
    limit ${listPageRows + 1}`.execute(db);
  return rows;
}

/** Users whom this user avoids. `atUs`: until when. */
export async function readApart(
  db: Db,
  { userId, after, now }: { userId: bigint; after: Cursor; now: Date },
): Promise<NamedRow[]> {
  const { rows } = await sql<NamedRow>`
    select person.id, ${microseconds(sql`listed.at`)} as "atUs", person.nickname, person.avatar_key
    from (select other_id as id, until as at from aparts where user_id = ${userId} and until > ${now}) as listed
    join users as person on person.id = listed.id and person.deleted_at is null
    where ${isAfter(after)} and ${notBlocked(sql`${userId}`, sql`listed.id`)}
    order by listed.at desc, listed.id
    limit ${listPageRows + 1}`.execute(db);
  return rows;
}

interface RecentRow extends ListedId {
  readonly callId: string;
  readonly seconds: number;
  readonly iAsked: boolean;
  readonly otherAsked: boolean;
  /** Until when the user avoids the other one; null if not. */
  readonly apartUntilUs: bigint | null;
  /** The kind word of the other user; null: none. */
  readonly word: KindWord | null;
}

interface RecentQuestion {
  userId: bigint;
  onlyId: bigint | null;
  after: Cursor;
  since: Date;
  now: Date;
  /** Calls of the user that the database may not have yet. */
  unwritten: readonly UnwrittenCall[];
}

/** The latest call with each user met since `since`, newest first, with one row more if another page follows. */
export async function readRecent(db: Db, question: RecentQuestion): Promise<RecentRow[]> {
  const { userId, onlyId, after, since, now } = question;
  const unwritten = question.unwritten.filter(
    (call) => call.connectedAtMs !== null && (onlyId === null || call.otherId === onlyId),
  );
  const wished = (one: RawBuilder<unknown>, other: RawBuilder<unknown>) => sql`exists (
    select from meet_wishes where user_id = ${one} and other_id = ${other} and at >= ${since}
  )`;
  const callsAs = (mine: "offerer_id" | "answerer_id", other: "offerer_id" | "answerer_id") => sql`
    select id as call_id, ${sql.ref(other)} as id, connected_at as at, ended_at from calls
    where ${sql.ref(mine)} = ${userId} and ${onlyId === null ? sql`true` : sql`${sql.ref(other)} = ${onlyId}`}
      and matched_at >= ${since}::timestamptz - interval '1 minute' and connected_at >= ${since}
      and ${isCallSince("id", since)}`;
  const { rows } = await sql<RecentRow>`
    select
      listed.id, ${microseconds(sql`listed.at`)} as "atUs", listed.call_id as "callId",
      greatest(0, floor(extract(epoch from coalesce(listed.ended_at, ${now}) - listed.at)))::integer as seconds,
      ${wished(sql`${userId}`, sql`listed.id`)} as "iAsked",
      ${wished(sql`listed.id`, sql`${userId}`)} as "otherAsked",
      (
        select ${microseconds(sql`until`)} from aparts
        where user_id = ${userId} and other_id = listed.id and until > ${now}
      ) as "apartUntilUs",
      (
        select word from kind_words
        where user_id = listed.id and other_id = ${userId} and ${isDelivered(now)}
      ) as word
    from (
      select distinct on (met.id) met.* from (
        ${callsAs("offerer_id", "answerer_id")} union all ${callsAs("answerer_id", "offerer_id")}
        union all select * from unnest(
          ${unwritten.map(({ id }) => id)}::text[], ${unwritten.map(({ otherId }) => String(otherId))}::bigint[],
          ${unwritten.map(({ connectedAtMs }) => timeOf(connectedAtMs))}::timestamptz[],
          ${unwritten.map(({ endedAtMs }) => timeOf(endedAtMs))}::timestamptz[]
        )
      ) as met
      order by met.id, met.at desc
    ) as listed
    join users as person on person.id = listed.id and person.deleted_at is null
    where ${isAfter(after)} and ${notBlocked(sql`${userId}`, sql`listed.id`)}
    order by listed.at desc, listed.id
    limit ${listPageRows + 1}`.execute(db);
  return rows;
}

function timeOf(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}

function microseconds(at: RawBuilder<unknown>): RawBuilder<bigint> {
  return sql<bigint>`(extract(epoch from ${at}) * 1000000)::bigint`;
}

/** Rows after the cursor. Equal times are in the order of ids, so that no row is skipped or repeated. */
function isAfter({ atUs, id }: Cursor): RawBuilder<boolean> {
  const at = sql`(timestamptz 'epoch' + ${String(atUs)}::bigint * interval '1 microsecond')`;
  return sql<boolean>`listed.at <= ${at} and (listed.at < ${at} or listed.id > ${id})`;
}

/** The last row of a page: its time in microseconds since the epoch, and its user. */
export interface Cursor {
  readonly atUs: bigint;
  readonly id: bigint;
}

export const firstCursor: Cursor = { atUs: 9_000_000_000_000_000n, id: 0n };

export function writeCursor({ atUs, id }: Cursor): string {
  return Buffer.from(`${atUs}.${id}`).toString("base64url");
}

/** @throws EndpointError 400 for anything that `writeCursor` did not make. */
export function readCursor(text: string | undefined): Cursor {
  if (text === undefined) return firstCursor;
  const parts = /^(\d{1,16})\.(\d{1,18})$/.exec(Buffer.from(text, "base64url").toString("latin1"));
  if (!parts?.[1] || !parts[2]) throw badInput("invalid cursor", "cursor");
  return { atUs: BigInt(parts[1]), id: BigInt(parts[2]) };
}
