import type { ClientMessage, SearchMediaState, ServerMessage } from "@fava/wire/socket.ts";
import type { KeptMessage } from "./bus.ts";

/** Messages that belong to a room; what they mean is the call service's business. */
export type RoomMessage = Extract<ClientMessage, { type: "signal" | "chat" | "media" | "quality" }>;

/**
 * How a person left for good. `page_gone`: a page was closed or loaded anew, which nobody can tell apart. `moved`: their
 * chat session goes on at another server.
 */
export type Departure = "closed" | "page_gone" | "timed_out" | "replaced" | "kicked" | "banned" | "moved";

/** Who hears of people coming and going; a listener may leave out what it does not need. Called after the hub's own state has changed; must not throw. */
export interface HubListener {
  /** A new chat session; nothing of an earlier one lives on. */
  arrived(userId: bigint): void;
  /** The socket was lost; the person may come back within `socketResumeMs`. */
  dropped(userId: bigint): void;
  resumed(userId: bigint): void;
  gone(userId: bigint, how: Departure): void;
  /**
   * After `gone`, where the page had not acknowledged all of its session: it may have had these or not, and is sent them no
   * more. Not of one that has moved, which takes them along.
   */
  unheard(userId: bigint, messages: readonly KeptMessage[]): void;
  roomMessage(userId: bigint, message: RoomMessage): void;
  /** After `arrived` or `resumed`: the page is in the call of this ticket. */
  returned(userId: bigint, ticket: string): void;
  /** The user's camera preview is up: a search may begin soon. */
  preview(userId: bigint): void;
  /** What the person says of the own camera while searching. */
  searchMedia(userId: bigint, state: SearchMediaState): void;
  /** The person writes to whoever has this chat id. */
  typing(userId: bigint, externalId: string): void;
}

/** A signed request that came as a message on a chat socket. */
export interface SocketRequest {
  /** Whose chat session it is. */
  readonly userId: bigint;
  /** As the upgrade of the socket said them. */
  readonly ip: string;
  readonly userAgent: string;
  readonly message: Extract<ClientMessage, { type: "request" }>;
}

/** Checks the request as its POST would be, does it, and says what a POST would be answered; never rejects. */
export type AnswerSocketRequest = (
  request: SocketRequest,
) => Promise<Extract<ServerMessage, { type: "response" }>["answer"]>;
