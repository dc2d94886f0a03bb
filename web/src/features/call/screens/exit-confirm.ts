import { createStore, useStore } from "zustand";

/** Whether "Get out" is open: the keys of the call close it before they end the call. */
const store = createStore<{ open: boolean }>(() => ({ open: false }));

export function isExitConfirmOpen(): boolean {
  return store.getState().open;
}

export function setExitConfirmOpen(open: boolean): void {
  store.setState({ open });
}

export function useExitConfirmOpen(): boolean {
  return useStore(store, ({ open }) => open);
}
