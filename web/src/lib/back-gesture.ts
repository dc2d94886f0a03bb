import { hasOpenLayer, onLayersChange } from "#lib/layers.ts";
import { callShown } from "#lib/call-shown.ts";
import { t } from "#lib/i18n.ts";
import { closeAllOverlays } from "#lib/overlays.ts";
import { dismissPassingToasts, showToast } from "#ui/toast-store.ts";

/**
 * How a platform asks to close the topmost layer: the back gesture of Android, the Escape key elsewhere (HTML, close
 * watchers). A browser without it, and a back button, only go back in the history.
 */
interface CloseWatcher extends EventTarget {
  destroy(): void;
}

declare global {
  interface Window {
    readonly CloseWatcher?: new () => CloseWatcher;
  }
}

/**
 * A dialog that must not be closed does not trap the user: after this many gestures without effect the next one leaves
 * the page.
 */
const idleGesturesMax = 3;

/**
 * While something covers the page, the back gesture acts as Escape instead of leaving Fava. If the history itself goes
 * back to another page of Fava, the dialogs of this one close, except sign-in, about which that page decides.
 */
export function followBackGesture(signal: AbortSignal): void {
  let watcher: CloseWatcher | null = null;
  let isEscape = false;
  let idleGestures = 0;
  let path = location.pathname;

  const watch = () => {
    const isCovered = !signal.aborted && (hasOpenLayer() || callShown.getState());
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
      pressEscape();
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
    // The topmost layer has handled the key, and the watcher fires in the same task.
    isEscape = true;
    setTimeout(() => (isEscape = false));
  };
  const wentBack = () => {
    if (location.pathname !== path && hasOpenLayer() && !callShown.getState()) closeAllOverlays("login");
  };

  if (!window.CloseWatcher) guardCall(signal);
  window.addEventListener("keydown", pressed, { capture: true, signal });
  window.addEventListener("pointerdown", begin, { capture: true, signal });
  window.addEventListener("popstate", wentBack, { signal });
  const stops = [onLayersChange(begin), callShown.subscribe(begin)];
  signal.addEventListener("abort", () => {
    for (const stop of stops) stop();
    watch();
  });
}

function pressEscape(): void {
  const escape = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
  (document.activeElement ?? document.body).dispatchEvent(escape);
}

/** A second gesture within this time leaves the call. */
const askedMs = 5_000;

/**
 * Without close watchers, as in Safari, the gesture would leave Fava and the call at once. An entry in the history takes
 * it instead: it closes the topmost layer, or asks for a second gesture, which ends the call.
 */
function guardCall(signal: AbortSignal): void {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  /** This page has gone back by itself, and the event is to come. */
  let isOwnStep = false;
  const follow = () => {
    if (callShown.getState()) {
      askedAtMs = Number.NEGATIVE_INFINITY;
      if (!isGuard()) history.pushState({ guardsCall: true }, "");
    } else if (isGuard()) {
      isOwnStep = true;
      history.back();
    }
  };
  const wentBack = () => {
    const isOwn = isOwnStep;
    isOwnStep = false;
    if (isOwn || !callShown.getState() || isGuard()) return follow();
    history.pushState({ guardsCall: true }, "");
    const isAsked = performance.now() - askedAtMs < askedMs;
    if (hasOpenLayer() || isAsked) {
      dismissPassingToasts();
      pressEscape();
    } else {
      askedAtMs = performance.now();
      showToast({ type: "info", text: t("call.backAgain"), durationMs: askedMs });
    }
  };
  window.addEventListener("popstate", wentBack, { signal });
  const stop = callShown.subscribe(follow);
  signal.addEventListener("abort", stop);
}

function isGuard(): boolean {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && "guardsCall" in state;
}
