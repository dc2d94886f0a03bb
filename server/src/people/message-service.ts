import type { Logger } from "pino";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { listPageRows, recentMs } from "@fava/wire/limits.ts";
import type { Conversation } from "@fava/wire/messages.ts";
import type { Person } from "@fava/wire/people.ts";
import type { Reaction } from "@fava/wire/reactions.ts";
import { boundedCache } from "#lib/cache.ts";
import { badInput, type EndpointError, forbidden, refused } from "#lib/errors.ts";
import { KeyedMutex, pairKey } from "#lib/keyed-mutex.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import { visibleText } from "#lib/visible-text.ts";
import type { Bus, KeptMessage } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { Directory, Messaging } from "#ports/directory.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { TextRules } from "#ports/text-rules.ts";
import * as rows from "./conversation-rows.ts";
import { conversationView, emptyConversation, messageView } from "./conversation-rows.ts";
import { type MessageSender, type NewMessage, type SendOutcome, type StoredSide } from "./message-sender.ts";
import * as store from "./message-store.ts";
import { canWrite, type Db, type StoredMessage } from "./message-store.ts";
import type { NotificationService } from "./notification-service.ts";
import { type OfficialAccount, officialConversation, welcomeMessage } from "./official.ts";
import type { UserPushQueue } from "./user-push-queue.ts";
import type { SocialService } from "./social-service.ts";

interface MessageServiceOptions {
  db: Db;
  directory: Directory & Pick<SocialService, "personOf" | "presencesOf">;
  sender: Pick<MessageSender, "send">;
  texts: Pick<TextRules, "read" | "refusal" | "covered">;
  bus: Pick<Bus, "social" | "isPresent">;
  /** Refuses to begin a conversation for users who must pass an age check first. */
  ages: { require(userId: bigint): Promise<void> };
  limits: Limits;
  clock: Clock;
  logger: Logger;
  official: OfficialAccount;
  notifications: Pick<NotificationService, "notifyOfMessage">;
  /** Everything that pushes unread counts shares this queue. */
  pushQueue: UserPushQueue;
}

/** The entries never become wrong, since external ids are never reused. */
const receiversKeptMax = 100_000;

export interface Caller {
  readonly userId: bigint;
  readonly language: string;
}

export class MessageService implements Messaging {
  readonly #options: MessageServiceOptions;
  readonly #notifier: MessageNotifier;
  /** Serializes changes of a conversation at this server, so that waiting changes hold no database connection. */
  readonly #pairs = new KeyedMutex<string>();
  /** User ids by external id. Each message checks whether the account still exists. */
  readonly #receivers = boundedCache<string, bigint>({ entriesMax: receiversKeptMax });

  constructor(options: MessageServiceOptions) {
    this.#options = options;
    this.#notifier = new MessageNotifier(options);
  }

  /**
   * Stores a message once per client id and notifies both users (rules MSG-2, MSG-4, MSG-9). Friends receive contact
   * data unchanged and abuse under a cover; a message request with either is rejected.
   * @throws EndpointError 403 `not_met` if the two may not know of each other, `age_check` for a message request; 406 `invisible_text`, `personal_data`,
   * `abusive_text`, `not_friends`, `request_pending`, `official`; 429 for too many requests.
   */
  async send(
    caller: Caller,
    input: { externalId: string; clientId: string; text: string },
  ): Promise<OutputOf<Endpoints["messageSend"]>> {
    const { texts, clock } = this.#options;
    const { userId } = caller;
    const to = await this.#receiver(userId, input.externalId);
    const text = readText(input.text);
    const { clientId } = input;
    const written = { writerId: userId, readerId: to, place: "message", text } as const;
    const reading = await texts.read(written);
    const { mayRead, cover } = reading;
    if (mayRead === "nobody") throw await texts.refusal(written, reading);
    const now = new Date(clock.nowMs());
    const between = { from: userId, to, clientId, now, kind: "text", mayRequest: false } as const;
    const message = { ...between, text, cover, isForFriends: mayRead === "friends" };
    const sending = await this.#pairs.run(pairKey(userId, to), () => this.#store(caller, message));
    const pushed = await sending.pushed;
    const { outcome } = sending;
    if (outcome.kind === "unfit") throw await texts.refusal(written, reading);
    if (outcome.kind === "stored" && cover !== null) await texts.covered({ ...written, clientId }, reading);
    const stored = await this.#requireStored(outcome, { userId, to });
    const { row, card } = pushed ?? (await this.#entry(caller, to));
    if (!row) throw new Error("a stored message has no conversation");
    return {
      message: messageView(stored, { own: row, other: card }),
      conversation: conversationView(row, card),
    };
  }

  async #requireStored(outcome: SendOutcome, { userId, to }: { userId: bigint; to: bigint }): Promise<StoredMessage> {
    const { db, directory } = this.#options;
    switch (outcome.kind) {
      case "stored":
        return outcome.message;
      case "repeated":
        return store.messageById(db, outcome.messageId);
      case "used":
        throw badInput("client_id was used for another message", "client_id");
      case "hidden":
        throw forbidden("not_met");
      case "strangers":
        throw (await directory.isKnown(userId, to)) ? refused("not_friends") : forbidden("not_met");
      case "not_friends":
      case "request_pending":
        throw refused(outcome.kind);
      case "first":
      case "unfit":
      case "asks":
        throw new Error(`a message ended as ${outcome.kind}`);
    }
  }

  /** Queues both pushes before the pair's next message is stored, so that pushes have the order of commits. */
  async #store({ language }: Caller, message: NewMessage) {
    const outcome = await this.#send(message);
    const pushed = outcome.kind === "stored" ? this.#notifier.stored(outcome, language) : null;
    return { outcome, pushed };
  }

  /** Retries with what the database function requested: the last call's duration, or permission for a request. */
  async #send(message: NewMessage): Promise<SendOutcome> {
    const { db, sender, ages, limits } = this.#options;
    const { from, to, now } = message;
    const outcome = await sender.send(message);
    if (outcome.kind === "first") {
      const callSeconds = await store.latestCall(db, { one: from, other: to, since: this.#metSince(), now });
      return this.#send({ ...message, callSeconds });
    }
    if (outcome.kind === "strangers" && message.callSeconds === null) {
      const callSeconds = await this.#unwrittenSeconds(from, to);
      return callSeconds === null ? outcome : this.#send({ ...message, callSeconds });
    }
    if (outcome.kind !== "asks") return outcome;
    await ages.require(from);
    await takeFromLimit(limits, "messageRequestByUser", String(from));
    return this.#send({ ...message, mayRequest: true });
  }

  /** @throws EndpointError 403 `not_met`. */
  async list(
    caller: Caller,
    input: { externalId: string; before: bigint },
  ): Promise<OutputOf<Endpoints["messageList"]>> {
    const { db, directory } = this.#options;
    const otherId = await this.#other(caller.userId, input.externalId);
    if (otherId === null) {
      const conversation = await this.#officialEntry(caller);
      return { messages: conversation.lastMessage ? [conversation.lastMessage] : [], next: null, conversation };
    }
    const { row, card } = await this.#entry(caller, otherId);
    if (!row) {
      if (!(await directory.isKnown(caller.userId, otherId))) throw forbidden("not_met");
      const met = await directory.haveMet(caller.userId, otherId);
      return { messages: [], next: null, conversation: emptyConversation(card, met) };
    }
    const found = await rows.messageRows(db, row.conversation_id, input.before);
    const page = found.slice(0, listPageRows);
    return {
      messages: page.map((message) => messageView(message, { own: row, other: card })),
      next: found.length > page.length ? String(page.at(-1)?.id) : null,
      conversation: conversationView(row, card),
    };
  }

  /**
   * Moves the read mark forward, and notifies a friend.
   * @returns unread messages of all conversations.
   * @throws EndpointError 400 for a message later than the last; 403 `not_met`.
   */
  async read(caller: Caller, input: { externalId: string; upTo: bigint }): Promise<number> {
    const { db } = this.#options;
    const { userId } = caller;
    const other = await this.#other(userId, input.externalId);
    // The welcome has id 0 and is the official account's only message.
    if (other === null && input.upTo > 0n) throw beyond();
    if (other !== null) {
      const pushed = await this.#pairs.run(pairKey(userId, other), async () => {
        const upTo = await store.markRead(db, { reader: userId, other, upTo: input.upTo });
        if (upTo === "beyond") throw beyond();
        return { all: upTo === null ? null : this.#notifier.read(userId, other, upTo) };
      });
      await pushed.all;
    }
    return this.unreadTotal(userId);
  }

  /** A page of the list. The last page ends with the official account. */
  async conversations(
    caller: Caller,
    input: { list: 0 | 1; before: bigint },
  ): Promise<OutputOf<Endpoints["conversationList"]>> {
    const { db, directory } = this.#options;
    const { userId, language } = caller;
    const { list, before } = input;
    const [found, head] = await Promise.all([rows.sideRows(db, { userId, list, before }), rows.listHead(db, userId)]);
    const page = found.slice(0, listPageRows);
    const cards = page.map((row) => rows.cardOf(row));
    const presences = await directory.presencesOf(cards);
    const viewOf = (row: (typeof page)[number]) =>
      conversationView(row, directory.personOf(rows.cardOf(row), language, presences));
    const conversations = page.map(viewOf);
    // If the last page is full, another one follows, since the entry of the official account would exceed the page.
    const isLast = found.length < listPageRows || (list === 1 && found.length === listPageRows);
    if (isLast && list === 0) conversations.push(this.#official(caller, head.since));
    const { unread_total, latest_nick } = head;
    const requests = { count: head.requests, latest_nick };
    return { conversations, next: isLast ? null : String(page.at(-1)?.id), unread_total, requests };
  }

  /**
   * Sets or takes back the user's reaction to a message of the other user, and tells both.
   * @throws EndpointError 400 for a message that the other user did not write to this one; 403 `not_met`; 406
   * `not_friends` where the two may not write to each other, `official`.
   */
  async react(
    { userId }: Caller,
    { externalId, messageId, reaction }: { externalId: string; messageId: bigint; reaction: Reaction | null },
  ): Promise<void> {
    const other = await this.#receiver(userId, externalId);
    const { db } = this.#options;
    const facts = await this.#factsOf(userId, other);
    if (facts.hidden) throw forbidden("not_met");
    if (store.stateOf({ ...facts, standing: store.standingOf(userId, facts) }) !== "open") throw refused("not_friends");
    const changing = await this.#pairs.run(pairKey(userId, other), async () => {
      const changed = await store.react(db, { reader: userId, other, messageId, reaction });
      if (changed === "none") throw badInput("not a message of this user", "message_id");
      return { pushed: changed ? this.#notifier.reacted([userId, other], { messageId, reaction }) : null };
    });
    await changing.pushed;
  }

  /**
   * Accepts or declines a message request. Idempotent. Only acceptance notifies the requester.
   * @returns the entry of the conversation; null if it has left the lists.
   * @throws EndpointError 403 `not_met`.
   */
  async answer(
    caller: Caller,
    input: { externalId: string; accept: boolean },
  ): Promise<OutputOf<Endpoints["conversationAnswer"]>["conversation"]> {
    const { db } = this.#options;
    const { userId } = caller;
    const other = await this.#other(userId, input.externalId);
    if (other === null) return this.#officialEntry(caller);
    const { accept } = input;
    const answering = await this.#pairs.run(pairKey(userId, other), async () => {
      const isAnswered = await store.answerMessageRequest(db, { userId, other, accept });
      return { isAnswered, pushed: isAnswered && accept ? this.#pushToBoth(caller, other, null) : null };
    });
    await answering.pushed;
    if (answering.isAnswered && !accept) return null;
    const { row, card } = await this.#entry(caller, other);
    return row && conversationView(row, card);
  }

  /**
   * Checks a text as `send` would. Without a user it is checked as a message request.
   * @throws EndpointError 400 without a text; 403 `not_met`; 406 `invisible_text`, `official`.
   */
  async check(
    { userId }: Caller,
    input: { externalId: string | undefined; text: string },
  ): Promise<OutputOf<Endpoints["chatCheck"]>> {
    const { externalId } = input;
    const text = readText(input.text);
    const readerId = externalId === undefined ? null : await this.#receiver(userId, externalId);
    const { findings, spans, mayRead, cover } = await this.#options.texts.read({ writerId: userId, readerId, text });
    const isOpen = readerId !== null && (await this.canMessage(userId, readerId)) === "yes";
    if (!isOpen || mayRead === "nobody") return { findings: [...findings], spans: [...spans], cover: null };
    return { findings: [], spans: [], cover };
  }

  async canMessage(userId: bigint, otherId: bigint): Promise<"yes" | "request" | "no"> {
    if (userId === otherId || otherId === this.#options.official.userId) return "no";
    const facts = await this.#factsOf(userId, otherId);
    if (facts.hidden) return "no";
    const can = canWrite({ ...facts, standing: store.standingOf(userId, facts) });
    if (can !== "no" || facts.conversation_id !== null) return can;
    return (await this.#unwrittenSeconds(userId, otherId)) === null ? "no" : "request";
  }

  async pushLine([one, other]: readonly [bigint, bigint], message: StoredMessage): Promise<void> {
    await this.#pairs.run(pairKey(one, other), () =>
      Promise.all([
        this.#notifier.line({ viewer: one, other, message }),
        this.#notifier.line({ viewer: other, other: one, message }),
      ]),
    );
  }

  /** Notifies a user by web push of friends' messages that no page acknowledged, as if no page had been open. */
  unheard(userId: bigint, messages: readonly KeptMessage[]): void {
    const { bus, notifications } = this.#options;
    const newest = new Map<number, string>();
    for (const message of messages) {
      if (message.type !== "social" || message.event.kind !== "message") continue;
      const { conversation, message: line } = message.event;
      if (line.position === "left" && line.msgType === "text") newest.set(conversation.userId, line.id);
    }
    const isAbsent = async () => !(await bus.isPresent(userId));
    for (const [from, id] of newest)
      notifications.notifyOfMessage({ userId, from: BigInt(from), messageId: BigInt(id) }, isAbsent);
  }

  unreadTotal(userId: bigint): Promise<number> {
    return rows.unreadTotal(this.#options.db, userId);
  }

  eraseTextsOf(userId: bigint): Promise<void> {
    return store.eraseTextsOf(this.#options.db, userId);
  }

  /** Pushes a message, or the newest one if null, to both. Resolves to the caller's entry. */
  async #pushToBoth({ userId, language }: Caller, other: bigint, message: store.StoredMessage | null) {
    const [own] = await Promise.all([
      this.#notifier.message({ viewer: userId, other, message, language }),
      this.#notifier.message({ viewer: other, other: userId, message }),
    ]);
    return own;
  }

  #factsOf(userId: bigint, otherId: bigint) {
    const { db, clock } = this.#options;
    return rows.pairFacts(db, { userId, otherId, metSince: this.#metSince(), now: new Date(clock.nowMs()) });
  }

  #metSince(): Date {
    return new Date(this.#options.clock.nowMs() - recentMs);
  }

  /** Duration in whole seconds of the newest connected call that the database does not have; null for none. */
  async #unwrittenSeconds(one: bigint, other: bigint): Promise<number | null> {
    const { directory, clock } = this.#options;
    const seconds = (await directory.unwrittenCalls(one, other)).flatMap(({ connectedAtMs, endedAtMs }) =>
      connectedAtMs === null ? [] : Math.floor(((endedAtMs ?? clock.nowMs()) - connectedAtMs) / 1_000),
    );
    return seconds[0] === undefined ? null : Math.max(0, seconds[0]);
  }

  /** @throws EndpointError 403 `not_met`; 406 `official`; 400 for oneself. */
  async #receiver(userId: bigint, externalId: string): Promise<bigint> {
    const known = this.#receivers.get(externalId);
    if (known !== undefined && known !== userId) return known;
    const found = await this.#other(userId, externalId);
    if (found === null) throw refused("official");
    this.#receivers.set(externalId, found);
    return found;
  }

  /** Null stands for the official account. */
  async #other(userId: bigint, externalId: string): Promise<bigint | null> {
    const found = await this.#options.directory.byExternalId(externalId);
    if (!found) throw forbidden("not_met");
    if (found.userId === userId) throw badInput("must be another user", "externalId");
    return found.official ? null : found.userId;
  }

  async #entry({ userId, language }: Caller, otherId: bigint): Promise<{ row: rows.SideRow | null; card: Person }> {
    const { db, directory } = this.#options;
    const row = await rows.sideRow(db, userId, otherId);
    const card = (await directory.cards(userId, [otherId], language)).get(otherId);
    if (!card) throw forbidden("not_met");
    return { row, card };
  }

  async #officialEntry(caller: Caller) {
    const { since } = await rows.listHead(this.#options.db, caller.userId);
    return this.#official(caller, since);
  }

  #official({ language }: Caller, since: Date): Conversation {
    const { official } = this.#options;
    return officialConversation(official, welcomeMessage(official, { language, since }));
  }
}

function beyond(): EndpointError {
  return badInput("later than the last message", "up_to");
}

function readText(text: string): string {
  if (text.includes("\0")) throw badInput("invalid text", "text");
  return visibleText(text, "text");
}

type MessageNotifierOptions = Pick<
  MessageServiceOptions,
  "db" | "directory" | "bus" | "logger" | "pushQueue" | "notifications"
>;

interface Entry {
  readonly row: rows.SideRow;
  readonly card: Person;
}

interface MessagePush {
  viewer: bigint;
  other: bigint;
  message: StoredMessage | null;
  language?: string;
}

/** Pushes to each user in order, with the total of that moment. Never rejects: a page finds the rest in its lists. */
class MessageNotifier {
  readonly #options: MessageNotifierOptions;

  constructor(options: MessageNotifierOptions) {
    this.#options = options;
  }

  /** @returns the pushed entry; null if the viewer is absent or the two are hidden from each other. */
  async message(push: MessagePush): Promise<Entry | null> {
    const { bus, pushQueue } = this.#options;
    if (!(await bus.isPresent(push.viewer))) return this.#notifyAbsent(push.viewer, push.message);
    return this.#withLoggedFailure(
      push.viewer,
      null,
      pushQueue.run(push.viewer, () => this.#readAndPush(push)),
    );
  }

  /** As `message`, but never notifies an absent user. */
  async line(push: MessagePush): Promise<void> {
    if (await this.#options.bus.isPresent(push.viewer)) await this.message(push);
  }

  /**
   * Pushes a stored message with what the transaction read.
   * @returns the writer's entry; null if it must be read again.
   */
  async stored(
    { message, own, theirs }: Extract<SendOutcome, { kind: "stored" }>,
    language: string,
  ): Promise<Entry | null> {
    const [entry] = await Promise.all([
      this.#storedSide(own, { message, language }),
      theirs && this.#storedSide(theirs, { message, language: theirs.row.own_language }),
    ]);
    return entry;
  }

  #storedSide(side: StoredSide, { message, language }: { message: StoredMessage; language: string }) {
    const { directory, bus, pushQueue } = this.#options;
    const { row, read, unread_total } = side;
    const viewer = row.user_id;
    const pushing = pushQueue.runWithRead<Entry | null>(read, {
      fresh: async () => {
        const [presences, isPresent] = await Promise.all([directory.presencesOf([side.card]), bus.isPresent(viewer)]);
        const entry = { row, card: directory.personOf(side.card, language, presences) };
        if (isPresent) return this.#push({ ...entry, message, unread_total });
        this.#notifyAbsent(viewer, message);
        return entry;
      },
      stale: async () =>
        (await bus.isPresent(viewer))
          ? this.#readAndPush({ viewer, other: row.other_id, message, language })
          : this.#notifyAbsent(viewer, message),
    });
    return this.#withLoggedFailure(viewer, null, pushing);
  }

  #notifyAbsent(viewer: bigint, message: StoredMessage | null): null {
    if (message && message.sender_id !== viewer)
      this.#options.notifications.notifyOfMessage({ userId: viewer, from: message.sender_id, messageId: message.id });
    return null;
  }

  async #readAndPush({ viewer, other, message, language }: MessagePush): Promise<Entry | null> {
    const { db, directory } = this.#options;
    const row = await rows.sideRowWithTotal(db, viewer, other);
    if (!row) return null;
    // Read last, so that no message follows a block that was pushed meanwhile.
    const card = (await directory.cards(viewer, [other], language ?? row.own_language)).get(other);
    return card ? this.#push({ row, card, message: message ?? row, unread_total: row.unread_total }) : null;
  }

  #push({ row, card, message, unread_total }: Entry & { message: StoredMessage; unread_total: number }): Entry {
    this.#options.bus.social(row.user_id, {
      kind: "message",
      conversation: conversationView(row, card),
      message: messageView(message, { own: row, other: card }),
      unread_total,
    });
    return { row, card };
  }

  async reacted(
    [reader, writer]: readonly [bigint, bigint],
    { messageId, reaction }: { messageId: bigint; reaction: Reaction | null },
  ): Promise<void> {
    const push = (viewer: bigint, other: bigint) => this.#pushReaction(viewer, other, { messageId, reaction });
    await Promise.all([push(reader, writer), push(writer, reader)]);
  }

  async #pushReaction(
    viewer: bigint,
    other: bigint,
    { messageId, reaction }: { messageId: bigint; reaction: Reaction | null },
  ): Promise<void> {
    const { directory, bus, pushQueue } = this.#options;
    if (!(await bus.isPresent(viewer))) return;
    const pushing = pushQueue.run(viewer, async () => {
      const card = (await directory.cards(viewer, [other], "en")).get(other);
      if (!card) return;
      bus.social(viewer, { kind: "reaction", externalId: card.externalId, messageId: String(messageId), reaction });
    });
    return this.#withLoggedFailure(viewer, undefined, pushing);
  }

  async read(reader: bigint, other: bigint, upTo: bigint): Promise<void> {
    await Promise.all([
      this.#pushRead({ viewer: reader, other, upTo, by: "me" }),
      this.#pushRead({ viewer: other, other: reader, upTo, by: "other" }),
    ]);
  }

  async #pushRead(push: { viewer: bigint; other: bigint; upTo: bigint; by: "me" | "other" }): Promise<void> {
    const { viewer, other, upTo, by } = push;
    const { db, directory, bus, pushQueue } = this.#options;
    if (!(await bus.isPresent(viewer))) return;
    const pushing = pushQueue.run(viewer, async () => {
      const unread_total = await rows.unreadTotal(db, viewer);
      const card = (await directory.cards(viewer, [other], "en")).get(other);
      if (!card || (by === "other" && card.followStatus !== 2)) return;
      bus.social(viewer, { kind: "read", externalId: card.externalId, up_to: String(upTo), by, unread_total });
    });
    return this.#withLoggedFailure(viewer, undefined, pushing);
  }

  #withLoggedFailure<Told>(viewer: bigint, nothing: Told, pushing: Promise<Told>): Promise<Told> {
    return pushing.catch((error: unknown) => {
      this.#options.logger.error({ err: error, userId: String(viewer) }, "failed to push a message");
      return nothing;
    });
  }
}
