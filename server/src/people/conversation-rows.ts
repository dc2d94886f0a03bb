import { avatarAddress } from "#lib/avatar-address.ts";
import { type RawBuilder, sql } from "kysely";
import { listPageRows } from "@fava/wire/limits.ts";
import { type Conversation, coverMask, type Message } from "@fava/wire/messages.ts";
import type { FollowStatus, LikeStatus, Person, Sex } from "@fava/wire/people.ts";
import { prepared } from "#db/prepared.ts";
import { areFriends, type CardRow, isHidden, hasRelation } from "./directory-store.ts";
import {
  type Db,
  latestCallSeconds,
  type ConversationStanding,
  standingOf,
  stateOf,
  type StoredMessage,
} from "./message-store.ts";

const requestsCountedMax = 100;
/** More than any message id, so that it selects the first page. */
export const fromNewest = 9_223_372_036_854_775_807n;

export interface SideRow extends StoredMessage {
  user_id: bigint;
  other_id: bigint;
  unread_count: number;
  requested_by: bigint | null;
  accepted: boolean;
  /** Null if the other user's side of the conversation is missing. */
  other_read_up_to: bigint | null;
  /** Avatar of the side's owner, whose language follows. */
  own_avatar_key: string;
  own_language: string;
}

export interface OtherColumns {
  other_id: bigint;
  external_id: string;
  nickname: string;
  avatar_key: string;
  sex: Sex;
  country_id: number;
  follow_status: FollowStatus;
  like_status: LikeStatus;
}

const me = sql.ref("side.user_id");
const other = sql.ref("side.other_id");
/** Between friends nothing is a request, even if one was sent before. */
const isRequest = sql<boolean>`(side.request and not ${areFriends(me, other)})`;
const isShown = sql<boolean>`(case when side.declined or ${isHidden(me, other)} then false else true end)`;

const columns = sql`
  side.user_id, side.other_id, side.unread_count, conversation.requested_by, conversation.accepted,
  other_side.read_up_to as other_read_up_to, owner.avatar_key as own_avatar_key, owner.language as own_language,
  message.id, message.conversation_id, message.sender_id, message.client_id, message.kind, message.text, message.cover,
  message.sent_at, message.reaction`;

const joined = sql`
  join conversations as conversation on conversation.id = side.conversation_id
  join messages as message on message.id = side.last_message_id
  join users as owner on owner.id = side.user_id
  left join conversation_sides as other_side
    on other_side.user_id = side.other_id and other_side.other_id = side.user_id`;

const otherColumns = sql`
  person.external_id, person.nickname, person.avatar_key, person.sex, person.country_id,
  case
    when not ${hasRelation("follows", me, other)} then 0 when ${hasRelation("follows", other, me)} then 2 else 1
  end as follow_status,
  case when ${hasRelation("likes", me, other)} then 1 else 0 end as like_status`;

function totalOf(userId: bigint): RawBuilder<number> {
  return sql<number>`(
    select coalesce(sum(side.unread_count), 0)::integer
    from conversation_sides as side
    where side.user_id = ${userId} and side.unread_count > 0 and ${isShown} and not ${isRequest}
  )`;
}

/** A user's side of a conversation, also a hidden or declined one; null without messages. */
export async function sideRow(db: Db, userId: bigint, otherId: bigint): Promise<SideRow | null> {
  const { rows } = await sql<SideRow>`
    ${prepared("side")} select ${columns} from conversation_sides as side ${joined} where side.user_id = ${userId} and side.other_id = ${otherId}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** `sideRow` with the total of unread messages, in one snapshot. */
export async function sideRowWithTotal(
  db: Db,
  userId: bigint,
  otherId: bigint,
): Promise<(SideRow & { unread_total: number }) | null> {
  const { rows } = await sql<SideRow & { unread_total: number }>`
    ${prepared("side_with_total")} select ${columns}, ${totalOf(userId)} as unread_total
    from conversation_sides as side ${joined} where side.user_id = ${userId} and side.other_id = ${otherId}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** One row more than a page. The subquery limits the rows before the joins, which would read all messages. */
export async function sideRows(
  db: Db,
  { userId, list, before }: { userId: bigint; list: 0 | 1; before: bigint },
): Promise<(SideRow & OtherColumns)[]> {
  // `side.request` alone would do, but this repeats the condition of the index on requests.
  const inList = list === 1 ? sql`side.request and ${isRequest}` : sql`not ${isRequest}`;
  const { rows } = await sql<SideRow & OtherColumns>`
    ${prepared(list === 1 ? "request_rows" : "side_rows")} select ${columns}, ${otherColumns}
    from (
      select * from conversation_sides as side
      where side.user_id = ${userId} and side.last_message_id < ${before} and ${inList} and ${isShown}
      order by side.last_message_id desc
      limit ${listPageRows + 1}
    ) as side ${joined}
    join users as person on person.id = side.other_id
    order by side.last_message_id desc`.execute(db);
  return rows;
}

/** Returns one row more than a page, newest first. */
export async function messageRows(db: Db, conversationId: bigint, before: bigint): Promise<StoredMessage[]> {
  const { rows } = await sql<StoredMessage>`
    ${prepared("message_rows")} select id, conversation_id, sender_id, client_id, kind, text, cover, sent_at, reaction from messages
    where conversation_id = ${conversationId} and id < ${before}
    order by id desc
    limit ${listPageRows + 1}`.execute(db);
  return rows;
}

export async function unreadTotal(db: Db, userId: bigint): Promise<number> {
  const { rows } = await sql<{ total: number }>`${prepared("unread_total")} select ${totalOf(userId)} as total`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

export interface ListHead {
  unread_total: number;
  requests: number;
  /** Nickname of the user who made the latest request; null without requests. */
  latest_nick: string | null;
  since: Date;
}

export async function listHead(db: Db, userId: bigint): Promise<ListHead> {
  const { rows } = await sql<ListHead>`
    ${prepared("list_head")} select
      ${totalOf(userId)} as unread_total, waiting.requests, waiting.latest_nick, owner.created_at as since
    from users as owner
    cross join (
      select count(*)::integer as requests, (array_agg(nickname order by last_message_id desc))[1] as latest_nick
      from (
        select users.nickname, side.last_message_id
        from conversation_sides as side join users on users.id = side.other_id
        where side.user_id = ${userId} and side.request and ${isRequest} and ${isShown}
        order by side.last_message_id desc
        limit ${requestsCountedMax}
      ) as request
    ) as waiting
    where owner.id = ${userId}`.execute(db);
  const [head] = rows;
  if (!head) throw new Error("no account for this list");
  return head;
}

export async function pairFacts(
  db: Db,
  pair: { userId: bigint; otherId: bigint; metSince: Date; now: Date },
): Promise<{
  hidden: boolean;
  friends: boolean;
  met: boolean;
  conversation_id: bigint | null;
  requested_by: bigint | null;
  accepted: boolean | null;
}> {
  const { userId, otherId, metSince, now } = pair;
  const [low, high] = userId < otherId ? [userId, otherId] : [otherId, userId];
  const { rows } = await sql<Awaited<ReturnType<typeof pairFacts>>>`
    select
      ${isHidden(userId, otherId)} as hidden,
      ${areFriends(userId, otherId)} as friends,
      ${latestCallSeconds({ one: userId, other: otherId, since: metSince, now })} is not null as met,
      conversation.id as conversation_id, conversation.requested_by, conversation.accepted
    from (select) as always
    left join conversations as conversation on conversation.low_id = ${low} and conversation.high_id = ${high}`.execute(
    db,
  );
  return rows[0]!;
}

export function cardOf(row: OtherColumns): CardRow {
  const { external_id, nickname, avatar_key, sex, country_id } = row;
  const [followStatus, likeStatus] = [row.follow_status, row.like_status];
  return { id: row.other_id, external_id, nickname, avatar_key, sex, country_id, followStatus, likeStatus };
}

/** A stored message as the side `own` sees it; `other`: the other user, as that side sees them. */
export function messageView(
  row: StoredMessage,
  { own, other }: { own: Pick<SideRow, "own_avatar_key">; other: Person },
): Message {
  const isOwn = row.sender_id !== BigInt(other.user_id);
  const text = isOwn || row.cover === null ? row.text : coverMask;
  return {
    id: String(row.id),
    clientId: row.client_id,
    conversationID: String(row.conversation_id),
    msgType: row.kind,
    text,
    ...(row.cover !== null && { cover: { kind: row.cover, text: row.text } }),
    avatar: isOwn ? avatarAddress(own.own_avatar_key) : other.avatar,
    time: row.sent_at.getTime(),
    position: isOwn ? "right" : "left",
    ...(row.reaction !== null && { reaction: row.reaction }),
  };
}

export function conversationView(row: SideRow, other: Person): Conversation {
  const friends = other.followStatus === 2;
  const readUpTo = row.other_read_up_to ?? 0n;
  return {
    ...entryOf(other, { friends, met: false, standing: standingOf(row.user_id, row) }),
    conversationID: String(row.conversation_id),
    lastMessage: messageView(row, { own: row, other }),
    unreadCount: row.unread_count,
    read_up_to: friends && readUpTo > 0n ? String(readUpTo) : null,
  };
}

export function emptyConversation(other: Person, met: boolean): Conversation {
  return entryOf(other, { friends: other.followStatus === 2, met, standing: null });
}

function entryOf(
  other: Person,
  pair: { friends: boolean; met: boolean; standing: ConversationStanding | null },
): Conversation {
  return {
    conversationID: "",
    lastMessage: null,
    unreadCount: 0,
    userProfile: { nick: other.nickname, avatar: other.avatar, userID: other.externalId },
    externalId: other.externalId,
    userId: other.user_id,
    followStatus: other.followStatus,
    likeStatus: other.likeStatus,
    isContact: pair.friends,
    country_name: other.country_name,
    country_flag: other.country_flag,
    presence: other.presence,
    state: stateOf(pair),
    read_up_to: null,
  };
}
