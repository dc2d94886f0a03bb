import type { Conversation } from "@fava/wire/messages.ts";
import type { Key } from "#lib/i18n.ts";
import { isUnwritten } from "./boxes.ts";

/** Whether a message may be tried: to a friend, after an accepted request, or as the one request. */
export function canWrite(conversation: Conversation): boolean {
  return conversation.state === "open" || isFirstRequest(conversation);
}

/** Why nothing can be written, or no more than one message; null where there is nothing to say (rule MSG-76). */
export function whyClosed(conversation: Conversation): Extract<Key, `msg.${string}`> | null {
  switch (conversation.state) {
    case "closed":
      return isUnwritten(conversation) ? "msg.closedNew" : "msg.closed";
    case "official":
      return "msg.official";
    case "request_out":
      return isFirstRequest(conversation) ? "msg.firstRequest" : "msg.requestOut";
    case "open":
    case "request_in":
      return null;
  }
}

/** The two have met, and nothing was written yet. */
function isFirstRequest(conversation: Conversation): boolean {
  return conversation.state === "request_out" && isUnwritten(conversation);
}
