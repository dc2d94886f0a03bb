import { hasOpenLayer, onLayersChange } from "#lib/layers.ts";
import { overCall } from "#lib/over-call.ts";
import { closeAllOverlays } from "#lib/overlays.ts";

/**
 * How a platform asks to close what is on top: the back gesture of Android, the Escape key elsewhere (HTML, close watchers).
 * Where browsers have none, and where one goes back with a button, it is the history alone that goes back.
 */
interface CloseWatcher extends EventTarget {
  destroy(): void;
}

declare global {
  interface Window {
    readonly CloseWatcher?: new () => CloseWatcher;
  }
}

/** Nobody is kept on the page by a dialog that is not to be closed: after as many gestures without effect one leaves. */
const idleGesturesMax = 3;

/**
 * While something lies over the page, the back gesture does what Escape does, instead of leaving Fava. Where the
 * history itself goes back to another page of Fava, what lay over this one goes with it; whether one is to sign
 * in there that page says.
 */
export function followBackGesture(signal: AbortSignal): void {
  let watcher: CloseWatcher | null = null;
  let isEscape = false;
  let idleGestures = 0;
  let path = location.pathname;

  const watch = () => {
    const isCovered = !signal.aborted && (hasOpenLayer() || overCall.getState());
    if (!isCovered || idleGestures >= idleGesturesMax) {
      watcher?.destroy();
      watcher = null;
    } else if (!watcher && window.CloseWatcher) {
      watcher = new window.CloseWatcher();
      watcher.addEventListener("close", closed);
    }
  };
  const closed = () => {
    watcher = null;
    if (!isEscape) {
      idleGestures += 1;
      const escape = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
      (document.activeElement ?? document.body).dispatchEvent(escape);
    }
    watch();
  };
  const begin = () => {
    idleGestures = 0;
    path = location.pathname;
    watch();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !event.isTrusted) return;
    // The key has been heard by what is on top, and the watcher hears of it in the same task.
    isEscape = true;
    setTimeout(() => (isEscape = false));
  };
  const wentBack = () => {
    if (location.pathname !== path && hasOpenLayer() && !overCall.getState()) closeAllOverlays("login");
  };

  window.addEventListener("keydown", pressed, { capture: true, signal });
  window.addEventListener("pointerdown", begin, { capture: true, signal });
  window.addEventListener("popstate", wentBack, { signal });
  const stops = [onLayersChange(begin), overCall.subscribe(begin)];
  signal.addEventListener("abort", () => {
    for (const stop of stops) stop();
    watch();
  });
}
