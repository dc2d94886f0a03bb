import { sql } from "kysely";
import type { Logger } from "pino";
import type { TextCover } from "@fava/wire/messages.ts";
import { prepared } from "#db/prepared.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { BatchSender, type BatchSenderLimits } from "#lib/batch-sender.ts";
import { cardOf, type OtherColumns, type SideRow } from "./conversation-rows.ts";
import type { CardRow } from "./directory-store.ts";
import { type Db, latestCall, type StoredMessage, type Writer } from "./message-store.ts";
import type { EarlyRead, UserPushQueue } from "./user-push-queue.ts";

export interface NewMessage {
  from: bigint;
  to: bigint;
  clientId: string;
  kind: "text" | "missed";
  text: string;
  /** Kind of the cover that hides the text from the reader; null for none. */
  cover: TextCover["kind"] | null;
  /** Whether only friends may send this text, so that a message request with it is rejected. */
  isForFriends: boolean;
  now: Date;
  /** Duration of the last call of the two in whole seconds; null if they have not met; undefined if not looked up. */
  callSeconds?: number | null;
  mayRequest: boolean;
}

export interface StoredSide {
  readonly row: SideRow;
  readonly unread_total: number;
  readonly card: CardRow;
  readonly read: EarlyRead;
}

export type SendOutcome =
  /** `theirs`: null if the sender deleted the account meanwhile. */
  | {
      readonly kind: "stored";
      readonly message: StoredMessage;
      readonly own: StoredSide;
      readonly theirs: StoredSide | null;
    }
  /** A message with the same client id was stored before. */
  | { readonly kind: "repeated"; readonly messageId: bigint }
  /** Why nothing was stored. The database function `send_messages` explains each. */
  | { readonly kind: "used" | "hidden" | "first" | "unfit" | "asks" | "strangers" | "not_friends" | "request_pending" };

interface SendRow extends OtherColumns {
  /** Position of the message in the batch, from 1. */
  place: number;
  outcome: SendOutcome["kind"] | "busy";
  message_id: bigint;
  user_id: bigint;
  conversation_id: bigint;
  requested_by: bigint | null;
  accepted: boolean;
  unread_count: number;
  other_read_up_to: bigint | null;
  own_avatar_key: string;
  own_language: string;
  unread_total: number;
}

const gathering: BatchSenderLimits = {
  // A larger batch takes longer and saves nothing per message.
  ordersMax: 50,
  // Without claims one round takes all messages.
  roundsMax: 1,
  // One batch computes while another waits for the disk. A third would only make batches smaller.
  callsMax: 2,
  // Messages sent alone. Each holds a connection while it waits for the lock of its conversation.
  aloneMax: 8,
  // Some seconds of work. Beyond it messages are rejected at once.
  waitingMax: 5_000,
};

/** Stores messages in batches: those of one event-loop turn, or those that arrived while two batches ran. */
export class MessageSender {
  readonly #db: Db;
  readonly #pushQueue: UserPushQueue;
  readonly #batchSender: BatchSender<NewMessage, SendOutcome>;

  constructor({ db, pushQueue, logger }: { db: Db; pushQueue: UserPushQueue; logger: Logger }) {
    this.#db = db;
    this.#pushQueue = pushQueue;
    this.#batchSender = new BatchSender({
      // The database function handles two messages of one conversation or client id in a batch.
      claimsOf: () => [],
      together: async ([messages = []]) => {
        try {
          return [await this.#send(messages, false)];
        } catch (error) {
          if (!(error instanceof DatabaseUnavailableError))
            logger.warn(
              { err: error, messages: messages.length },
              "failed to send a batch of messages; sending them one by one",
            );
          throw error;
        }
      },
      alone: async (message) => {
        const [outcome] = await this.#send([message], true);
        if (!outcome) throw new Error("no outcome for a message");
        return outcome;
      },
      // Retries each message of a failed batch alone, so that only the faulty one fails.
      isUndone: (error) => !(error instanceof DatabaseUnavailableError),
      full: () => new DatabaseUnavailableError("busy"),
      limits: gathering,
    });
  }

  /**
   * Stores a message. The caller ends the early read of each side.
   * @throws DatabaseUnavailableError
   */
  send(message: NewMessage): Promise<SendOutcome> {
    return this.#batchSender.add(message);
  }

  /** Null for a message whose conversation is locked, unless `waits`. */
  async #send(messages: readonly NewMessage[], waits: boolean): Promise<(SendOutcome | null)[]> {
    const begin = (personId: bigint) => this.#pushQueue.beginEarlyRead(personId, messages);
    const reads = messages.map(({ from, to }) => ({ own: begin(from), theirs: begin(to) }));
    const unused = new Set(reads.flatMap(({ own, theirs }) => [own, theirs]));
    try {
      const rows = await sendAll(this.#db, messages, waits);
      return messages.map((message, at) => {
        const outcome = outcomeOf(message, rows.get(at + 1) ?? [], reads[at]!);
        if (outcome?.kind === "stored")
          for (const side of [outcome.own, outcome.theirs]) if (side) unused.delete(side.read);
        return outcome;
      });
    } catch (error) {
      if (waits && isUsedClientId(error)) return [{ kind: "used" }];
      throw error;
    } finally {
      for (const read of unused) this.#pushQueue.endEarlyRead(read);
    }
  }
}

/** Another transaction stored a message with the same client id at the same moment. */
function isUsedClientId(error: unknown): boolean {
  return (error as { constraint?: unknown }).constraint === "messages_sender_id_client_id_key";
}

/** Rows by the position of their message: two for a stored message, one for any other. */
async function sendAll(db: Db, messages: readonly NewMessage[], waits: boolean): Promise<Map<number, SendRow[]>> {
  const seconds = ({ callSeconds }: NewMessage) => (callSeconds === null ? -1 : (callSeconds ?? null));
  const { rows } = await sql<SendRow>`
    ${prepared("send_messages")} select * from send_messages(
      ${messages.map(({ from }) => String(from))}::bigint[], ${messages.map(({ to }) => String(to))}::bigint[],
      ${messages.map(({ clientId }) => clientId)}::text[], ${messages.map(({ kind }) => kind)}::text[],
      ${messages.map(({ text }) => text)}::text[], ${messages.map(({ cover }) => cover)}::text[],
      ${messages.map(({ isForFriends }) => isForFriends)}::boolean[], ${messages.map(seconds)}::integer[],
      ${messages.map(({ mayRequest }) => mayRequest)}::boolean[],
      ${messages.map(({ now }) => now.toISOString())}::timestamptz[], ${waits}::boolean
    )`.execute(db);
  const byPlace = new Map<number, SendRow[]>();
  for (const row of rows) byPlace.set(row.place, [...(byPlace.get(row.place) ?? []), row]);
  return byPlace;
}

function outcomeOf(
  message: NewMessage,
  rows: readonly SendRow[],
  read: { own: EarlyRead; theirs: EarlyRead },
): SendOutcome | null {
  const [first] = rows;
  if (!first || first.outcome === "busy") return null;
  if (first.outcome === "repeated") return { kind: "repeated", messageId: first.message_id };
  if (first.outcome !== "stored") return { kind: first.outcome };
  const [own, theirs] = [message.from, message.to].map((id) => rows.find(({ user_id }) => user_id === id));
  if (!own) throw new Error("a stored message has no side of its sender");
  const stored = storedMessage(message, own);
  return {
    kind: "stored",
    message: stored,
    own: sideOf(stored, own, read.own),
    theirs: theirs ? sideOf(stored, theirs, read.theirs) : null,
  };
}

function storedMessage({ from, clientId, kind, text, cover, now }: NewMessage, row: SendRow): StoredMessage {
  const { message_id: id, conversation_id } = row;
  const stored = { id, conversation_id, sender_id: from, client_id: clientId, kind, text, cover, sent_at: now };
  return { ...stored, reaction: null };
}

function sideOf(message: StoredMessage, answer: SendRow, read: EarlyRead): StoredSide {
  const { user_id, other_id, unread_count, requested_by, accepted, other_read_up_to } = answer;
  const { own_avatar_key, own_language, unread_total } = answer;
  const side = { user_id, other_id, unread_count, requested_by, accepted, other_read_up_to };
  return { row: { ...message, ...side, own_avatar_key, own_language }, unread_total, card: cardOf(answer), read };
}

/** Stores the line of a missed ring, as read; null if the two are no longer friends. */
export async function storeMissed(
  trx: Writer,
  ring: Pick<NewMessage, "from" | "to" | "now"> & { id: string; metSince: Date },
): Promise<StoredMessage | null> {
  const { id, metSince, ...between } = ring;
  const line = { clientId: `missed:${id}`, kind: "missed", text: "", cover: null } as const;
  const message: NewMessage = { ...between, ...line, isForFriends: false, mayRequest: false };
  let rows = (await sendAll(trx, [message], true)).get(1);
  if (rows?.[0]?.outcome === "first") {
    const callSeconds = await latestCall(trx, { one: ring.from, other: ring.to, since: metSince, now: ring.now });
    rows = (await sendAll(trx, [{ ...message, callSeconds }], true)).get(1);
  }
  const [stored] = rows ?? [];
  return stored?.outcome === "stored" ? storedMessage(message, stored) : null;
}
