import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Push } from "@fava/wire/pushes.ts";
import type { ServerMessage } from "@fava/wire/socket.ts";

/** Messages that are delivered to the current socket or lost; never retried. */
export type PassingMessage = Extract<
  ServerMessage,
  {
    type:
      | "signal"
      | "peer-media"
      | "peer-quality"
      | "reaction"
      | "two-choice"
      | "presence"
      | "typing"
      | "chat-stored"
      | "inspect"
      | "shield"
      | "told"
      | "error";
  }
>;
/** The server keeps a chat line until the page acknowledges it, as a push. */
export type ChatMessage = Omit<Extract<ServerMessage, { type: "chat" }>, "sequence">;
/** A message that the server keeps and sends again until the page acknowledges it. */
export type KeptMessage = Extract<ServerMessage, { type: "push" | "chat" | "social" }>;

/** Sends messages to a user's page at any server. Never throws; drops messages to users without a chat session. */
export interface Bus {
  /** Delivers the push exactly once to the user's live chat session, also after a reconnect. */
  push(userId: bigint, push: Push): void;
  chat(userId: bigint, line: ChatMessage): void;
  /** Delivered like a push. */
  social(userId: bigint, event: SocialEvent): void;
  pass(userId: bigint, message: PassingMessage): void;
  /**
   * Resolves to whether the user's chat session accepted the push; false if that is unknown. `HubListener.unheard`
   * receives the messages that the page had not acknowledged when the session ended.
   */
  confirm(userId: bigint, push: Push): Promise<boolean>;
  /** Whether this server has the user's chat session, connected or within `socketResumeMs` after a loss. */
  isHere(userId: bigint): boolean;
  isPresent(userId: bigint): Promise<boolean>;
  /** Number of users with a chat session at any server. Other servers count as they last reported. */
  presentCount(): number;
}
