import { createStore, useStore } from "zustand";
import { openOverlay } from "#lib/overlays.ts";

/** What the dialog about a deleted account is about. */
export interface ComeBack {
  /** Until when the account can come back, milliseconds since the epoch. */
  readonly until: number;
  /** Lets a sign-in to the deleted account go on; null just after the deletion, when there is nothing to ask. */
  readonly restoreToken: string | null;
}

const store = createStore<ComeBack>(() => ({ until: 0, restoreToken: null }));

export function useComeBack(): ComeBack {
  return useStore(store);
}

/** A sign-in met a deleted account: asks whether to come back. */
export function openComeBack(until: number, restoreToken: string): void {
  store.setState({ until, restoreToken });
  void openOverlay("come-back");
}

/** The account was just deleted: says until when it can come back. */
export function openFarewell(until: number): void {
  store.setState({ until, restoreToken: null });
  void openOverlay("come-back");
}
