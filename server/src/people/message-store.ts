import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { RefusedReason } from "@fava/wire/codes.ts";
import type { ConversationState, TextCover } from "@fava/wire/messages.ts";
import type { Reaction } from "@fava/wire/reactions.ts";
import { isCallSince } from "#db/call-days.ts";
import { prepared } from "#db/prepared.ts";
import type { Database } from "#db/schema.ts";
import { pairKey } from "#lib/keyed-mutex.ts";
import { areFriends, isHidden } from "./directory-store.ts";

const erasedAtOnce = 5_000;

export interface StoredMessage {
  id: bigint;
  conversation_id: bigint;
  sender_id: bigint;
  client_id: string;
  kind: "text" | "met" | "missed";
  text: string;
  /** Why the text may hurt; null without a cover. */
  cover: TextCover["kind"] | null;
  sent_at: Date;
  /** Of the reader. */
  reaction: Reaction | null;
}

/** Duration in whole seconds of the newest call since `since` in which the two saw each other; null for none. */
export async function latestCall(
  db: Db,
  pair: { one: bigint; other: bigint; since: Date; now: Date },
): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`select ${latestCallSeconds(pair)} as seconds`.execute(db);
  return rows[0]?.seconds ?? null;
}

export function messageById(db: Db, id: bigint): Promise<StoredMessage> {
  return db.selectFrom("messages").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/**
 * The text of a message that another user wrote to the reader; null if there is none that the reader may read, or if it
 * is covered or erased.
 */
export async function receivedText(
  db: Db,
  { readerId, messageId }: { readerId: bigint; messageId: bigint },
): Promise<string | null> {
  const { rows } = await sql<{ text: string }>`
    select message.text
    from messages as message
    join conversation_sides as side
      on side.conversation_id = message.conversation_id and side.user_id = ${readerId}
      and side.other_id = message.sender_id
    where message.id = ${messageId} and message.kind = 'text' and message.cover is null and message.text <> ''
      and not ${isHidden(sql.ref("side.user_id"), sql.ref("side.other_id"))}`.execute(db);
  return rows[0]?.text ?? null;
}

export function standingOf(
  me: bigint,
  row: { conversation_id: bigint | null; requested_by: bigint | null; accepted: boolean | null },
): ConversationStanding | null {
  if (row.conversation_id === null) return null;
  const requestedBy = row.requested_by === null ? null : row.requested_by === me ? "me" : "other";
  return { requestedBy, accepted: row.accepted === true };
}

/**
 * Moves the read mark, forward only.
 * @returns the mark; null if it did not move, `beyond` if the conversation has no message that late.
 */
export async function markRead(
  db: Db,
  { reader, other, upTo }: { reader: bigint; other: bigint; upTo: bigint },
): Promise<bigint | "beyond" | null> {
  return db.transaction().execute(async (trx) => {
    await lockPair(trx, reader, other);
    const side = await trx
      .selectFrom("conversation_sides")
      .select("last_message_id")
      .where("user_id", "=", reader)
      .where("other_id", "=", other)
      .executeTakeFirst();
    if (upTo > (side?.last_message_id ?? 0n)) return "beyond";
    const { rows } = await sql<{ read_up_to: bigint }>`
      update conversation_sides as side set
        read_up_to = ${upTo},
        unread_count = (
          select count(*) from messages
          where conversation_id = side.conversation_id and id > ${upTo} and sender_id = ${other} and kind = 'text'
        )
      where user_id = ${reader} and other_id = ${other} and read_up_to < ${upTo}
      returning read_up_to`.execute(trx);
    return rows[0]?.read_up_to ?? null;
  });
}

/**
 * Sets the reader's reaction to a text of the other user; null takes it back.
 * @returns whether it changed; `none` if the other user wrote no such message to the reader.
 */
export async function react(
  db: Db,
  {
    reader,
    other,
    messageId,
    reaction,
  }: { reader: bigint; other: bigint; messageId: bigint; reaction: Reaction | null },
): Promise<boolean | "none"> {
  const [low, high] = reader < other ? [reader, other] : [other, reader];
  const { rows } = await sql<{ before: Reaction | null }>`
    update messages set reaction = ${reaction}
    from (
      select messages.id, messages.reaction as before
      from messages join conversations on conversations.id = messages.conversation_id
      where messages.id = ${messageId} and messages.sender_id = ${other} and messages.kind = 'text'
        and messages.text <> '' and conversations.low_id = ${low} and conversations.high_id = ${high}
      for no key update of messages
    ) as found
    where messages.id = found.id
    returning found.before`.execute(db);
  const [changed] = rows;
  return changed ? changed.before !== reaction : "none";
}

/**
 * Accepts or declines a request; does nothing between friends. A declined request can still be accepted.
 * @returns whether anything changed.
 */
export async function answerMessageRequest(
  db: Db,
  { userId, other, accept }: { userId: bigint; other: bigint; accept: boolean },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockPair(trx, userId, other);
    const side = await trx
      .updateTable("conversation_sides")
      .set({ request: false, declined: !accept })
      .where("user_id", "=", userId)
      .where("other_id", "=", other)
      .where(
        sql<boolean>`exists (
          select from conversations where id = conversation_sides.conversation_id and requested_by = ${other}
        )`,
      )
      .where(accept ? sql<boolean>`true` : sql<boolean>`not ${areFriends(userId, other)}`)
      .returning("conversation_id")
      .executeTakeFirst();
    if (side && accept)
      await trx
        .updateTable("conversations")
        .set({ requested_by: null, accepted: true })
        .where("id", "=", side.conversation_id)
        .execute();
    return side !== undefined;
  });
}

/** Empties all texts of the user, and removes the user's reactions. The partners keep the conversations. */
export async function eraseTextsOf(db: Db, userId: bigint): Promise<void> {
  await inBatches(
    db,
    sql`
    update messages set text = '', cover = null, reaction = null
    where id in (
      select id from messages where sender_id = ${userId} and kind = 'text' and text <> '' limit ${erasedAtOnce}
    )`,
  );
  await inBatches(
    db,
    sql`
    update messages set reaction = null
    where id in (
      select messages.id
      from conversation_sides as side join messages on messages.conversation_id = side.conversation_id
      where side.user_id = ${userId} and messages.sender_id = side.other_id and messages.reaction is not null
      limit ${erasedAtOnce}
    )`,
  );
}

async function inBatches(db: Db, update: RawBuilder<unknown>): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await update.execute(db);
    if (numAffectedRows === undefined || numAffectedRows < BigInt(erasedAtOnce)) return;
  }
}

export type Db = Kysely<Database>;
export type Writer = Transaction<Database>;

export function latestCallSeconds(pair: { one: bigint; other: bigint; since: Date; now: Date }): RawBuilder<number> {
  const { one, other, since, now } = pair;
  return sql<number>`(
    select greatest(0, floor(extract(epoch from coalesce(ended_at, ${now}::timestamptz) - connected_at)))::integer
    from calls
    where (offerer_id, answerer_id) in ((${one}::bigint, ${other}::bigint), (${other}::bigint, ${one}::bigint))
      and ${isCallSince("id", since)}
      and matched_at >= ${since}::timestamptz - interval '1 minute' and connected_at >= ${since}
    order by matched_at desc
    limit 1
  )`;
}

/** Across servers, even before the conversation has a row. So ids grow in commit order and counts are exact. */
export async function lockPair(trx: Writer, one: bigint, other: bigint): Promise<void> {
  await sql`${prepared("lock_conversation")} select pg_advisory_xact_lock(hashtextextended(${`conversation ${pairKey(one, other)}`}, 0))`.execute(
    trx,
  );
}

/** A conversation from one user's view, stored whether or not the two are friends now. */
export interface ConversationStanding {
  /** Whose request waits for an answer. */
  readonly requestedBy: "me" | "other" | null;
  readonly accepted: boolean;
}

/** `standing`: null before the first message. */
export interface MessagePair {
  readonly friends: boolean;
  /** The two had a connected call within `recentMs`. */
  readonly met: boolean;
  readonly standing: ConversationStanding | null;
}

export type SendDecision =
  | { readonly kind: "write"; readonly standing: ConversationStanding }
  | { readonly kind: "refuse"; readonly reason: RefusedReason };

/** Decides who may write to whom (rules MSG-2, MSG-4). Friendship outranks earlier requests. */
export function decideSend({ friends, met, standing }: MessagePair): SendDecision {
  if (standing?.requestedBy === "other") return write({ requestedBy: null, accepted: true });
  if (friends) return write({ requestedBy: null, accepted: standing?.accepted ?? false });
  if (standing === null) return met ? write({ requestedBy: "me", accepted: false }) : refuse("not_friends");
  if (standing.requestedBy === "me") return refuse("request_pending");
  return standing.accepted ? write(standing) : refuse("not_friends");
}

/** The state in the list. A declined requester sees the same as a waiting one, and so learns nothing. */
export function stateOf({ friends, met, standing }: MessagePair): ConversationState {
  if (friends) return "open";
  if (standing === null) return met ? "request_out" : "closed";
  if (standing.requestedBy !== null) return standing.requestedBy === "me" ? "request_out" : "request_in";
  return standing.accepted ? "open" : "closed";
}

export function canWrite(pair: MessagePair): "yes" | "request" | "no" {
  const decision = decideSend(pair);
  if (decision.kind === "refuse") return "no";
  return decision.standing.requestedBy === "me" ? "request" : "yes";
}

function write(standing: ConversationStanding): SendDecision {
  return { kind: "write", standing };
}

function refuse(reason: RefusedReason): SendDecision {
  return { kind: "refuse", reason };
}
