import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import { prepared } from "#db/prepared.ts";
import type { Database } from "#db/schema.ts";
import { pairKey } from "#lines.ts";

export type Db = Kysely<Database>;
export type Writer = Transaction<Database>;
type Id = RawBuilder<unknown> | bigint;

/*
 * Each of these is a look into an index. As `exists` the database could as well read a whole table into a hash first,
 * and did; as `is null` it took them to be true of nobody, and planned for an empty list: 670 ms for one of 10,000.
 */

/** Both follow each other. */
export function areFriends(one: Id, other: Id): RawBuilder<boolean> {
  return sql<boolean>`(${isThere("follows", one, other)} and ${isThere("follows", other, one)})`;
}

/** The other deleted the account, or either has blocked the other. */
export function isHidden(one: Id, other: Id): RawBuilder<boolean> {
  return sql<boolean>`(
    coalesce((select deleted_at is not null from users where id = ${other}), true)
    or ${isThere("blocks", one, other)} or ${isThere("blocks", other, one)}
  )`;
}

function isThere(table: "follows" | "blocks", userId: Id, otherId: Id): RawBuilder<boolean> {
  return sql<boolean>`coalesce(
    (select true from ${sql.table(table)} where user_id = ${userId} and other_id = ${otherId}), false
  )`;
}

/** Whole seconds of the newest call of the two in which they saw each other at `since` or later; null for none. */
export function latestCallSeconds(pair: { one: bigint; other: bigint; since: Date; now: Date }): RawBuilder<number> {
  const { one, other, since, now } = pair;
  return sql<number>`(
    select greatest(0, floor(extract(epoch from coalesce(ended_at, ${now}::timestamptz) - connected_at)))::integer
    from calls
    where (offerer_id, answerer_id) in ((${one}::bigint, ${other}::bigint), (${other}::bigint, ${one}::bigint))
      and matched_at >= ${since}::timestamptz - interval '1 minute' and connected_at >= ${since}
    order by matched_at desc
    limit 1
  )`;
}

/**
 * Everything that changes a conversation of the two comes one after the other, in every process, whether its row exists
 * already or not: ids grow in the order of commits, and counters are counted over what is really there.
 */
export async function lockPair(trx: Writer, one: bigint, other: bigint): Promise<void> {
  await sql`${prepared("lock_conversation")} select pg_advisory_xact_lock(hashtextextended(${`conversation ${pairKey(one, other)}`}, 0))`.execute(
    trx,
  );
}
