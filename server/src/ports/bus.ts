import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Push } from "@fava/wire/pushes.ts";
import type { ServerMessage } from "@fava/wire/socket.ts";

/** Messages that go to a person at once or not at all: nothing of them is kept for a later session. */
export type PassingMessage = Extract<
  ServerMessage,
  { type: "signal" | "peer-media" | "presence" | "typing" | "chat-stored" | "inspect" | "shield" | "error" }
>;
/** A chat line is kept and replayed like a push. */
export type ChatMessage = Omit<Extract<ServerMessage, { type: "chat" }>, "sequence">;

/** How features reach a person's browser, wherever its socket is. Never throws; a person without a session is nobody. */
export interface Bus {
  /** Delivered exactly once to the person's live chat session, across reconnects. False where there is none. */
  push(userId: bigint, push: Push): boolean;
  chat(userId: bigint, line: ChatMessage): boolean;
  /** Kept and replayed like a push. */
  social(userId: bigint, event: SocialEvent): boolean;
  pass(userId: bigint, message: PassingMessage): boolean;
  /** Whether the person has a chat session: connected, or dropped for less than the resume time. */
  isPresent(userId: bigint): boolean;
  /** Number of people with a chat session. */
  presentCount(): number;
  /** Ends the chat session for good, with a close code of `socketCloseCodes`. */
  disconnect(userId: bigint, closeCode: number): void;
}
