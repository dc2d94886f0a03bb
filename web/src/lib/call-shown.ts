import { createStore, useStore } from "zustand";

const store = createStore<boolean>(() => false);

/** Called by the call screen when it covers the page, and when it closes. */
export function setCallShown(isShown: boolean): void {
  store.setState(isShown, true);
}

/** Whether a search or call covers the page. */
export function useCallShown(): boolean {
  return useStore(store);
}

/** As `useCallShown`, outside of components. */
export const callShown: Pick<typeof store, "getState" | "subscribe"> = store;

/** The theme of dialogs that open on home and over a call, which is always dark. */
export function useSheetTheme(): { theme?: "dark" } {
  return useCallShown() ? { theme: "dark" } : {};
}
