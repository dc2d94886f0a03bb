import { createStore, useStore } from "zustand";

/** What waits for the person: unread messages, and requests of others without an answer. */
interface Waiting {
  readonly messages: number;
  readonly requests: number;
}

/** Of all conversations; nothing while nobody is signed in, or nothing is known yet. */
const store = createStore<Waiting>(() => ({ messages: 0, requests: 0 }));

export function useWaiting(): Waiting {
  return useStore(store);
}

/** What the badge counts: one for each message and each request. */
export function useUnread(): number {
  return useStore(store, sum);
}

export function setWaiting(waiting: Waiting): void {
  store.setState(waiting);
}

function sum({ messages, requests }: Waiting): number {
  return messages + requests;
}
