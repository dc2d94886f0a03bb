import { createStore, useStore } from "zustand";
import { openOverlay } from "#lib/overlays.ts";

/** The state of the dialog about a deleted account. */
export interface AccountRestore {
  /** Until when the account can be restored, in milliseconds since the epoch. */
  readonly until: number;
  /** Allows a sign-in to the deleted account; null right after the deletion, when the dialog asks nothing. */
  readonly restoreToken: string | null;
}

const store = createStore<AccountRestore>(() => ({ until: 0, restoreToken: null }));

export function useAccountRestore(): AccountRestore {
  return useStore(store);
}

/** A sign-in found a deleted account: asks whether to restore it. */
export function askToRestore(until: number, restoreToken: string): void {
  store.setState({ until, restoreToken });
  void openOverlay("restore-account");
}

/** The account was just deleted: says until when it can be restored. */
export function showDeletion(until: number): void {
  store.setState({ until, restoreToken: null });
  void openOverlay("restore-account");
}
