import { createStore, useStore } from "zustand";

export interface ShownLoading {
  readonly id: number;
  /** The running work as text. */
  readonly text: string;
  /** Only where stopping is safe: shows a button that stops. */
  readonly onCancel: (() => void) | null;
}

const store = createStore<readonly ShownLoading[]>(() => []);
let lastId = 0;

/**
 * Covers the page while something runs, once that has taken 200 ms. Returns a function that removes the cover; call it
 * in a `finally`.
 */
export function showLoading(text: string, onCancel: (() => void) | null = null): () => void {
  lastId += 1;
  const id = lastId;
  store.setState([...store.getState(), { id, text, onCancel }], true);
  return () =>
    store.setState(
      store.getState().filter((loading) => loading.id !== id),
      true,
    );
}

/** The newest one, or undefined. */
export function useLoading(): ShownLoading | undefined {
  return useStore(store, (shown) => shown.at(-1));
}
