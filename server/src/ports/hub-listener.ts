import type { ClientMessage, SearchMediaState, ServerMessage } from "@fava/wire/socket.ts";
import type { KeptMessage } from "./bus.ts";

/** Messages about a room; the call domain interprets them. */
export type RoomMessage = Extract<ClientMessage, { type: "signal" | "chat" | "media" | "quality" }>;

/** `page_gone`: closed or reloaded, which is indistinguishable. `moved`: the session continues at another server. */
export type Departure = "closed" | "page_gone" | "timed_out" | "replaced" | "kicked" | "banned" | "moved";

/** Every method is optional, is called after the hub's own state has changed, and must not throw. */
export interface HubListener {
  /** A new chat session, with no state of an earlier one. */
  arrived(userId: bigint): void;
  /** The socket was lost; the user may return within `socketResumeMs`. */
  dropped(userId: bigint): void;
  resumed(userId: bigint): void;
  gone(userId: bigint, how: Departure): void;
  /** Follows `gone`. The page may have received the messages; the hub does not resend them. Not for a moved session. */
  unheard(userId: bigint, messages: readonly KeptMessage[]): void;
  roomMessage(userId: bigint, message: RoomMessage): void;
  /** After `arrived` or `resumed`: the page is in the call of this ticket. */
  returned(userId: bigint, ticket: string): void;
  /** The user's camera preview is visible: a search may begin soon. */
  preview(userId: bigint): void;
  /** State of the user's own camera during a search. */
  searchMedia(userId: bigint, state: SearchMediaState): void;
  /** The user is typing to the user with this chat id. */
  typing(userId: bigint, externalId: string): void;
}

/** A signed request that arrived as a message on a chat socket. */
export interface SocketRequest {
  readonly userId: bigint;
  readonly ip: string;
  readonly userAgent: string;
  readonly message: Extract<ClientMessage, { type: "request" }>;
}

/** Checks and executes the request like its POST, and returns the response of the POST; never rejects. */
export type AnswerSocketRequest = (
  request: SocketRequest,
) => Promise<Extract<ServerMessage, { type: "response" }>["answer"]>;
