import { createStore } from "zustand";

/**
 * Everything that lies over the page and takes Escape first: dialogs, menus, open lists. Only the top one may react,
 * and the page's own keys (end, next) do nothing while there is any.
 */
const store = createStore<readonly symbol[]>(() => []);

/** Puts a layer on top; answers how to take it away again. */
export function pushLayer(layer: symbol): () => void {
  store.setState([...store.getState(), layer], true);
  return () => {
    // After the event that closed it, so that the same key press does not reach what lies below; but before the next
    // press, which on a busy machine is heard earlier than a timer.
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

/** Calls the listener whenever a layer comes or goes; answers how to stop. */
export const onLayersChange: (listener: () => void) => () => void = store.subscribe;

export function isTopLayer(layer: symbol): boolean {
  return store.getState().at(-1) === layer;
}

export function hasOpenLayer(): boolean {
  return store.getState().length > 0;
}
