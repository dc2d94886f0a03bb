import type { SocialFrame } from "#lib/social-frames.ts";
import type { MessagesState } from "./messages-state.ts";

/**
 * Who has written, where a screen reader should say so (rule A11Y-11): not of an own message, nor of a stranger's
 * request, nor in the open conversation, whose log says it itself.
 */
export function arrivedFrom(frame: SocialFrame, { thread }: MessagesState): string | null {
  if (frame.type !== "social" || frame.event.kind !== "message") return null;
  const { conversation, message } = frame.event;
  const isOwn = message.position === "right";
  const isOpen = thread?.externalId === conversation.externalId;
  return isOwn || isOpen || conversation.state === "request_in" ? null : conversation.userProfile.nick;
}
