import { createStore, useStore } from "zustand";
import { sheetCloseMs } from "@fava/wire/limits.ts";

/**
 * The open dialogs, from the lowest to the topmost. Features open each other's dialogs by name; `app/OverlayStack.tsx`
 * maps names to components.
 */
export type OverlayName =
  | "login"
  | "contact"
  | "complete-profile"
  | "age-restriction"
  | "permission"
  | "device-tips"
  | "devices"
  | "rules"
  | "preferences"
  | "language"
  | "kicked"
  | "banned"
  | "notice"
  | "low-beans"
  | "no-profiles"
  | "shop"
  | "payment"
  | "top-up"
  | "ran-out"
  | "return-call"
  | "take-over"
  | "unchecked"
  | "paused"
  | "age-check"
  | "ring"
  | "not-taken"
  | "invite"
  | "invited"
  | "invitation"
  | "statement"
  | "withdraw"
  | "receipt"
  | "cap"
  | "messages"
  | "people"
  | "find"
  | "other-profile"
  | "report"
  | "refused"
  | "profile"
  | "account"
  | "delete-account"
  | "notify"
  | "restore-account";

/** `done`: the step was completed; `closed`: the user, or another part of the page, closed it. */
export type OverlayResult = "done" | "closed";

export interface OpenOverlay {
  readonly name: OverlayName;
  /** Distinguishes two openings of the same dialog. */
  readonly id: number;
  /** False during the closing animation. */
  readonly open: boolean;
}

type Waiting = { promise: Promise<OverlayResult>; settle: (result: OverlayResult) => void };

const store = createStore<readonly OpenOverlay[]>(() => []);
const waiting = new Map<number, Waiting>();
let lastId = 0;

/**
 * Opens a dialog and resolves when it ends, so that steps can be awaited: `if ((await openOverlay("complete-profile"))
 * === "done") ...`. A dialog that is open already stays as it is.
 */
export function openOverlay(name: OverlayName): Promise<OverlayResult> {
  const present = store.getState().find((overlay) => overlay.name === name && overlay.open);
  const known = present && waiting.get(present.id);
  if (known) return known.promise;
  lastId += 1;
  const id = lastId;
  let settle: (result: OverlayResult) => void = () => undefined;
  const promise = new Promise<OverlayResult>((resolve) => {
    settle = resolve;
  });
  waiting.set(id, { promise, settle });
  const others = store.getState().filter((overlay) => overlay.name !== name);
  store.setState([...others, { name, id, open: true }], true);
  return promise;
}

/** Closes a dialog, which leaves the page after its closing animation. Does nothing if it is not open. */
export function closeOverlay(name: OverlayName, result: OverlayResult = "closed"): void {
  const closing = store.getState().find((overlay) => overlay.name === name && overlay.open);
  if (!closing) return;
  store.setState(
    store.getState().map((overlay) => (overlay === closing ? { ...overlay, open: false } : overlay)),
    true,
  );
  setTimeout(() => {
    store.setState(
      store.getState().filter((overlay) => overlay.id !== closing.id),
      true,
    );
  }, sheetCloseMs);
  waiting.get(closing.id)?.settle(result);
  waiting.delete(closing.id);
}

/** @param kept a dialog that stays open */
export function closeAllOverlays(kept?: OverlayName): void {
  for (const { name } of store.getState()) if (name !== kept) closeOverlay(name);
}

export function isOverlayOpen(name: OverlayName): boolean {
  return store.getState().some((overlay) => overlay.name === name && overlay.open);
}

export function useOverlays(): readonly OpenOverlay[] {
  return useStore(store);
}
