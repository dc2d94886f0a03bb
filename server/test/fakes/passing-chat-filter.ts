import type { ChatMessageFilter } from "../../src/ports/chat-message-filter.ts";

/** Rules for chat lines that let everything pass. */
export const passingChatFilter: ChatMessageFilter = { evaluate: () => ({ kind: "pass" }) };
