import { type RefObject, useEffect } from "react";

/** Two presses within this time and distance belong together. */
const doubleTapMs = 350;
const doubleTapPx = 48;

/** Does something when a picture is pressed twice in one place, and nothing for what lies over it and can be used. */
export function useDoubleTap(place: RefObject<HTMLElement | null>, act: () => void): void {
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    let last: { atMs: number; x: number; y: number } | null = null;
    const pressed = (event: MouseEvent) => {
      if (!(event.target instanceof Element) || event.target.closest("button, a, input, label, textarea")) return;
      const now = { atMs: event.timeStamp, x: event.clientX, y: event.clientY };
      const isSecond =
        last !== null &&
        now.atMs - last.atMs <= doubleTapMs &&
        Math.hypot(now.x - last.x, now.y - last.y) <= doubleTapPx;
      last = isSecond ? null : now;
      if (isSecond) act();
    };
    element.addEventListener("click", pressed);
    return () => element.removeEventListener("click", pressed);
  }, [place, act]);
}
