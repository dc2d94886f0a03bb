import { createStore, useStore } from "zustand";

const store = createStore<boolean>(() => false);

/** Called by the call screen when it covers the page, and when it closes. */
export function setOverCall(over: boolean): void {
  store.setState(over, true);
}

/** Whether a search or call covers the page. */
export function useOverCall(): boolean {
  return useStore(store);
}

/** As `useOverCall`, outside of components. */
export const overCall: Pick<typeof store, "getState" | "subscribe"> = store;

/** The theme of dialogs that open on home and over a call, which is always dark. */
export function useSheetTheme(): { theme?: "dark" } {
  return useOverCall() ? { theme: "dark" } : {};
}
