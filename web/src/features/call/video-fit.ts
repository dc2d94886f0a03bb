import { createStore, useStore } from "zustand";

/** Whether the other's picture is shown whole, with bars beside it, or fills its place and is cut (rule CALL-26). */
const store = createStore<{ whole: boolean }>(() => ({ whole: false }));

export function useVideoWhole(): boolean {
  return useStore(store, ({ whole }) => whole);
}

export function toggleVideoFit(): void {
  store.setState(({ whole }) => ({ whole: !whole }));
}
