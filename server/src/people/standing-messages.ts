import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { prepared } from "#db/prepared.ts";
import type { Database } from "#db/schema.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { Gatherer, type GathererLimits } from "#lib/gatherer.ts";
import { cardOf, type OtherColumns, type SideRow } from "./conversation-rows.ts";
import type { CardRow } from "./directory-store.ts";
import type { NewMessage, StoredMessage } from "./message-store.ts";
import type { EarlyRead, PersonTurns } from "./person-turns.ts";

const limits: GathererLimits = {
  // More of them make a call longer than they make it cheaper.
  ordersMax: 50,
  // Nothing is claimed, so that one round holds all.
  roundsMax: 1,
  // While one waits for the disk, another can compute; a third would only make them all smaller.
  callsMax: 2,
  // What a call does not take is answered at once: its way is the caller's.
  aloneMax: 1,
  // Seconds of work: whoever comes then is better told at once.
  waitingMax: 5_000,
};

/** A side of a conversation as it stands with the message in it. */
export interface StandingSide {
  readonly row: SideRow;
  readonly unread_total: number;
  /** The other. */
  readonly card: CardRow;
  /** Of the one whose side it is. */
  readonly read: EarlyRead;
}

/** A message that is stored, and both sides with it. */
export interface StandingMessage {
  readonly message: StoredMessage;
  readonly own: StandingSide;
  readonly theirs: StandingSide;
}

interface StandingMessagesOptions {
  db: Kysely<Database>;
  turns: PersonTurns;
  logger: Logger;
}

/**
 * Messages of conversations that stand, stored many at a time by the database function `send_messages`: those that came
 * in one turn of the event loop, and those that came while the calls before them were under way (rule MSG-25).
 */
export class StandingMessages {
  readonly #options: StandingMessagesOptions;
  readonly #gatherer: Gatherer<NewMessage, StandingMessage | null>;

  constructor(options: StandingMessagesOptions) {
    this.#options = options;
    this.#gatherer = new Gatherer({
      // Two of one conversation, or of one client id, in a call: the database takes one.
      claimsOf: () => [],
      together: async ([messages = []]) => [await this.#store(messages)],
      alone: async () => null,
      // One of them is at fault: each by itself, only that one fails.
      isUndone: (error) => !(error instanceof DatabaseUnavailableError),
      full: () => new DatabaseUnavailableError("busy"),
      limits,
    });
  }

  /**
   * Stores the message where the two may write and have before; each side's early read is the caller's to end. At most
   * one of a conversation at a time: a second one is not taken, and none that is covered.
   *
   * @returns null where anything else is true of it; nothing has changed then.
   * @throws DatabaseUnavailableError
   */
  async send(message: NewMessage): Promise<StandingMessage | null> {
    return message.cover === null ? this.#gatherer.add(message) : null;
  }

  /** Null for each that was not stored. */
  async #store(messages: readonly NewMessage[]): Promise<readonly (StandingMessage | null)[]> {
    const { db, turns, logger } = this.#options;
    const reads = messages.map(({ from, to }) => ({
      own: turns.beginEarlyRead(from, messages),
      theirs: turns.beginEarlyRead(to, messages),
    }));
    const forget = ({ own, theirs }: (typeof reads)[number]) => [own, theirs].map((read) => turns.endEarlyRead(read));
    try {
      const outcomes = await storeAll(db, messages);
      return messages.map((message, at) => {
        const { own, theirs } = outcomes.get(at + 1) ?? {};
        if (own && theirs) return standingMessage(message, { own, theirs, read: reads[at]! });
        forget(reads[at]!);
        return null;
      });
    } catch (error) {
      reads.forEach(forget);
      if (!(error instanceof DatabaseUnavailableError))
        logger.warn({ err: error, messages: messages.length }, "a batch of messages is stored one by one");
      throw error;
    }
  }
}

interface AnswerRow extends OtherColumns {
  /** Of the message among those of the call, from 1 on. */
  place: number;
  user_id: bigint;
  message_id: bigint;
  conversation_id: bigint;
  accepted: boolean;
  unread_count: number;
  other_read_up_to: bigint;
  own_avatar_key: string;
  own_language: string;
  unread_total: number;
}

/** By place; a message that was not stored has none. */
async function storeAll(db: Kysely<Database>, messages: readonly NewMessage[]) {
  const { rows } = await sql<AnswerRow>`
    ${prepared("send_messages")} select * from send_messages(
      ${messages.map(({ from }) => String(from))}::bigint[], ${messages.map(({ to }) => String(to))}::bigint[],
      ${messages.map(({ clientId }) => clientId)}::text[], ${messages.map(({ text }) => text)}::text[],
      ${messages.map(({ now }) => now.toISOString())}::timestamptz[]
    )`.execute(db);
  const byPlace = new Map<number, { own?: AnswerRow; theirs?: AnswerRow }>();
  for (const row of rows) {
    const isOwn = messages[row.place - 1]?.from === row.user_id;
    byPlace.set(row.place, { ...byPlace.get(row.place), [isOwn ? "own" : "theirs"]: row });
  }
  return byPlace;
}

function standingMessage(
  { from, clientId, text, now }: NewMessage,
  sides: { own: AnswerRow; theirs: AnswerRow; read: { own: EarlyRead; theirs: EarlyRead } },
): StandingMessage {
  const { own, theirs, read } = sides;
  const { message_id: id, conversation_id } = own;
  const message: StoredMessage = {
    id,
    conversation_id,
    sender_id: from,
    client_id: clientId,
    kind: "text",
    text,
    cover: null,
    sent_at: now,
  };
  return {
    message,
    own: standingSide(message, own, read.own),
    theirs: standingSide(message, theirs, read.theirs),
  };
}

function standingSide(message: StoredMessage, answer: AnswerRow, read: EarlyRead): StandingSide {
  const { user_id, other_id, unread_count, accepted, other_read_up_to, own_avatar_key, own_language } = answer;
  return {
    row: {
      ...message,
      user_id,
      other_id,
      unread_count,
      requested_by: null,
      accepted,
      other_read_up_to,
      own_avatar_key,
      own_language,
    },
    unread_total: answer.unread_total,
    card: cardOf(answer),
    read,
  };
}
