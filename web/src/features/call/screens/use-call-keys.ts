import { type RefObject, useEffect } from "react";
import { areIcebreakersOpen, closeIcebreakers, openIcebreakers } from "#features/call/chat/icebreakers.ts";
import type { CallState } from "#features/call/machine/call-state.ts";
import type { CallRuntime } from "#features/call/machine/call-runtime.ts";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { isMeterOpen, setMeterOpen } from "#features/call/meter/meter-panel.ts";
import { isReactionRowOpen, setReactionRowOpen } from "#features/call/play/reactions.ts";
import { hasOpenLayer } from "#lib/layers.ts";
import { shownToasts } from "#ui/toast-store.ts";
import { type CallKeyAction, callKeyAction, type KeyFocus } from "./call-keys.ts";
import { isExitConfirmOpen, setExitConfirmOpen } from "./exit-confirm.ts";
import { toggleVideoFit } from "./video-shown.ts";

/**
 * The keys of a call. Escape closes the topmost layer, then "Get out", the meter, the reactions or the questions, then leaves the text
 * field, and only then ends the call. An arrow is Next where it has no other meaning; single letters work only outside
 * of text.
 */
export function useCallKeys(call: CallState, composer: RefObject<HTMLTextAreaElement | null>): void {
  const { status } = call;
  const runtime = useCallRuntime();
  useEffect(() => {
    if (status === "idle") return undefined;
    const pressed = (event: KeyboardEvent) => {
      const action = callKeyAction(event, {
        covered: hasOpenLayer() || (event.key === "Escape" && shownToasts().length > 0),
        panelOpen: isExitConfirmOpen() || isMeterOpen() || areIcebreakersOpen() || isReactionRowOpen(),
        focus: focusOf(document.activeElement),
        rightToLeft: document.documentElement.dir === "rtl",
      });
      if (!action) return;
      event.preventDefault();
      act(action, runtime, composer.current);
    };
    // In the capture phase, before Escape has closed a toast.
    window.addEventListener("keydown", pressed, { capture: true });
    return () => window.removeEventListener("keydown", pressed, { capture: true });
  }, [status, composer, runtime]);
}

/** The kind of focus: text, or elements that use the arrow keys themselves (sliders, radio buttons, lists). */
function focusOf(element: Element | null): KeyFocus {
  if (element instanceof HTMLTextAreaElement) return "text";
  if (element instanceof HTMLInputElement) {
    if (element.type === "range" || element.type === "radio") return "arrows";
    return element.type === "checkbox" || element.type === "button" ? "other" : "text";
  }
  const hasArrows = element instanceof HTMLSelectElement || element?.matches("[role=log], [data-arrows]");
  return hasArrows ? "arrows" : "other";
}

function act(action: CallKeyAction, runtime: CallRuntime, composer: HTMLTextAreaElement | null): void {
  switch (action) {
    case "close-panel":
      if (isExitConfirmOpen()) return setExitConfirmOpen(false);
      if (isMeterOpen()) return setMeterOpen(false);
      setReactionRowOpen(false);
      return closeIcebreakers();
    case "end":
      return runtime.stopCall();
    case "next":
      return runtime.nextCall();
    case "panic":
      return runtime.emergencyExit();
    case "blur":
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      return undefined;
    case "write":
      return composer?.focus();
    case "ask":
      // Without a chat there are no questions.
      return composer ? openIcebreakers() : undefined;
    case "microphone":
      return runtime.toggleMicrophone();
    case "camera":
      return runtime.toggleCamera();
    case "fit":
      return toggleVideoFit();
  }
}
