import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Push } from "@fava/wire/pushes.ts";
import type { ServerMessage } from "@fava/wire/socket.ts";

/** Messages that go to a person at once or not at all: nothing of them is kept for a later session. */
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
/** A message that is kept until it is acknowledged. */
export type KeptMessage = Extract<ServerMessage, { type: "push" | "chat" | "social" }>;

/**
 * How features reach a person's browser, whichever process of the site has its socket. Never throws; a person without a
 * chat session is nobody.
 */
export interface Bus {
  /** Delivered exactly once to the person's live chat session, across reconnects. */
  push(userId: bigint, push: Push): void;
  chat(userId: bigint, line: ChatMessage): void;
  /** Kept and replayed like a push. */
  social(userId: bigint, event: SocialEvent): void;
  pass(userId: bigint, message: PassingMessage): void;
  /**
   * Like `push`; whether the person's chat session has it. False also where the process that has the session was silent.
   * What its page has not acknowledged when it ends, the home hears of (`HubListener.unheard`).
   */
  confirm(userId: bigint, push: Push): Promise<boolean>;
  /** Whether this process is the person's home: has the chat session, connected or dropped for less than the resume time. */
  isHere(userId: bigint): boolean;
  /** Whether any process is. */
  isPresent(userId: bigint): Promise<boolean>;
  /** Number of people with a chat session; of other processes as they last said it. */
  presentCount(): number;
}
