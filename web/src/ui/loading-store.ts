import { createStore, useStore } from "zustand";

export interface ShownLoading {
  readonly id: number;
  /** What is being done, in words. */
  readonly text: string;
  /** Only where stopping is safe: shows a button that stops. */
  readonly onCancel: (() => void) | null;
}

const store = createStore<readonly ShownLoading[]>(() => []);
let lastId = 0;

/**
 * Covers the page while something is worked on, once that has taken 200 ms. Answers how to take the cover away; whoever
 * shows it owns that call, in a `finally`.
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

/** The one that was asked for last, or undefined. */
export function useLoading(): ShownLoading | undefined {
  return useStore(store, (shown) => shown.at(-1));
}
