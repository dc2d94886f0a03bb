import { createStore, useStore } from "zustand";

/** Unread messages of all conversations that are no requests; 0 while nobody is signed in, or nothing is known yet. */
const store = createStore<number>(() => 0);

export function useUnread(): number {
  return useStore(store);
}

export function unreadNow(): number {
  return store.getState();
}

export function setUnread(total: number): void {
  store.setState(total, true);
}

/** How a badge shows a number: above 99 only that there are more. */
export function badgeText(total: number): string {
  return total > 99 ? "99+" : String(total);
}
