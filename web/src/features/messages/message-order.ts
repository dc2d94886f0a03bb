import type { Conversation, Message } from "@fava/wire/messages.ts";

/** Order of two message ids: decimal digits without leading zeros, too long for a number. Negative: `a` is older. */
export function compareIds(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : Number(a > b);
}

/** Both lists as one, oldest first, each message once by its id and by its sender's; the later list wins. */
export function mergeMessages(known: readonly Message[], arrived: readonly Message[]): readonly Message[] {
  const ids = new Set(arrived.map(({ id }) => id));
  const clientIds = new Set(arrived.map(clientKey));
  const kept = known.filter((message) => !ids.has(message.id) && !clientIds.has(clientKey(message)));
  return [...kept, ...arrived].toSorted((a, b) => compareIds(a.id, b.id));
}

/** Two people may have made the same client id. */
function clientKey({ clientId, position }: Message): string {
  return `${position} ${clientId}`;
}

/** Whether `arrived` knows at least as much as `known`: an older answer must not undo a newer event. */
export function isAsNew(arrived: Conversation, known: Conversation): boolean {
  if (!known.lastMessage) return true;
  return arrived.lastMessage !== null && compareIds(arrived.lastMessage.id, known.lastMessage.id) >= 0;
}

/**
 * Newest first; a conversation without a message stands at the top, and the account
 * of this service at the very end.
 */
export function byLastMessage(a: Conversation, b: Conversation): number {
  if (a.state === "official" || b.state === "official")
    return Number(a.state === "official") - Number(b.state === "official");
  if (!a.lastMessage || !b.lastMessage) return Number(a.lastMessage !== null) - Number(b.lastMessage !== null);
  return b.lastMessage.time - a.lastMessage.time;
}
