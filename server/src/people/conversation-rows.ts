import { type RawBuilder, sql } from "kysely";
import { listPageRows } from "@fava/wire/limits.ts";
import type { Conversation, Message } from "@fava/wire/messages.ts";
import type { Person } from "@fava/wire/people.ts";
import { prepared } from "#db/prepared.ts";
import { areFriends, isHidden } from "./directory-store.ts";
import {
  type Db,
  latestCallSeconds,
  type ConversationStanding,
  standingOf,
  stateOf,
  type StoredMessage,
} from "./message-store.ts";
import { avatarAddress } from "./session-service.ts";

/** So many waiting requests are counted; nobody needs to know how many more there are. */
const requestsCountedMax = 100;
/** Larger than any id: the first page. */
export const fromNewest = 9_223_372_036_854_775_807n;

/** A conversation as one side has it, with its last message. */
export interface SideRow extends StoredMessage {
  user_id: bigint;
  other_id: bigint;
  unread_count: number;
  requested_by: bigint | null;
  accepted: boolean;
  /** Null where the other has no side. */
  other_read_up_to: bigint | null;
  /** Of the one whose side it is. */
  own_avatar_key: string;
  own_language: string;
}

const me = sql.ref("side.user_id");
const other = sql.ref("side.other_id");
/** Friends have no requests between them, whatever was written before. */
const isRequest = sql<boolean>`(side.request and not ${areFriends(me, other)})`;
const isShown = sql<boolean>`(case when side.declined or ${isHidden(me, other)} then false else true end)`;

const columns = sql`
  side.user_id, side.other_id, side.unread_count, conversation.requested_by, conversation.accepted,
  other_side.read_up_to as other_read_up_to, owner.avatar_key as own_avatar_key, owner.language as own_language,
  message.id, message.conversation_id, message.sender_id, message.client_id, message.kind, message.text, message.sent_at`;

const joined = sql`
  join conversations as conversation on conversation.id = side.conversation_id
  join messages as message on message.id = side.last_message_id
  join users as owner on owner.id = side.user_id
  left join conversation_sides as other_side
    on other_side.user_id = side.other_id and other_side.other_id = side.user_id`;

function totalOf(userId: bigint): RawBuilder<number> {
  return sql<number>`(
    select coalesce(sum(side.unread_count), 0)::integer
    from conversation_sides as side
    where side.user_id = ${userId} and side.unread_count > 0 and ${isShown} and not ${isRequest}
  )`;
}

/** Also of a conversation that is hidden or declined; null where nothing was written. */
export async function sideRow(db: Db, userId: bigint, otherId: bigint): Promise<SideRow | null> {
  const { rows } = await sql<SideRow>`
    ${prepared("side")} select ${columns} from conversation_sides as side ${joined} where side.user_id = ${userId} and side.other_id = ${otherId}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The same with the total of unread messages at the same moment. */
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

/**
 * One more than a page, newest first. Reads no more rows than it shows, but for what is hidden among them: the page is
 * cut before anything is joined, or the database would walk back through the messages of everybody.
 */
export async function sideRows(
  db: Db,
  { userId, box, before }: { userId: bigint; box: 0 | 1; before: bigint },
): Promise<SideRow[]> {
  // The first term of the box of requests is that of its index.
  const inBox = box === 1 ? sql`side.request and ${isRequest}` : sql`not ${isRequest}`;
  const { rows } = await sql<SideRow>`
    ${prepared(box === 1 ? "request_rows" : "side_rows")} select ${columns}
    from (
      select * from conversation_sides as side
      where side.user_id = ${userId} and side.last_message_id < ${before} and ${inBox} and ${isShown}
      order by side.last_message_id desc
      limit ${listPageRows + 1}
    ) as side ${joined}
    order by side.last_message_id desc`.execute(db);
  return rows;
}

/** One more than a page, newest first. */
export async function messageRows(db: Db, conversationId: bigint, before: bigint): Promise<StoredMessage[]> {
  return db
    .selectFrom("messages")
    .selectAll()
    .where("conversation_id", "=", conversationId)
    .where("id", "<", before)
    .orderBy("id", "desc")
    .limit(listPageRows + 1)
    .execute();
}

export async function unreadTotal(db: Db, userId: bigint): Promise<number> {
  const { rows } = await sql<{ total: number }>`${prepared("unread_total")} select ${totalOf(userId)} as total`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

/** Requests that wait for an answer: how many, and who wrote last. */
export async function waitingRequests(db: Db, userId: bigint): Promise<{ count: number; latest_nick: string | null }> {
  const { rows } = await sql<{ count: number; latest_nick: string | null }>`
    ${prepared("waiting_requests")} select count(*)::integer as count, (array_agg(nickname order by last_message_id desc))[1] as latest_nick
    from (
      select users.nickname, side.last_message_id
      from conversation_sides as side join users on users.id = side.other_id
      where side.user_id = ${userId} and side.request and ${isRequest} and ${isShown}
      order by side.last_message_id desc
      limit ${requestsCountedMax}
    ) as waiting`.execute(db);
  return rows[0] ?? { count: 0, latest_nick: null };
}

/** What decides whether the two may write where nothing was written yet, or whatever was. */
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

/** A stored message as one side sees it; `other` as that side sees the other. */
export function messageView(row: StoredMessage, side: { ownAvatarKey: string; other: Person }): Message {
  const { ownAvatarKey, other } = side;
  const isOwn = row.sender_id !== BigInt(other.user_id);
  return {
    id: String(row.id),
    clientId: row.client_id,
    conversationID: String(row.conversation_id),
    msgType: row.kind === "met" ? "met" : "text",
    text: row.text,
    avatar: isOwn ? avatarAddress(ownAvatarKey) : other.avatar,
    time: row.sent_at.getTime(),
    position: isOwn ? "right" : "left",
  };
}

/** A conversation as this side's list shows it. */
export function conversationView(row: SideRow, other: Person): Conversation {
  const friends = other.followStatus === 2;
  const readUpTo = row.other_read_up_to ?? 0n;
  return {
    ...entryOf(other, { friends, met: false, standing: standingOf(row.user_id, row) }),
    conversationID: String(row.conversation_id),
    lastMessage: messageView(row, { ownAvatarKey: row.own_avatar_key, other }),
    unreadCount: row.unread_count,
    read_up_to: friends && readUpTo > 0n ? String(readUpTo) : null,
  };
}

/** The entry of somebody to whom nothing was written yet. */
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
