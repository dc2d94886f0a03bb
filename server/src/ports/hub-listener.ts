import type { ClientMessage, SearchMediaState, ServerMessage } from "@fava/wire/socket.ts";
import type { KeptMessage } from "./bus.ts";

/** Messages about a room, which the calls domain handles. */
export type RoomMessage = Extract<
  ClientMessage,
  { type: "signal" | "chat" | "media" | "quality" | "reaction" | "two-choice" }
>;

/** `page_gone`: closed or reloaded, which look alike. `moved`: the session continues at another server. */
export type Departure = "closed" | "page_gone" | "timed_out" | "replaced" | "kicked" | "banned" | "moved";

/** Events of chat sessions, called after the hub's own state has changed. No method may throw; each is optional. */
export interface HubListener {
  /** The user has a new chat session. State of an earlier one does not apply. */
  arrived(userId: bigint): void;
  /** The socket was lost; the user may return within `socketResumeMs`. */
  dropped(userId: bigint): void;
  resumed(userId: bigint): void;
  gone(userId: bigint, how: Departure): void;
  /** After `gone`: messages that the page did not acknowledge and the hub does not resend. Not for a moved session. */
  unheard(userId: bigint, messages: readonly KeptMessage[]): void;
  roomMessage(userId: bigint, message: RoomMessage): void;
  /** After `arrived` or `resumed`: the page reports that it is in the call of this ticket. */
  returned(userId: bigint, ticket: string): void;
  /** The page shows the camera preview, so a search may begin soon. */
  preview(userId: bigint): void;
  searchMedia(userId: bigint, state: SearchMediaState): void;
  /** The page reports the bytes that it received through the relay in a room. */
  relayed(userId: bigint, roomId: string, bytes: number): void;
  /** The user is typing to the user with this chat id. */
  typing(userId: bigint, externalId: string): void;
}

/** A signed request that came as a message over a chat socket. */
export interface SocketRequest {
  readonly userId: bigint;
  readonly ip: string;
  readonly userAgent: string;
  readonly message: Extract<ClientMessage, { type: "request" }>;
}

/** Executes the request as if it had come by POST, and returns the same response. Never rejects. */
export type AnswerSocketRequest = (
  request: SocketRequest,
) => Promise<Extract<ServerMessage, { type: "response" }>["answer"]>;
