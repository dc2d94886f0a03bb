import type { ChatMessageFilter } from "../../src/ports/text-rules.ts";

export const passingChatFilter: ChatMessageFilter = { evaluate: () => ({ kind: "pass" }) };
