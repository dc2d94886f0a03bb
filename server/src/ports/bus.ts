import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Push } from "@fava/wire/pushes.ts";
import type { ServerMessage } from "@fava/wire/socket.ts";

/** Messages without retries: delivered to the current socket or lost. */
export type PassingMessage = Extract<
  ServerMessage,
  {
    type:
      | "signal"
      | "peer-media"
      | "peer-quality"
      | "presence"
      | "typing"
      | "chat-stored"
      | "inspect"
      | "shield"
      | "told"
      | "error";
  }
>;
/** A chat line is kept and replayed like a push. */
export type ChatMessage = Omit<Extract<ServerMessage, { type: "chat" }>, "sequence">;
/** A message that is kept until the page acknowledges it. */
export type KeptMessage = Extract<ServerMessage, { type: "push" | "chat" | "social" }>;

/** Reaches the user's browser at any server. Never throws; drops messages to users without a chat session. */
export interface Bus {
  /** Delivers exactly once to the user's live chat session, across reconnects. */
  push(userId: bigint, push: Push): void;
  chat(userId: bigint, line: ChatMessage): void;
  /** Kept and replayed like a push. */
  social(userId: bigint, event: SocialEvent): void;
  pass(userId: bigint, message: PassingMessage): void;
  /**
   * Resolves to whether the chat session accepted the push; false without an answer. `HubListener.unheard` gets the
   * unacknowledged messages of an ended session.
   */
  confirm(userId: bigint, push: Push): Promise<boolean>;
  /** Whether this server has the user's chat session, connected or within `socketResumeMs` after a loss. */
  isHere(userId: bigint): boolean;
  /** Whether any server is the user's home. */
  isPresent(userId: bigint): Promise<boolean>;
  /** Number of users with a chat session; other servers count as they last reported. */
  presentCount(): number;
}
