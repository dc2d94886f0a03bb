import type { ChatMessageFilter } from "../../src/ports/text-rules.ts";

/** Rules for chat lines that let everything pass. */
export const passingChatFilter: ChatMessageFilter = { evaluate: () => ({ kind: "pass" }) };
