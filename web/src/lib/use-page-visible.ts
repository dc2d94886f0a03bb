import { useSyncExternalStore } from "react";

function subscribe(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}

/** Whether the page can be seen at all; what only looks alive rests meanwhile. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => !document.hidden,
    () => true,
  );
}

/** Begins while the page can be seen, and ends with what `begin` answered; answers how to stop. */
export function whilePageVisible(begin: () => () => void): () => void {
  let end: (() => void) | null = null;
  const follow = () => {
    if (!document.hidden) {
      end ??= begin();
      return;
    }
    end?.();
    end = null;
  };
  follow();
  const stop = subscribe(follow);
  return () => {
    stop();
    end?.();
  };
}
