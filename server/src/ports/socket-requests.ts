import type { ClientMessage, ServerMessage } from "@fava/wire/socket.ts";

/** A signed call that came as a message on a chat socket. */
export interface SocketRequest {
  /** Whose chat session it is. */
  readonly userId: bigint;
  /** As the upgrade of the socket said them. */
  readonly ip: string;
  readonly userAgent: string;
  readonly message: Extract<ClientMessage, { type: "request" }>;
}

/** Checks the call as a POST of it would be, makes it, and says what a POST would be answered; never rejects. */
export type AnswerSocketRequest = (
  request: SocketRequest,
) => Promise<Extract<ServerMessage, { type: "response" }>["answer"]>;
