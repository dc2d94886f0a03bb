import { type Kysely, type RawBuilder, sql } from "kysely";
import { pushFailuresMax, pushKeptMs, pushSubscriptionsMax } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { areFriends, isHidden } from "./directory-store.ts";

type Db = Kysely<Database>;

/** What a browser is told, and how. */
export interface SubscriptionChoice {
  readonly kinds: number[];
  readonly names: boolean;
  readonly quiet: boolean;
  readonly offset_min: number;
}

const choice = ["kinds", "names", "quiet", "offset_min"] as const;

/** What the person's browser behind this address is told. */
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

/** A browser is one person's: whoever signed in with it last has it. The person's oldest makes room for it. */
export async function storeSubscription(db: Db, subscription: NewSubscription, at: Date): Promise<void> {
  const { endpoint_hash, ...rest } = subscription;
  const { user_id } = rest;
  const changed = { ...rest, failures: 0, used_at: at };
  await db.transaction().execute(async (trx) => {
    // Two at once would each count the others alone.
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

/** Those of the browser that signed out, or all of the person's. */
export async function removeSubscriptions(db: Db, of: { userId: bigint; sessionId?: string }): Promise<void> {
  let removal = db.deleteFrom("push_subscriptions").where("user_id", "=", of.userId);
  if (of.sessionId !== undefined) removal = removal.where("session_id", "=", of.sessionId);
  await removal.execute();
}

/** Signed out of with it, banned or deleted since: whatever the clean-up after that has come to. */
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

/** Forgets what is over, and the browsers with which nobody was here for too long (rule NOTIFY-6). */
export async function forgetSubscriptions(db: Db, nowMs: number): Promise<void> {
  const before = new Date(nowMs - pushKeptMs);
  await sql`
    delete from push_subscriptions using users
    where users.id = push_subscriptions.user_id
      and (push_subscriptions.used_at < ${before} or ${isOver(new Date(nowMs))})`.execute(db);
  await db.deleteFrom("message_notifications").where("at", "<", before).execute();
}

/** A browser that may be told of something. */
export interface ToldBrowser extends Pick<SubscriptionChoice, "quiet" | "offset_min"> {
  id: bigint;
  endpoint_hash: string;
  sealed: Buffer;
  /** Of the person who is told. */
  language: string;
  external_id: string;
}

/** Where the person wants to hear of this kind. */
export async function browsersOf(
  db: Db,
  { userId, kind, at }: { userId: bigint; kind: number; at: Date },
): Promise<ToldBrowser[]> {
  const { rows } = await sql<ToldBrowser>`
    select push_subscriptions.id, endpoint_hash, sealed, quiet, offset_min, users.language, users.external_id
    from push_subscriptions
    join users on users.id = push_subscriptions.user_id
    where push_subscriptions.user_id = ${userId} and ${kind} = any (kinds) and not ${isOver(at)}`.execute(db);
  return rows;
}

/** A browser that may be told of a friend. */
export interface ToldOfFriend extends ToldBrowser, Pick<SubscriptionChoice, "names"> {
  /** Of the friend. */
  nickname: string;
  friend_external_id: string;
}

interface AboutFriend {
  readonly userId: bigint;
  /** Who wrote or rings. */
  readonly from: bigint;
  readonly kind: number;
  readonly at: Date;
}

/** Where the person wants to hear of the friend who rings. */
export function browsersForRing(db: Db, about: AboutFriend): Promise<ToldOfFriend[]> {
  return browsersAboutFriend(db, about, sql<boolean>`true`);
}

/** Where the person wants to hear of the friend's message; nowhere once they were told of one that they have not read. */
export function browsersForMessage(db: Db, about: AboutFriend): Promise<ToldOfFriend[]> {
  const { userId, from } = about;
  const isNews = sql<boolean>`not exists (
    select from message_notifications as told
    join conversation_sides as side on side.user_id = told.user_id and side.other_id = told.other_id
    where told.user_id = ${userId} and told.other_id = ${from} and told.message_id > side.read_up_to
  )`;
  return browsersAboutFriend(db, about, isNews);
}

/** Nowhere once the two are no friends any more, or hidden from each other. */
async function browsersAboutFriend(
  db: Db,
  { userId, from, kind, at }: AboutFriend,
  isTold: RawBuilder<boolean>,
): Promise<ToldOfFriend[]> {
  const { rows } = await sql<ToldOfFriend>`
    select push_subscriptions.id, endpoint_hash, sealed, names, quiet, offset_min,
      users.language, users.external_id, friend.nickname, friend.external_id as friend_external_id
    from push_subscriptions
    join users on users.id = push_subscriptions.user_id
    join users as friend on friend.id = ${from}
    where push_subscriptions.user_id = ${userId} and ${kind} = any (kinds) and not ${isOver(at)}
      and ${areFriends(userId, from)} and not ${isHidden(userId, from)} and ${isTold}`.execute(db);
  return rows;
}

/** Whether nobody else has told the person of this conversation meanwhile; from then on somebody has. */
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

/** No browser was told of it: of the next one the person is told. What was claimed since stays. */
export async function giveBackMessage(
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

/** What became of a message to it; the last of too many failures in a row is the end of it. */
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
