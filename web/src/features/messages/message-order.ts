import type { Conversation, Message } from "@fava/wire/messages.ts";

/** Compares two message ids: decimal digits without leading zeros, too long for a number. Negative: `a` is older. */
export function compareIds(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : Number(a > b);
}

/** Merges both lists, oldest first, each message once by its id and by its sender's client id; `arrived` wins. */
export function mergeMessages(known: readonly Message[], arrived: readonly Message[]): readonly Message[] {
  const ids = new Set(arrived.map(({ id }) => id));
  const clientIds = new Set(arrived.map(clientKey));
  const kept = known.filter((message) => !ids.has(message.id) && !clientIds.has(clientKey(message)));
  return [...kept, ...arrived].toSorted((a, b) => compareIds(a.id, b.id));
}

/** Contains the position, because both users may have generated the same client id. */
function clientKey({ clientId, position }: Message): string {
  return `${position} ${clientId}`;
}

/** Whether `arrived` is at least as new as `known`: an older response must not undo a newer event. */
export function isAsNew(arrived: Conversation, known: Conversation): boolean {
  if (!known.lastMessage) return true;
  return arrived.lastMessage !== null && compareIds(arrived.lastMessage.id, known.lastMessage.id) >= 0;
}

/** Newest first; a conversation without a message is at the top, the official account at the very end. */
export function byLastMessage(a: Conversation, b: Conversation): number {
  if (a.state === "official" || b.state === "official")
    return Number(a.state === "official") - Number(b.state === "official");
  if (!a.lastMessage || !b.lastMessage) return Number(a.lastMessage !== null) - Number(b.lastMessage !== null);
  return b.lastMessage.time - a.lastMessage.time;
}
