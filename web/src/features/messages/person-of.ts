import type { Conversation } from "@fava/wire/messages.ts";
import { openReport } from "#lib/person-links.ts";
import type { PersonRef } from "#lib/relation-actions.ts";
import type { Thread } from "./messages-state.ts";
import { newestOfOther } from "./threads.ts";

/** The other person of a conversation, for what can be done about people. */
export function personRef({ userId, externalId, userProfile }: Conversation): PersonRef {
  return { userId, externalId, nickname: userProfile.nick };
}

/** Reports the other person, with the newest message as what it is about. */
export function reportThread({ conversation, messages }: Thread): void {
  if (!conversation) return;
  const newest = newestOfOther(messages);
  openReport({
    userId: conversation.userId,
    nickname: conversation.userProfile.nick,
    ...(newest && { messageId: newest.id }),
  });
}
