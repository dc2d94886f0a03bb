/**
 * Everything that lies over the page and takes Escape first: dialogs, menus, open lists. Only the top one may react,
 * and the page's own keys (end, next) do nothing while there is any (rule UI-4).
 */
const layers: symbol[] = [];
const listeners = new Set<() => void>();

/** Puts a layer on top; answers how to take it away again. */
export function pushLayer(layer: symbol): () => void {
  layers.push(layer);
  tell();
  return () => {
    // After the event that closed it, so that the same key press does not reach what lies below; but before the next
    // press, which on a busy machine is heard earlier than a timer.
    const timer = setTimeout(remove);
    window.addEventListener("keydown", remove, { capture: true });
    function remove(): void {
      clearTimeout(timer);
      window.removeEventListener("keydown", remove, { capture: true });
      const index = layers.lastIndexOf(layer);
      if (index < 0) return;
      layers.splice(index, 1);
      tell();
    }
  };
}

/** Calls the listener whenever a layer comes or goes; answers how to stop. */
export function onLayersChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}

export function isTopLayer(layer: symbol): boolean {
  return layers.at(-1) === layer;
}

export function hasOpenLayer(): boolean {
  return layers.length > 0;
}
