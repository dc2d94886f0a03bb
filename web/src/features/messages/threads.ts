import type { Message } from "@fava/wire/messages.ts";
import { compareIds, mergeMessages } from "./message-order.ts";
import type { Thread, ThreadPage } from "./messages-state.ts";

export function newThread(externalId: string): Thread {
  return {
    externalId,
    conversation: null,
    messages: [],
    next: null,
    load: "first",
    failed: "none",
    isKnown: false,
    toldRead: null,
  };
}

/** Puts a page into the thread. `cursor` null: the newest messages, fetched for the first time or anew. */
export function withThreadPage(thread: Thread, page: ThreadPage, cursor: string | null): Thread {
  const loaded = { ...thread, load: "none", failed: "none", isKnown: true } as const;
  if (cursor !== null) return { ...loaded, messages: mergeMessages(thread.messages, page.messages), next: page.next };
  const oldest = page.messages.at(-1);
  const fresh = new Set(page.messages.map(({ id }) => id));
  const before = oldest ? thread.messages.filter(({ id }) => compareIds(id, oldest.id) < 0) : [];
  // Without a message that both have, some between them may be missing: what is older is fetched again when asked for.
  const meets = thread.messages.some(({ id }) => fresh.has(id));
  if (before.length > 0 && meets) return { ...loaded, messages: mergeMessages(thread.messages, page.messages) };
  const kept = thread.messages.filter((message) => !before.includes(message));
  return { ...loaded, messages: mergeMessages(kept, page.messages), next: page.next };
}

/** The newest message of the other person, or null. */
export function newestOfOther(messages: readonly Message[]): Message | null {
  return messages.findLast(({ position }) => position === "left") ?? null;
}
