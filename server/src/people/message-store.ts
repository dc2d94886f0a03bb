import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { RefusedReason } from "@fava/wire/codes.ts";
import type { ConversationState, TextCover } from "@fava/wire/messages.ts";
import { isCallSince } from "#db/call-days.ts";
import { prepared } from "#db/prepared.ts";
import type { Database } from "#db/schema.ts";
import { badInput, type EndpointError } from "#lib/errors.ts";
import { pairKey } from "#lib/keyed-mutex.ts";
import { areFriends, isHidden } from "./directory-store.ts";

/** Rows of one statement of the erasure. */
const erasedAtOnce = 5_000;

export interface StoredMessage {
  id: bigint;
  conversation_id: bigint;
  sender_id: bigint;
  client_id: string;
  kind: "text" | "met" | "missed";
  text: string;
  /** Why the text may hurt; null: it is not covered. */
  cover: TextCover["kind"] | null;
  sent_at: Date;
}

export interface NewMessage {
  from: bigint;
  to: bigint;
  clientId: string;
  text: string;
  /** Kind of the cover under which the reader gets it; null: none. */
  cover: TextCover["kind"] | null;
  /** The text is refused in a message request. */
  isForFriends: boolean;
  now: Date;
  /** Calls that began before this do not count as having met. */
  metSince: Date;
  /** Whole seconds of a call of the two that the database does not have yet; left out without one. */
  callSeconds?: number;
}

export type SendOutcome =
  | { readonly kind: "stored"; readonly message: StoredMessage }
  /** The same client id was stored before. */
  | { readonly kind: "repeated"; readonly message: StoredMessage }
  | { readonly kind: "hidden" }
  /** It would be a message request, and `isForFriends` is set. */
  | { readonly kind: "unfit" }
  | (Extract<SendDecision, { kind: "refuse" }> & { readonly isNew: boolean });

interface Facts {
  hidden: boolean;
  friends: boolean;
  call_seconds: number | null;
  conversation_id: bigint | null;
  requested_by: bigint | null;
  accepted: boolean | null;
  /** Of the message of this client id; null for none. */
  earlier_id: bigint | null;
}

/**
 * Stores a message and moves both sides, or says why not. `beforeRequest` is asked before the first message to somebody
 * who has not accepted any is stored; what it throws undoes everything.
 *
 * @throws EndpointError 400 where the client id belongs to a message to somebody else.
 */
export async function storeMessage(
  db: Db,
  message: NewMessage,
  beforeRequest: () => Promise<void>,
): Promise<SendOutcome> {
  return db.transaction().execute(async (trx) => {
    await lockPair(trx, message.from, message.to);
    const facts = await factsOf(trx, message);
    if (facts.hidden) return { kind: "hidden" };
    if (facts.earlier_id !== null) return repeated(trx, facts);
    const standing = standingOf(message.from, facts);
    const met = facts.call_seconds !== null;
    const decision = decideSend({ friends: facts.friends, met, standing });
    if (decision.kind === "refuse") return { ...decision, isNew: standing === null };
    const isRequest = decision.standing.requestedBy === "me";
    if (isRequest && message.isForFriends) return { kind: "unfit" };
    if (isRequest) await beforeRequest();
    const place = await conversationFor(trx, { message, facts, before: standing, after: decision.standing });
    return { kind: "stored", message: await insertMessage(trx, message, { ...place, isRequest, kind: "text" }) };
  });
}

/**
 * Stores that the one has rung the other in vain, a line of which nobody has anything unread; null where the two are no
 * friends any more.
 */
export async function storeMissed(
  trx: Writer,
  ring: Pick<NewMessage, "from" | "to" | "now" | "metSince"> & { id: string },
): Promise<StoredMessage | null> {
  const { id, ...between } = ring;
  const message = { ...between, clientId: `missed:${id}`, text: "", cover: null, isForFriends: false };
  await lockPair(trx, message.from, message.to);
  const facts = await factsOf(trx, message);
  if (!facts.friends || facts.hidden) return null;
  const before = standingOf(message.from, facts);
  const after = { requestedBy: null, accepted: before?.accepted ?? false };
  const place = await conversationFor(trx, { message, facts, before, after });
  return insertMessage(trx, message, { ...place, isRequest: false, kind: "missed" });
}

export function standingOf(
  me: bigint,
  row: { conversation_id: bigint | null; requested_by: bigint | null; accepted: boolean | null },
): ConversationStanding | null {
  if (row.conversation_id === null) return null;
  const requestedBy = row.requested_by === null ? null : row.requested_by === me ? "me" : "other";
  return { requestedBy, accepted: row.accepted === true };
}

/** Thrown, so that a conversation that was made for the message goes with it. */
function usedClientId(): EndpointError {
  return badInput("client_id was used for another message", "client_id");
}

async function repeated(trx: Writer, { earlier_id, conversation_id }: Facts): Promise<SendOutcome> {
  const message = await trx.selectFrom("messages").selectAll().where("id", "=", earlier_id).executeTakeFirstOrThrow();
  if (message.conversation_id !== conversation_id) throw usedClientId();
  return { kind: "repeated", message };
}

async function factsOf(trx: Writer, message: NewMessage): Promise<Facts> {
  const { from, to, clientId, now, metSince, callSeconds } = message;
  const { rows } = await sql<Omit<Facts, "call_seconds">>`
    ${prepared("send_facts")} select
      ${isHidden(from, to)} as hidden,
      ${areFriends(from, to)} as friends,
      conversation.id as conversation_id, conversation.requested_by, conversation.accepted,
      (select id from messages where sender_id = ${from} and client_id = ${clientId}) as earlier_id
    from (select) as always
    left join conversations as conversation
      on conversation.low_id = ${from < to ? from : to} and conversation.high_id = ${from < to ? to : from}`.execute(
    trx,
  );
  const facts = rows[0]!;
  if (callSeconds !== undefined) return { ...facts, call_seconds: callSeconds };
  // Asked where it matters alone: which days are looked into is planned each time.
  if (facts.conversation_id !== null) return { ...facts, call_seconds: null };
  const latest = await sql<Pick<Facts, "call_seconds">>`
    select ${latestCallSeconds({ one: from, other: to, since: metSince, now })} as call_seconds`.execute(trx);
  return { ...facts, call_seconds: latest.rows[0]?.call_seconds ?? null };
}

/** The conversation as it stands after the message, and what of it counts as read from the start. */
async function conversationFor(
  trx: Writer,
  change: { message: NewMessage; facts: Facts; before: ConversationStanding | null; after: ConversationStanding },
): Promise<{ conversationId: bigint; readUpTo: bigint }> {
  const { message, facts, before, after } = change;
  const { from, to, now } = message;
  const standing = { requested_by: after.requestedBy === "me" ? from : null, accepted: after.accepted };
  if (facts.conversation_id !== null) {
    if (before?.requestedBy !== after.requestedBy || before.accepted !== after.accepted)
      await trx.updateTable("conversations").set(standing).where("id", "=", facts.conversation_id).execute();
    return { conversationId: facts.conversation_id, readUpTo: 0n };
  }
  const [low, high] = from < to ? [from, to] : [to, from];
  const { id } = await trx
    .insertInto("conversations")
    .values({ low_id: low, high_id: high, ...standing, created_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (facts.call_seconds === null) return { conversationId: id, readUpTo: 0n };
  const met = await trx
    .insertInto("messages")
    .values({
      conversation_id: id,
      sender_id: from,
      client_id: `met:${id}`,
      kind: "met",
      text: String(facts.call_seconds),
      sent_at: now,
    })
    .onConflict((conflict) => conflict.columns(["sender_id", "client_id"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return { conversationId: id, readUpTo: met?.id ?? 0n };
}

/** Both sides move to the message; only the receiver's count grows, since writing does not mean having read, and for a text alone. */
async function insertMessage(
  trx: Writer,
  { from, to, clientId, text, cover, now }: NewMessage,
  place: { conversationId: bigint; readUpTo: bigint; isRequest: boolean; kind: "text" | "missed" },
): Promise<StoredMessage> {
  const { conversationId, readUpTo, isRequest, kind } = place;
  const unread = kind === "text" ? 1 : 0;
  const { rows } = await sql<{ id: bigint }>`
    ${prepared("send_message")} with message as (
      insert into messages (conversation_id, sender_id, client_id, kind, text, cover, sent_at)
      values (${conversationId}, ${from}, ${clientId}, ${kind}, ${text}, ${cover}, ${now})
      on conflict (sender_id, client_id) do nothing
      returning id
    ), sides as (
      insert into conversation_sides
        (user_id, other_id, conversation_id, last_message_id, unread_count, read_up_to, request)
      select side.user_id, side.other_id, ${conversationId}::bigint, message.id, side.unread, ${readUpTo}::bigint, side.request
      from message, (values
        (${from}::bigint, ${to}::bigint, 0, false),
        (${to}::bigint, ${from}::bigint, ${unread}::integer, ${isRequest}::boolean)
      ) as side (user_id, other_id, unread, request)
      on conflict (user_id, other_id) do update set
        last_message_id = excluded.last_message_id,
        unread_count = conversation_sides.unread_count + excluded.unread_count,
        request = excluded.request,
        declined = false
    )
    select id from message`.execute(trx);
  const id = rows[0]?.id;
  if (id === undefined) throw usedClientId();
  return {
    id,
    conversation_id: conversationId,
    sender_id: from,
    client_id: clientId,
    kind,
    text,
    cover,
    sent_at: now,
  };
}

/**
 * Moves the mark of what was read forward, and counts anew what is left; null where nothing moved, `beyond` where the
 * conversation has no message that late.
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
 * Accepts or declines the other's request, if one waits and the two are not friends by now; a declined one can still be
 * accepted later. True where something changed.
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

/** Empties what the person has written, everywhere; the conversations stay with the others. */
export async function eraseTextsOf(db: Db, userId: bigint): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      update messages set text = '', cover = null
      where id in (
        select id from messages where sender_id = ${userId} and kind = 'text' and text <> '' limit ${erasedAtOnce}
      )`.execute(db);
    if (numAffectedRows === undefined || numAffectedRows < BigInt(erasedAtOnce)) return;
  }
}

export type Db = Kysely<Database>;
export type Writer = Transaction<Database>;

/** Whole seconds of the newest call of the two in which they saw each other at `since` or later; null for none. */
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

/**
 * Everything that changes a conversation of the two comes one after the other, in every process, whether its row exists
 * already or not: ids grow in the order of commits, and counters are counted over what is really there.
 */
export async function lockPair(trx: Writer, one: bigint, other: bigint): Promise<void> {
  await sql`${prepared("lock_conversation")} select pg_advisory_xact_lock(hashtextextended(${`conversation ${pairKey(one, other)}`}, 0))`.execute(
    trx,
  );
}

/** A conversation as one of the two stands in it; kept whether or not they are friends right now. */
export interface ConversationStanding {
  /** Whose request waits to be accepted. */
  readonly requestedBy: "me" | "other" | null;
  /** A request was accepted once. */
  readonly accepted: boolean;
}

/** What the two are to each other; `standing` is null where nothing was written yet. */
export interface MessagePair {
  readonly friends: boolean;
  /** In a call with picture of the last `recentMs`. */
  readonly met: boolean;
  readonly standing: ConversationStanding | null;
}

/** What becomes of a message: how the conversation stands after it, or why it is refused. */
export type SendDecision =
  | { readonly kind: "write"; readonly standing: ConversationStanding }
  | { readonly kind: "refuse"; readonly reason: RefusedReason };

/** Who may write to whom (rules MSG-1 to MSG-7). Friendship goes before everything that was agreed earlier. */
export function decideSend({ friends, met, standing }: MessagePair): SendDecision {
  if (standing?.requestedBy === "other") return write({ requestedBy: null, accepted: true });
  if (friends) return write({ requestedBy: null, accepted: standing?.accepted ?? false });
  if (standing === null) return met ? write({ requestedBy: "me", accepted: false }) : refuse("not_friends");
  if (standing.requestedBy === "me") return refuse("request_pending");
  return standing.accepted ? write(standing) : refuse("not_friends");
}

/** What the list says of a conversation. Whoever was declined reads the same as whoever still waits. */
export function stateOf({ friends, met, standing }: MessagePair): ConversationState {
  if (friends) return "open";
  if (standing === null) return met ? "request_out" : "closed";
  if (standing.requestedBy !== null) return standing.requestedBy === "me" ? "request_out" : "request_in";
  return standing.accepted ? "open" : "closed";
}

/** Whether a message could be sent now, and whether it would be a request. */
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
