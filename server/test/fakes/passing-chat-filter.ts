import type { ChatMessageFilter } from "../../src/ports/text-rules.ts";

/** Passes every chat line. */
export const passingChatFilter: ChatMessageFilter = { evaluate: () => ({ kind: "pass" }) };
