import { createStore } from "zustand";

/**
 * The layers above the page that take Escape first: dialogs, menus, open lists. Only the topmost one may react, and the
 * page's own keys (end, next) are off while there is any.
 */
const store = createStore<readonly symbol[]>(() => []);

/** Adds a layer on top; returns how to remove it. */
export function pushLayer(layer: symbol): () => void {
  store.setState([...store.getState(), layer], true);
  return () => {
    // Removes the layer in the next task, so that the key press that closed it does not reach the layer below. On a
    // busy machine the next press may come before that timer, and then removes the layer first.
    const timer = setTimeout(remove);
    window.addEventListener("keydown", remove, { capture: true });
    function remove(): void {
      clearTimeout(timer);
      window.removeEventListener("keydown", remove, { capture: true });
      const layers = store.getState();
      store.setState(layers.toSpliced(layers.lastIndexOf(layer), 1), true);
    }
  };
}

/** Calls the listener when a layer is added or removed; returns how to unsubscribe. */
export const onLayersChange: (listener: () => void) => () => void = store.subscribe;

export function isTopLayer(layer: symbol): boolean {
  return store.getState().at(-1) === layer;
}

export function hasOpenLayer(): boolean {
  return store.getState().length > 0;
}
