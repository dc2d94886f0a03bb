import { createStore, useStore } from "zustand";

/** Unread messages, and unanswered requests of others. */
interface MessageCounts {
  readonly messages: number;
  readonly requests: number;
}

/** Counts of all conversations; 0 while no user is signed in, and before the first load. */
const store = createStore<MessageCounts>(() => ({ messages: 0, requests: 0 }));

export function useMessageCounts(): MessageCounts {
  return useStore(store);
}

/** The number in the badge: messages and requests. */
export function useUnread(): number {
  return useStore(store, sum);
}

export function setMessageCounts(waiting: MessageCounts): void {
  store.setState(waiting);
}

function sum({ messages, requests }: MessageCounts): number {
  return messages + requests;
}
