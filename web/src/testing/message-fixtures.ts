import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { type Conversation, coverMask, type Message, type TextCover } from "@fava/wire/messages.ts";
import type { Answers, FixtureWorld } from "#testing/fixture-world.ts";
import { personOf, settings } from "#testing/fixtures.ts";
import { folderPage, conversation } from "#testing/message-makers.ts";
import { peoplePage } from "#testing/people-fixtures.ts";

const pageLength = 30;
const minuteMs = 60_000;

/**
 * A line of a conversation: a text alone is the partner's, `["me", text]` the user's, `["met", seconds]` a call, and
 * `["missed", who]` a missed ring of one of the two.
 */
export type Line = string | readonly ["me", string] | readonly ["met", number] | readonly ["missed", "me" | "other"];

interface Held {
  conversation: Conversation;
  /** Oldest first. */
  readonly messages: Message[];
}

/** The list entry of an online friend, without messages. */
export function conversationOf(name: string, change: Partial<Conversation> = {}): Conversation {
  const { externalId, user_id, avatar, country_name, country_flag } = personOf(name);
  const userProfile = { nick: name, avatar, userID: externalId };
  return conversation(externalId, { userProfile, userId: user_id, country_name, country_flag, ...change });
}

/** A person whom the user met, but no friend. */
export const stranger = { followStatus: 0, isContact: false, presence: null } as const;

/** Conversations and messages of one user, stored as on a server, so that written messages stay. */
export class Inbox {
  readonly #held = new Map<string, Held>();
  readonly #nowMs: () => number;
  #lastId = 0;

  /** Contains the service's own messages, as for every user. */
  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs;
    const official = settings.contact.official_account;
    const news = conversationOf(official, {
      ...stranger,
      externalId: settings.contact.official_id,
      isContact: true,
      state: "official",
      userProfile: { nick: official, avatar: "/icon.svg", userID: settings.contact.official_id },
      country_name: "",
      country_flag: "",
    });
    this.add(news, ["Welcome to Fava! Be kind, and tell us where something goes wrong."], 60 * 24 * 9);
  }

  /** Adds a conversation with its lines, a minute apart, the last one `agoMinutes` ago. */
  add(entry: Conversation, lines: readonly Line[] = [], agoMinutes = 2): Conversation {
    const held: Held = { conversation: { ...entry, conversationID: "" }, messages: [] };
    this.#held.set(entry.externalId, held);
    const lastMs = this.#nowMs() - agoMinutes * minuteMs;
    for (const [index, line] of lines.entries())
      this.#write(held, line, lastMs - (lines.length - 1 - index) * minuteMs);
    return held.conversation;
  }

  /** Changes a conversation for the viewer from now on. */
  change(externalId: string, change: Partial<Conversation>): void {
    const held = this.#of(externalId);
    held.conversation = { ...held.conversation, ...change };
  }

  /** Removes a conversation for the viewer. */
  remove(externalId: string): void {
    this.#held.delete(externalId);
  }

  /** The newest message of a conversation is hurtful: its reader gets it under a cover. */
  coverLast(externalId: string, kind: TextCover["kind"] = "insult"): void {
    const held = this.#of(externalId);
    const last = held.messages.pop();
    if (!last) throw new Error("no message to cover");
    const text = last.position === "right" ? last.text : coverMask;
    const covered: Message = { ...last, text, cover: { kind, text: last.text } };
    held.messages.push(covered);
    held.conversation = { ...held.conversation, lastMessage: covered };
  }

  messagesOf(externalId: string): readonly Message[] {
    return this.#of(externalId).messages;
  }

  /** The partner writes now, and the open page receives it. */
  receive(server: FixtureWorld, externalId: string, text: string): Message {
    const held = this.#of(externalId);
    const message = this.#write(held, text, this.#nowMs());
    held.conversation = { ...held.conversation, unreadCount: held.conversation.unreadCount + 1 };
    const { conversation: shown } = held;
    server.socket.social({ kind: "message", conversation: shown, message, unread_total: this.#unreadTotal() });
    return message;
  }

  /** The partner, a friend, has read everything. */
  readByOther(server: FixtureWorld, externalId: string): void {
    const up_to = this.#of(externalId).messages.at(-1)?.id ?? "0";
    this.change(externalId, { read_up_to: up_to });
    server.socket.social({ kind: "read", externalId, up_to, by: "other", unread_total: this.#unreadTotal() });
  }

  get answers(): Answers {
    return {
      conversationList: ({ box }) => this.#list(box),
      friendList: peoplePage([]),
      messageList: ({ externalId, cursor }) => this.#thread(externalId, Number(cursor ?? 0)),
      messageSend: ({ externalId, client_id, text }) => this.#send(externalId, { clientId: client_id, text }),
      messageRead: ({ externalId }) => {
        this.change(externalId, { unreadCount: 0 });
        return { unread_total: this.#unreadTotal() };
      },
      conversationAnswer: ({ externalId, accept }) => {
        if (accept === 0) this.remove(externalId);
        else this.change(externalId, { state: "open" });
        return { conversation: this.#held.get(externalId)?.conversation ?? null };
      },
    };
  }

  #list(box: 0 | 1): OutputOf<Endpoints["conversationList"]> {
    const written = [...this.#held.values()].filter(({ messages }) => messages.length > 0);
    const entries = written.map(({ conversation: entry }) => entry);
    const requests = entries.filter(({ state }) => state === "request_in");
    const shown = box === 1 ? requests : entries.filter(({ state }) => state !== "request_in");
    const newestFirst = shown.toSorted((one, other) => timeOf(other) - timeOf(one));
    return folderPage(newestFirst, {
      unread_total: this.#unreadTotal(),
      requests: { count: requests.length, latest_nick: requests.at(-1)?.userProfile.nick ?? null },
    });
  }

  #thread(externalId: string, from: number): OutputOf<Endpoints["messageList"]> {
    const { conversation: shown, messages } = this.#of(externalId);
    const newestFirst = messages.toReversed();
    const to = from + pageLength;
    const next = to < newestFirst.length ? String(to) : null;
    return { messages: newestFirst.slice(from, to), next, conversation: shown };
  }

  #send(
    externalId: string,
    { clientId, text }: { clientId: string; text: string },
  ): OutputOf<Endpoints["messageSend"]> {
    const held = this.#of(externalId);
    const stored = held.messages.find((one) => one.clientId === clientId);
    const message = stored ?? this.#write(held, ["me", text], { time: this.#nowMs(), clientId });
    return { message, conversation: held.conversation };
  }

  #write(held: Held, line: Line, written: number | { time: number; clientId: string }): Message {
    this.#lastId += 1;
    const id = String(this.#lastId);
    const { time, clientId } = typeof written === "number" ? { time: written, clientId: `line-${id}` } : written;
    const { externalId } = held.conversation;
    const [kind, about] = typeof line === "string" ? (["other", line] as const) : line;
    const isMissed = kind === "missed";
    const message: Message = {
      id,
      clientId,
      conversationID: externalId,
      msgType: kind === "met" || isMissed ? kind : "text",
      text: isMissed ? "" : String(about),
      avatar: "",
      time,
      position: (isMissed ? about : kind) === "me" ? "right" : "left",
    };
    held.messages.push(message);
    held.conversation = { ...held.conversation, conversationID: externalId, lastMessage: message };
    return message;
  }

  #unreadTotal(): number {
    const open = [...this.#held.values()].filter(({ conversation: { state } }) => state !== "request_in");
    return open.reduce((total, { conversation: { unreadCount } }) => total + unreadCount, 0);
  }

  #of(externalId: string): Held {
    const held = this.#held.get(externalId);
    if (!held) throw new Error(`no conversation with ${externalId}`);
    return held;
  }
}

function timeOf({ lastMessage }: Conversation): number {
  return lastMessage?.time ?? 0;
}
