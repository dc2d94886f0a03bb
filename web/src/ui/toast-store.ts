import { createStore, useStore } from "zustand";
import { toastMs, toastsShownMax } from "@fava/wire/limits.ts";

type ToastType = "default" | "success" | "error" | "warning" | "info";

export interface ToastRequest {
  type?: ToastType;
  text: string;
  /** Null: it stays until the user answers, and neither other toasts nor Escape remove it. */
  durationMs?: number | null;
  /** A button in the toast; a press on it removes the toast. */
  action?: ToastAction;
}

interface ToastAction {
  readonly text: string;
  readonly run: () => void;
}

export interface ShownToast {
  readonly id: number;
  readonly type: ToastType;
  readonly text: string;
  readonly durationMs: number | null;
  readonly action: ToastAction | null;
}

const store = createStore<readonly ShownToast[]>(() => []);
let lastId = 0;

/**
 * Shows a toast at the top of the page, by default for 3 s; replaces an equal one. Beyond three toasts, the oldest that
 * does not wait for an answer is removed. Returns a function that removes the toast.
 */
export function showToast(request: ToastRequest): () => void {
  const { type = "default", text, durationMs = toastMs, action = null } = request;
  lastId += 1;
  const id = lastId;
  const others = store.getState().filter((toast) => toast.text !== text || toast.type !== type);
  const shown = [...others, { id, type, text, durationMs, action }];
  const passing = shown.findIndex((toast) => toast.durationMs !== null);
  if (shown.length > toastsShownMax) shown.splice(Math.max(0, passing), 1);
  store.setState(shown, true);
  return () => dismissToast(id);
}

export function dismissToast(id: number): void {
  store.setState(
    store.getState().filter((toast) => toast.id !== id),
    true,
  );
}

/** Escape removes all toasts but those that wait for an answer. */
export function dismissPassingToasts(): void {
  store.setState(
    store.getState().filter(({ durationMs }) => durationMs === null),
    true,
  );
}

export function useToasts(): readonly ShownToast[] {
  return useStore(store);
}

export function shownToasts(): readonly ShownToast[] {
  return store.getState();
}
