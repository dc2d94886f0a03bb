import { useEffect, useState } from "react";
import type { CallView } from "#features/call/machine/call-store.ts";
import { isMeterOpen } from "#features/call/meter/meter-panel.ts";
import { hasOpenLayer } from "#lib/layers.ts";
import { useMediaQuery } from "#lib/use-media-query.ts";
import { isExitConfirmOpen } from "./exit-confirm.ts";
import { usePictureSeen } from "./video-shown.ts";

/** So long nobody has touched anything when the controls over the picture fade. */
const fadeAfterMs = 4_000;

const wakers = ["pointerdown", "pointermove", "keydown", "focusin", "wheel"] as const;

/**
 * Whether the controls over the picture have faded: what is marked with `data-fades` is transparent then.
 * It stays where it is for readers; a finger only brings it back. They never fade where no picture is to be seen, with little motion, while something of
 * them has the focus, and once keys or a reader have pressed something.
 */
export function useFading({ call, other }: CallView): boolean {
  const [faded, setFaded] = useState(false);
  const isStill = useMediaQuery("(prefers-reduced-motion: reduce)");
  const isAssisted = useAssisted();
  const isSeen = usePictureSeen(call, other);
  const mayFade = isSeen && !isStill && !isAssisted;
  useEffect(() => {
    if (!mayFade) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => {
      clearTimeout(timer);
      timer = setTimeout(() => (isInUse() ? rest() : setFaded(true)), fadeAfterMs);
    };
    const wake = () => {
      setFaded(false);
      rest();
    };
    rest();
    for (const type of wakers) window.addEventListener(type, wake, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      setFaded(false);
      for (const type of wakers) window.removeEventListener(type, wake, { capture: true });
    };
  }, [mayFade]);
  useHarmlessTouch();
  return faded && mayFade;
}

/** A press that no pointer made: by a key, a switch or a reader. It is true from the first one on. */
function useAssisted(): boolean {
  const [isAssisted, setAssisted] = useState(false);
  useEffect(() => {
    const pressed = ({ isTrusted, detail }: MouseEvent) => isTrusted && detail === 0 && setAssisted(true);
    // After React has taken the press: drawn anew before, a radio button that it chooses would be put back.
    window.addEventListener("click", pressed);
    return () => window.removeEventListener("click", pressed);
  }, []);
  return isAssisted;
}

/** Something lies over the call, has the focus in a way that is shown, or is under a pointer that rests on it. */
function isInUse(): boolean {
  if (hasOpenLayer() || isMeterOpen() || isExitConfirmOpen()) return true;
  const focused = document.querySelector("#call :focus-visible");
  if (focused && focused.tagName !== "MAIN") return true;
  return document.querySelector("#call :is(button, a, input):hover") !== null && matchMedia("(hover: hover)").matches;
}

/** What a finger hits while it cannot be seen is not pressed: nobody meant it. */
function useHarmlessTouch(): void {
  useEffect(() => {
    let isUnseen = false;
    const touched = ({ target, pointerType }: PointerEvent) => {
      const hit = target instanceof Element ? target.closest("[data-fades]") : null;
      isUnseen = pointerType !== "mouse" && hit !== null && getComputedStyle(hit).opacity === "0";
    };
    const pressed = (event: MouseEvent) => {
      if (!isUnseen || event.detail === 0) return;
      isUnseen = false;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("pointerdown", touched, { capture: true });
    window.addEventListener("click", pressed, { capture: true });
    return () => {
      window.removeEventListener("pointerdown", touched, { capture: true });
      window.removeEventListener("click", pressed, { capture: true });
    };
  }, []);
}
