import { type RefObject, useEffect, useRef } from "react";
import { useOverlays } from "#lib/overlays.ts";
import type { CallState } from "./call-state.ts";

/**
 * Keeps the focus within the call (rule A11Y-4): what had it goes with each state, and the page below is out of reach.
 * It moves to the call as a whole, never to End or Next, which a key that is still pressed would press.
 */
export function useCallFocus({ status }: CallState): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const overlays = useOverlays();
  useEffect(() => {
    if (status === "idle") return undefined;
    // After a dialog that goes has tried to give it back to the page.
    const timer = setTimeout(() => {
      const active = document.activeElement;
      const isLost = active === null || active === document.body || active.closest("#page") !== null;
      if (isLost) main.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [status, overlays]);
  return main;
}
