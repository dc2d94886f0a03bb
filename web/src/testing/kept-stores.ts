import { createStore as newStore, type StateCreator, type StoreApi } from "zustand/vanilla";

/** Takes the place of `zustand` in component tests: the stores of the page are known, and go back to how they began. */

/** @public */
export { useStore } from "zustand/react";

/** A person's own stores go with their session. */
const stores: WeakRef<StoreApi<unknown>>[] = [];
const left = new WeakSet<object>();

/** @public */
export const createStore = ((state?: StateCreator<unknown>) =>
  state ? known(newStore(state)) : (later: StateCreator<unknown>) => known(newStore(later))) as typeof newStore;

/** Such a store is not put back from here: what it holds must not come twice, such as the number of a search. */
export function leaveStore(store: object): void {
  left.add(store);
}

export function putStoresBack(): void {
  for (const reference of stores) {
    const store = reference.deref();
    if (store && !left.has(store)) store.setState(store.getInitialState(), true);
  }
}

function known(store: StoreApi<unknown>): StoreApi<unknown> {
  stores.push(new WeakRef(store));
  return store;
}
