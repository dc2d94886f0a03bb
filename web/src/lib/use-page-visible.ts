import { useSyncExternalStore } from "react";

function subscribe(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}

/** Whether the page is visible; animations pause while it is not. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => !document.hidden,
    () => true,
  );
}

/**
 * Calls `begin` while the page is visible, and the function it returned when it is hidden; returns how to stop.
 */
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
