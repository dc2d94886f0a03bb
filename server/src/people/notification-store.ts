import { type Kysely, type RawBuilder, sql } from "kysely";
import { pushFailuresMax, pushKeptMs, pushSubscriptionsMax } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { areFriends, isHidden } from "./directory-store.ts";

type Db = Kysely<Database>;

export interface SubscriptionChoice {
  readonly kinds: number[];
  readonly names: boolean;
  readonly quiet: boolean;
  readonly offset_min: number;
}

const choice = ["kinds", "names", "quiet", "offset_min"] as const;

export function choiceOf(db: Db, userId: bigint, endpointHash: string): Promise<SubscriptionChoice | undefined> {
  return db
    .selectFrom("push_subscriptions")
    .select(choice)
    .where("user_id", "=", userId)
    .where("endpoint_hash", "=", endpointHash)
    .executeTakeFirst();
}

interface NewSubscription extends SubscriptionChoice {
  readonly user_id: bigint;
  readonly session_id: string;
  readonly endpoint_hash: string;
  readonly sealed: Buffer;
}

/**
 * Stores a browser for the user who signed in with it last. Above `pushSubscriptionsMax`, the user's least recently used
 * browser is removed.
 */
export async function storeSubscription(db: Db, subscription: NewSubscription, at: Date): Promise<void> {
  const { endpoint_hash, ...rest } = subscription;
  const { user_id } = rest;
  const changed = { ...rest, failures: 0, used_at: at };
  await db.transaction().execute(async (trx) => {
    // Without this lock, two concurrent transactions would not count each other's row towards the limit.
    await trx.selectFrom("users").select("id").where("id", "=", user_id).forNoKeyUpdate().execute();
    await trx
      .insertInto("push_subscriptions")
      .values({ ...changed, endpoint_hash, created_at: at })
      .onConflict((conflict) => conflict.column("endpoint_hash").doUpdateSet(changed))
      .execute();
    const kept = trx
      .selectFrom("push_subscriptions")
      .select("id")
      .where("user_id", "=", user_id)
      .orderBy("used_at", "desc")
      .orderBy("id", "desc")
      .limit(pushSubscriptionsMax);
    await trx.deleteFrom("push_subscriptions").where("user_id", "=", user_id).where("id", "not in", kept).execute();
  });
}

export async function removeSubscription(db: Db, userId: bigint, endpointHash: string): Promise<void> {
  await db
    .deleteFrom("push_subscriptions")
    .where("user_id", "=", userId)
    .where("endpoint_hash", "=", endpointHash)
    .execute();
}

export async function removeSubscriptions(db: Db, of: { userId: bigint; sessionId?: string }): Promise<void> {
  let removal = db.deleteFrom("push_subscriptions").where("user_id", "=", of.userId);
  if (of.sessionId !== undefined) removal = removal.where("session_id", "=", of.sessionId);
  await removal.execute();
}

/** SQL: the session signed out, or the user is banned or deleted. Also true before the clean-up deletes the row. */
export function isOver(at: Date): RawBuilder<boolean> {
  return sql<boolean>`(
  users.deleted_at is not null
  or exists (
    select from sessions
    where sessions.id = push_subscriptions.session_id and sessions.end_reason in ('signed_out', 'banned', 'deleted')
  )
  or exists (
    select from bans
    where bans.user_id = users.id and bans.ended_early_at is null and (bans.until is null or bans.until > ${at})
  )
)`;
}

/** Deletes subscriptions that have ended or were unused for too long (rule NOTIFY-6). */
export async function deleteExpiredSubscriptions(db: Db, nowMs: number): Promise<void> {
  const before = new Date(nowMs - pushKeptMs);
  await sql`
    delete from push_subscriptions using users
    where users.id = push_subscriptions.user_id
      and (push_subscriptions.used_at < ${before} or ${isOver(new Date(nowMs))})`.execute(db);
  await db.deleteFrom("message_notifications").where("at", "<", before).execute();
}

export interface SubscribedBrowser extends Pick<SubscriptionChoice, "quiet" | "offset_min"> {
  id: bigint;
  endpoint_hash: string;
  sealed: Buffer;
  language: string;
  external_id: string;
}

export async function browsersOf(
  db: Db,
  { userId, kind, at }: { userId: bigint; kind: number; at: Date },
): Promise<SubscribedBrowser[]> {
  const { rows } = await sql<SubscribedBrowser>`
    select push_subscriptions.id, endpoint_hash, sealed, quiet, offset_min, users.language, users.external_id
    from push_subscriptions
    join users on users.id = push_subscriptions.user_id
    where push_subscriptions.user_id = ${userId} and ${kind} = any (kinds) and not ${isOver(at)}`.execute(db);
  return rows;
}

export interface BrowserWithFriend extends SubscribedBrowser, Pick<SubscriptionChoice, "names"> {
  nickname: string;
  friend_external_id: string;
}

interface AboutFriend {
  readonly userId: bigint;
  readonly from: bigint;
  readonly kind: number;
  readonly at: Date;
}

export function browsersForRing(db: Db, about: AboutFriend): Promise<BrowserWithFriend[]> {
  return browsersAboutFriend(db, about, sql<boolean>`true`);
}

/** Browsers for a friend's message. None while the user has not read an earlier message that notified them. */
export function browsersForMessage(db: Db, about: AboutFriend): Promise<BrowserWithFriend[]> {
  const { userId, from } = about;
  const isUnclaimed = sql<boolean>`not exists (
    select from message_notifications as told
    join conversation_sides as side on side.user_id = told.user_id and side.other_id = told.other_id
    where told.user_id = ${userId} and told.other_id = ${from} and told.message_id > side.read_up_to
  )`;
  return browsersAboutFriend(db, about, isUnclaimed);
}

interface BrowserForRematch extends BrowserWithFriend {
  /** Seconds until the first of the two requests expires. */
  left_seconds: number;
}

/** Browsers for a mutual rematch request. None once the user was notified, or a request expired or was withdrawn. */
export async function browsersForRematch(
  db: Db,
  { since, ...about }: AboutFriend & { since: Date },
): Promise<BrowserForRematch[]> {
  const [found, wishes] = await Promise.all([
    browsersAbout(db, about, sql<boolean>`true`),
    sql<{ left_seconds: number }>`
      select floor(extract(epoch from least(mine.at, theirs.at) - ${since}))::integer as left_seconds
      from meet_wishes as mine
      join meet_wishes as theirs on theirs.user_id = mine.other_id and theirs.other_id = mine.user_id
      where mine.user_id = ${about.userId} and mine.other_id = ${about.from} and not mine.told`.execute(db),
  ]);
  const [left] = wishes.rows;
  return left && left.left_seconds > 0 ? found.map((browser) => ({ ...browser, ...left })) : [];
}

/** Claims the notification of a mutual rematch request. False if it was sent before, or a request is gone. */
export async function claimRematch(
  db: Db,
  { userId, from, since }: Pick<AboutFriend, "userId" | "from"> & { since: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update meet_wishes as mine set told = true
    where user_id = ${userId} and other_id = ${from} and not told and at >= ${since}
      and exists (select from meet_wishes where user_id = ${from} and other_id = ${userId} and at >= ${since})
      and not ${isHidden(userId, from)}
    returning user_id`.execute(db);
  return rows.length > 0;
}

/** Releases the claim if no browser was reached. */
export async function releaseRematch(db: Db, { userId, from }: Pick<AboutFriend, "userId" | "from">): Promise<void> {
  await db
    .updateTable("meet_wishes")
    .set({ told: false })
    .where("user_id", "=", userId)
    .where("other_id", "=", from)
    .execute();
}

/** None if the two are not friends or are hidden from each other. */
function browsersAboutFriend(db: Db, about: AboutFriend, condition: RawBuilder<boolean>): Promise<BrowserWithFriend[]> {
  return browsersAbout(db, about, sql<boolean>`${areFriends(about.userId, about.from)} and ${condition}`);
}

/** None if the two are hidden from each other. */
async function browsersAbout(
  db: Db,
  { userId, from, kind, at }: AboutFriend,
  condition: RawBuilder<boolean>,
): Promise<BrowserWithFriend[]> {
  const { rows } = await sql<BrowserWithFriend>`
    select push_subscriptions.id, endpoint_hash, sealed, names, quiet, offset_min,
      users.language, users.external_id, friend.nickname, friend.external_id as friend_external_id
    from push_subscriptions
    join users on users.id = push_subscriptions.user_id
    join users as friend on friend.id = ${from}
    where push_subscriptions.user_id = ${userId} and ${kind} = any (kinds) and not ${isOver(at)}
      and not ${isHidden(userId, from)} and ${condition}`.execute(db);
  return rows;
}

/** Claims the notification of a conversation. False if an unread message claimed it before. */
export async function claimMessage(
  db: Db,
  { userId, from, messageId, at }: { userId: bigint; from: bigint; messageId: bigint; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into message_notifications (user_id, other_id, message_id, at)
    values (${userId}, ${from}, ${messageId}, ${at})
    on conflict (user_id, other_id) do update set message_id = excluded.message_id, at = excluded.at
    where message_notifications.message_id <= (
      select read_up_to from conversation_sides where user_id = ${userId} and other_id = ${from}
    )
    returning user_id`.execute(db);
  return rows.length > 0;
}

/** Releases the claim if no browser was reached, unless a later message has claimed it. */
export async function releaseMessage(
  db: Db,
  { userId, from, messageId }: { userId: bigint; from: bigint; messageId: bigint },
): Promise<void> {
  await db
    .deleteFrom("message_notifications")
    .where("user_id", "=", userId)
    .where("other_id", "=", from)
    .where("message_id", "=", messageId)
    .execute();
}

/** Records an outcome. Deletes the browser after too many failures in a row. */
export async function noteOutcome(db: Db, id: bigint, outcome: "sent" | "gone" | "failed"): Promise<void> {
  if (outcome === "gone") {
    await db.deleteFrom("push_subscriptions").where("id", "=", id).execute();
  } else if (outcome === "sent") {
    await db
      .updateTable("push_subscriptions")
      .set({ failures: 0 })
      .where("id", "=", id)
      .where("failures", ">", 0)
      .execute();
  } else {
    await db
      .updateTable("push_subscriptions")
      .set(({ eb }) => ({ failures: eb("failures", "+", 1) }))
      .where("id", "=", id)
      .execute();
    await db.deleteFrom("push_subscriptions").where("id", "=", id).where("failures", ">=", pushFailuresMax).execute();
  }
}
