import { useEffect, useState } from "react";
import { createStore, useStore } from "zustand";
import type { CallView } from "#features/call/machine/call-store.ts";
import { isMeterOpen } from "#features/call/meter/meter-panel.ts";
import { hasOpenLayer } from "#lib/layers.ts";
import { useMediaQuery } from "#lib/use-media-query.ts";
import { isInRoom } from "#features/call/machine/call-state.ts";
import { isExitConfirmOpen } from "./exit-confirm.ts";
import { usePictureSeen } from "./video-shown.ts";

/** The controls over the video fade after this long without input. */
const fadeAfterMs = 4_000;

const wakers = ["pointerdown", "pointermove", "keydown", "focusin", "wheel"] as const;

/** The room whose controls have faded. Apart from the call screen, which is too large to be rendered at each touch. */
const store = createStore<{ roomId: string | null }>(() => ({ roomId: null }));

/** Whether the controls over the video of this room have faded (`useFading`). */
export function useFaded(roomId: string | null): boolean {
  return useStore(store, (faded) => faded.roomId !== null && faded.roomId === roomId);
}

/**
 * Lets the controls over the video fade: elements with `data-fades` are transparent then. Screen readers still reach
 * them, and a touch only shows them again. They never fade without visible video, with reduced motion, while one of
 * them has the focus, or after a press by keyboard or screen reader.
 */
export function useFading({ call, other }: CallView): void {
  const isStill = useMediaQuery("(prefers-reduced-motion: reduce)");
  const isAssisted = useAssisted();
  const isSeen = usePictureSeen(call, other);
  const mayFade = isSeen && !isStill && !isAssisted;
  const roomId = isInRoom(call) ? call.match.roomId : null;
  useEffect(() => {
    if (!mayFade) return undefined;
    const setFaded = (isFaded: boolean) => store.setState({ roomId: isFaded ? roomId : null });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => {
      clearTimeout(timer);
      timer = setTimeout(() => (isInUse() ? rest() : setFaded(true)), fadeAfterMs);
    };
    const wake = (event: Event) => {
      if (!isTouchOnNext(event)) setFaded(false);
      rest();
    };
    rest();
    for (const type of wakers) window.addEventListener(type, wake, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      setFaded(false);
      for (const type of wakers) window.removeEventListener(type, wake, { capture: true });
    };
  }, [mayFade, roomId]);
  useHarmlessTouch();
}

/** It leaves the call: its controls would appear for nothing, while the browser has the next match to do. */
function isTouchOnNext({ type, target }: Event): boolean {
  if (!(target instanceof Element) || !target.closest("[data-next]")) return false;
  return type === "pointerdown" || (type === "focusin" && !target.matches(":focus-visible"));
}

/** Whether a press came from no pointer: a key, a switch or a screen reader. Stays true after the first one. */
function useAssisted(): boolean {
  const [isAssisted, setAssisted] = useState(false);
  useEffect(() => {
    const pressed = ({ isTrusted, detail }: MouseEvent) => isTrusted && detail === 0 && setAssisted(true);
    // After React has handled the press: an earlier render would reset a radio button that it chooses.
    window.addEventListener("click", pressed);
    return () => window.removeEventListener("click", pressed);
  }, []);
  return isAssisted;
}

/** Whether a layer covers the call, a control has visible focus, or a mouse pointer rests on a control. */
function isInUse(): boolean {
  if (hasOpenLayer() || isMeterOpen() || isExitConfirmOpen()) return true;
  const focused = document.querySelector("#call :focus-visible");
  if (focused && focused.tagName !== "MAIN") return true;
  return document.querySelector("#call :is(button, a, input):hover") !== null && matchMedia("(hover: hover)").matches;
}

/** A touch on an invisible control does not press it, because the user did not mean to. */
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
