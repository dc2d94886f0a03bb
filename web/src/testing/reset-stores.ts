import { createStore as newStore, type StateCreator, type StoreApi } from "zustand/vanilla";

/** Replaces `zustand` in component tests: registers the page's stores, and resets them to their initial state. */

/** @public */
export { useStore } from "zustand/react";

/** Weak, so that the stores of a user can be freed after their session. */
const stores: WeakRef<StoreApi<unknown>>[] = [];
const left = new WeakSet<object>();

/** @public */
export const createStore = ((state?: StateCreator<unknown>) =>
  state ? known(newStore(state)) : (later: StateCreator<unknown>) => known(newStore(later))) as typeof newStore;

/** Excludes a store from the reset, because its values must not repeat, such as the number of a search. */
export function excludeFromReset(store: object): void {
  left.add(store);
}

export function resetStores(): void {
  for (const reference of stores) {
    const store = reference.deref();
    if (store && !left.has(store)) store.setState(store.getInitialState(), true);
  }
}

function known(store: StoreApi<unknown>): StoreApi<unknown> {
  stores.push(new WeakRef(store));
  return store;
}
