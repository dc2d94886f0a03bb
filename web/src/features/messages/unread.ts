import { createStore, useStore } from "zustand";

/** Unread messages, and unanswered requests of others. */
interface Waiting {
  readonly messages: number;
  readonly requests: number;
}

/** Counts of all conversations; 0 while no user is signed in, and before the first load. */
const store = createStore<Waiting>(() => ({ messages: 0, requests: 0 }));

export function useWaiting(): Waiting {
  return useStore(store);
}

/** The number in the badge: messages and requests. */
export function useUnread(): number {
  return useStore(store, sum);
}

export function setWaiting(waiting: Waiting): void {
  store.setState(waiting);
}

function sum({ messages, requests }: Waiting): number {
  return messages + requests;
}
