import { createStore, useStore } from "zustand";

export interface ShownLoading {
  readonly id: number;
  readonly text: string;
  /** Shows a button that stops the work, where stopping it is safe; otherwise null. */
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

/** The newest running work, or undefined. */
export function useLoading(): ShownLoading | undefined {
  return useStore(store, (shown) => shown.at(-1));
}
