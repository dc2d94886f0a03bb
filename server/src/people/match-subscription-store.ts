import { type Kysely, type RawBuilder, sql } from "kysely";
import type { MatchFilters } from "@fava/wire/beans.ts";
import { matchSubscriptionTtlMs } from "@fava/wire/limits.ts";
import { quietHours } from "@fava/wire/notifications.ts";
import type { Database } from "#db/schema.ts";
import { isHidden } from "./directory-store.ts";
import { isOver } from "./notification-store.ts";

type Db = Kysely<Database>;

interface Filtered {
  readonly sex: 1 | 2;
  readonly countryId: number;
}

export interface NewMatchSubscription {
  readonly userId: bigint;
  readonly filters: MatchFilters;
  readonly own: Filtered;
}

export interface WaitingUser extends NewMatchSubscription {}

export interface FoundMatchSubscription {
  readonly userId: bigint;
  readonly sex: MatchFilters["sex"];
  readonly country: number;
  readonly createdAt: Date;
}

/** Replaces the user's previous subscription. Returns when the new one expires. */
export async function storeMatchSubscription(
  db: Db,
  { userId, filters, own }: NewMatchSubscription,
  atMs: number,
): Promise<Date> {
  const until = new Date(atMs + matchSubscriptionTtlMs);
  const row = {
    sex: filters.sex,
    country_id: filters.country,
    own_sex: own.sex,
    own_country_id: own.countryId,
    created_at: new Date(atMs),
    until,
  };
  await db
    .insertInto("match_subscriptions")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
  return until;
}

export async function readMatchSubscription(
  db: Db,
  userId: bigint,
  at: Date,
): Promise<(MatchFilters & { until: Date }) | null> {
  const found = db.selectFrom("match_subscriptions").select(["sex", "country_id as country", "until"]);
  const ofThem = found.where("user_id", "=", userId).where("until", ">", at);
  return (await ofThem.$castTo<MatchFilters & { until: Date }>().executeTakeFirst()) ?? null;
}

export async function removeMatchSubscription(db: Db, userId: bigint): Promise<void> {
  await db.deleteFrom("match_subscriptions").where("user_id", "=", userId).execute();
}

/**
 * Subscriptions whose filters fit the waiting user, and whose owners fit that user's filters and have a browser to
 * notify now; oldest first. `kind`: the browser wants notifications of this kind.
 */
export async function findMatchSubscriptions(
  db: Db,
  waiting: WaitingUser,
  { kind, at, limit }: { kind: number; at: Date; limit: number },
): Promise<FoundMatchSubscription[]> {
  const { userId, filters, own } = waiting;
  const sexes = filters.sex === 0 ? [1, 2] : [filters.sex];
  const { rows } = await sql<FoundMatchSubscription>`
    select match_subscriptions.user_id as "userId", match_subscriptions.sex, match_subscriptions.country_id as country,
      match_subscriptions.created_at as "createdAt"
    from match_subscriptions
    where own_sex = any (${sexes}) and match_subscriptions.sex in (0, ${own.sex})
      and (match_subscriptions.country_id <= 0 or match_subscriptions.country_id = ${own.countryId})
      and (${filters.country} <= 0 or own_country_id = ${filters.country})
      and until > ${at} and match_subscriptions.user_id <> ${userId}
      and not ${areBarred(sql`match_subscriptions.user_id`, sql`${userId}::bigint`, at)}
      and exists (
        select from push_subscriptions join users on users.id = push_subscriptions.user_id
        where push_subscriptions.user_id = match_subscriptions.user_id and ${kind} = any (kinds)
          and (not quiet or not ${isQuiet(at)}) and not ${isOver(at)}
      )
    order by match_subscriptions.created_at, match_subscriptions.user_id
    limit ${limit}`.execute(db);
  return rows;
}

/** Identifies one subscription. `createdAt` distinguishes it from later ones of the same user. */
type MatchSubscriptionKey = Pick<FoundMatchSubscription, "userId" | "createdAt">;

/**
 * Claims a subscription for a notification. It counts as expired until `releaseMatchSubscription` restores it. False if
 * it is claimed already or no longer applies.
 */
export async function claimMatchSubscription(
  db: Db,
  { userId, createdAt }: MatchSubscriptionKey,
  { waitingId, at }: { waitingId: bigint; at: Date },
): Promise<boolean> {
  // `until > created_at` rejects a second claim even by a server whose clock is behind.
  const { rows } = await sql`
    update match_subscriptions set until = created_at
    where user_id = ${userId} and created_at = ${createdAt} and until > ${at} and until > created_at
      and not ${areBarred(sql`${userId}::bigint`, sql`${waitingId}::bigint`, at)}
    returning user_id`.execute(db);
  return rows.length > 0;
}

export async function releaseMatchSubscription(db: Db, { userId, createdAt }: MatchSubscriptionKey): Promise<void> {
  const until = new Date(createdAt.getTime() + matchSubscriptionTtlMs);
  await db
    .updateTable("match_subscriptions")
    .set({ until })
    .where("user_id", "=", userId)
    .where("created_at", "=", createdAt)
    .execute();
}

export async function removeNotified(db: Db, { userId, createdAt }: MatchSubscriptionKey): Promise<void> {
  await db
    .deleteFrom("match_subscriptions")
    .where("user_id", "=", userId)
    .where("created_at", "=", createdAt)
    .execute();
}

export async function deleteExpiredMatchSubscriptions(db: Db, at: Date): Promise<void> {
  await db.deleteFrom("match_subscriptions").where("until", "<=", at).execute();
}

/** SQL: one of the two blocked or avoids the other, or the account of `other` is deleted. */
function areBarred(one: RawBuilder<unknown>, other: RawBuilder<unknown>, at: Date): RawBuilder<boolean> {
  return sql<boolean>`(
    ${isHidden(one, other)}
    or ${isApart(one, other, at)} or ${isApart(other, one, at)}
  )`;
}

function isApart(one: RawBuilder<unknown>, other: RawBuilder<unknown>, at: Date): RawBuilder<boolean> {
  return sql<boolean>`coalesce(
    (select true from aparts where user_id = ${one} and other_id = ${other} and aparts.until > ${at}), false
  )`;
}

/** SQL: quiet hours apply at the browser of the row in `push_subscriptions`. Computes as `secondsUntilQuiet`. */
function isQuiet(at: Date): RawBuilder<boolean> {
  const dayMinutes = 1_440;
  const ofDay = Math.floor(at.getTime() / 60_000) % dayMinutes;
  const there = sql`((${ofDay + dayMinutes}::integer + offset_min) % ${dayMinutes}::integer)`;
  return sql<boolean>`(${there} >= ${quietHours.fromMin} or ${there} < ${quietHours.toMin})`;
}
