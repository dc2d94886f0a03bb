import { createStore, useStore } from "zustand";

/** Whether the meter panel is open: the keys of the call close it before they end the call. */
const store = createStore<{ open: boolean }>(() => ({ open: false }));

export function isMeterOpen(): boolean {
  return store.getState().open;
}

export function setMeterOpen(open: boolean): void {
  store.setState({ open });
}

export function useMeterOpen(): boolean {
  return useStore(store, ({ open }) => open);
}
