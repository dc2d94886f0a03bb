import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { conversationList, messageList } from "@fava/wire/endpoints/messages.ts";
import type { Conversation, Message, SocialEvent, TextSpan } from "@fava/wire/messages.ts";
import type { Presence } from "@fava/wire/people.ts";

/**
 * Conversations and messages of the signed-in user, as this tab knows them.
 *
 * Two folders list conversations: the user's own, and the requests of others. One thread may be open. Messages that the
 * server has not stored yet are kept apart, so that they outlive the thread. Everything that arrives, in a response or
 * an event, may arrive twice, late, or out of order.
 */
export interface MessagesState {
  readonly unreadTotal: number;
  /** Requests that wait for an answer. */
  readonly requests: { readonly count: number; readonly latestNick: string | null };
  readonly folders: Readonly<Record<FolderName, Folder>>;
  readonly thread: Thread | null;
  /** Own messages without a response, by chat id, oldest first. */
  readonly unsent: ReadonlyMap<string, readonly Unsent[]>;
  /** Until when each partner is typing, by chat id, in milliseconds since the epoch. */
  readonly typing: ReadonlyMap<string, number>;
  /** Whether the user sees the end of the open thread, so that new messages count as read. */
  readonly isWatched: boolean;
}

export type FolderName = "conversations" | "requests";

export interface Folder {
  /** Newest first. */
  readonly rows: readonly Conversation[];
  /** Cursor of the page after the last row; null if there is none. */
  readonly next: string | null;
  /** `first`: the first page, `more`: the one after the last row. */
  readonly load: "none" | "first" | "more";
  readonly failed: "none" | "first" | "more";
  /** Whether the first page was loaded. */
  readonly isKnown: boolean;
  /** An event has changed the folder while the first page was loading, so that the response may be older. */
  readonly isOutdated: boolean;
}

export interface Thread {
  readonly externalId: string;
  readonly conversation: Conversation | null;
  /** Oldest first, each once. */
  readonly messages: readonly Message[];
  /** Cursor of the messages before the first; null if there are none, and before the first page was loaded. */
  readonly next: string | null;
  readonly load: "none" | "first" | "older";
  readonly failed: "none" | "first" | "older";
  readonly isKnown: boolean;
  /** Id of the newest message that this page has reported as read; null: none. */
  readonly toldRead: string | null;
}

/** Why a message was not stored. */
export type SendProblem =
  /** The server did not respond, or with an error that says nothing about the message. */
  | { readonly kind: "network" }
  | { readonly kind: "too-fast" }
  /** The server's reason, and the places in the text that its rules object to. */
  | { readonly kind: "refused"; readonly reason: string; readonly spans: readonly TextSpan[] };

export type Unsent = { readonly clientId: string; readonly text: string; readonly time: number } & (
  | { readonly state: "waiting" | "sending" }
  | { readonly state: "failed"; readonly problem: SendProblem }
);

export type FolderPage = OutputOf<typeof conversationList>;
export type ThreadPage = OutputOf<typeof messageList>;

export type MessagesEvent =
  /** The page has started, or its chat session could not be resumed. */
  | { type: "session-new" }
  /** The user opened the list. */
  | { type: "refreshed" }
  | { type: "folder-wanted"; folder: FolderName }
  | { type: "more-wanted"; folder: FolderName }
  | { type: "folder-loaded"; folder: FolderName; cursor: string | null; page: FolderPage }
  | { type: "folder-failed"; folder: FolderName }
  | { type: "chosen"; externalId: string | null }
  | { type: "thread-wanted" }
  | { type: "older-wanted" }
  | { type: "thread-loaded"; externalId: string; cursor: string | null; page: ThreadPage }
  /** `isGone`: the server does not show this person to the user. */
  | { type: "thread-failed"; externalId: string; isGone: boolean }
  | { type: "watched"; isWatched: boolean }
  | { type: "said"; externalId: string; clientId: string; text: string; nowMs: number }
  | { type: "tried-again"; externalId: string; clientId: string; nowMs: number }
  | { type: "discarded"; externalId: string; clientId: string }
  | { type: "stored"; externalId: string; message: Message; conversation: Conversation }
  | { type: "not-stored"; externalId: string; clientId: string; problem: SendProblem }
  | { type: "read-told"; externalId: string; unreadTotal: number | null }
  | { type: "answered"; externalId: string; conversation: Conversation | null }
  | { type: "social"; event: SocialEvent }
  | { type: "presence"; externalId: string; presence: Presence }
  | { type: "typing"; externalId: string; untilMs: number }
  | { type: "typing-over"; nowMs: number };

export type MessagesEffect =
  | { type: "load-folder"; folder: FolderName; cursor: string | null }
  | { type: "load-thread"; externalId: string; cursor: string | null }
  | { type: "send"; externalId: string; clientId: string; text: string }
  | { type: "tell-read"; externalId: string; upTo: string };

const emptyFolder: Folder = { rows: [], next: null, load: "none", failed: "none", isKnown: false, isOutdated: false };

export const emptyMessages: MessagesState = {
  unreadTotal: 0,
  requests: { count: 0, latestNick: null },
  folders: { conversations: emptyFolder, requests: emptyFolder },
  thread: null,
  unsent: new Map(),
  typing: new Map(),
  isWatched: false,
};
