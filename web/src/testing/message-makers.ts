import type { Conversation, Message, SocialEvent } from "@fava/wire/messages.ts";
import { stepMessages } from "#features/messages/messages-machine.ts";
import {
  type FolderPage,
  emptyMessages,
  type MessagesEffect,
  type MessagesEvent,
  type MessagesState,
  type ThreadPage,
} from "#features/messages/messages-state.ts";

/** Minute 0 of the tests, in milliseconds since the epoch. */
export const startMs = Date.UTC(2026, 10, 21, 12);

/** A message of the conversation with bo; `number` is its id and the minute in which it was written. */
export function message(number: number, change: Partial<Message> = {}): Message {
  return {
    id: String(number),
    clientId: `c${number}`,
    conversationID: "bo",
    msgType: "text",
    text: `text ${number}`,
    avatar: "",
    time: startMs + number * 60_000,
    position: "left",
    ...change,
  };
}

/** The list entry of a conversation with a friend. */
export function conversation(externalId: string, change: Partial<Conversation> = {}): Conversation {
  return {
    conversationID: externalId,
    lastMessage: null,
    unreadCount: 0,
    userProfile: { nick: externalId, avatar: "", userID: externalId },
    externalId,
    userId: 1,
    followStatus: 2,
    likeStatus: 0,
    isContact: true,
    country_name: "",
    country_flag: "",
    presence: "online",
    state: "open",
    read_up_to: null,
    ...change,
  };
}

export function folderPage(conversations: readonly Conversation[], change: Partial<FolderPage> = {}): FolderPage {
  return {
    conversations: [...conversations],
    next: null,
    unread_total: 0,
    requests: { count: 0, latest_nick: null },
    ...change,
  };
}

/** A page of the thread; `messages` are oldest first. */
export function threadPage(shown: Conversation, messages: readonly Message[], next: string | null = null): ThreadPage {
  return {
    messages: messages.toReversed(),
    next,
    conversation: { ...shown, lastMessage: messages.at(-1) ?? shown.lastMessage },
  };
}

/** The server's event for a message: the new list entry and the new total. */
export function messageEvent(shown: Conversation, arrived: Message, unreadTotal = 1): SocialEvent {
  return {
    kind: "message",
    conversation: { ...shown, lastMessage: arrived },
    message: arrived,
    unread_total: unreadTotal,
  };
}

/** Applies the events to `state`, and collects their effects. */
export function after(
  state: MessagesState,
  ...events: MessagesEvent[]
): { state: MessagesState; effects: MessagesEffect[] } {
  let now = state;
  const effects: MessagesEffect[] = [];
  for (const event of events) {
    const step = stepMessages(now, event);
    now = step.state;
    effects.push(...step.effects);
  }
  return { state: now, effects };
}

/** The list is loaded, and the thread with bo, a friend, with the messages 1 to 3, is open. */
export function openThread(
  messages: readonly Message[] = [message(1), message(2), message(3)],
  next: string | null = null,
): MessagesState {
  const bo = conversation("bo");
  return after(
    emptyMessages,
    { type: "session-new" },
    {
      type: "folder-loaded",
      folder: "conversations",
      cursor: null,
      page: folderPage([{ ...bo, lastMessage: messages.at(-1) ?? null }]),
    },
    { type: "chosen", externalId: "bo" },
    { type: "thread-loaded", externalId: "bo", cursor: null, page: threadPage(bo, messages, next) },
  ).state;
}
