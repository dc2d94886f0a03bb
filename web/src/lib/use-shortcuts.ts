import { useLayoutEffect, useRef } from "react";
import { isComposing } from "#lib/composing.ts";
import { hasOpenLayer } from "#lib/layers.ts";

/**
 * Hears the page's keys while no dialog or menu lies over it. `pressed` answers whether the key meant something, so that
 * the browser leaves it alone then.
 */
export function useShortcuts(pressed: (key: Shortcut) => boolean): void {
  useKeys(pressed, () => !hasOpenLayer());
}

/** The same inside of a dialog, which owns the keys while it is open. */
export function useDialogShortcuts(pressed: (key: Shortcut) => boolean): void {
  useKeys(pressed, () => true);
}

function useKeys(pressed: (key: Shortcut) => boolean, mayAct: () => boolean): void {
  const latest = useRef({ pressed, mayAct });
  // Both with the drawing: who sees a screen and presses at once means this one, and not the one before.
  useLayoutEffect(() => {
    latest.current = { pressed, mayAct };
  });
  useLayoutEffect(() => {
    const heard = (event: KeyboardEvent) => {
      if (!latest.current.mayAct()) return;
      const key = shortcutOf(event, keyPlace(document.activeElement));
      if (key !== null && latest.current.pressed(key)) event.preventDefault();
    };
    window.addEventListener("keydown", heard);
    return () => window.removeEventListener("keydown", heard);
  }, []);
}

/** What a press says: a small letter, a digit, `?`, `Space`, `Enter`, an arrow's name or `find`. */
type Shortcut = string;

export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** Where the focus is: in text, on something that Enter, Space or arrows belong to, or nowhere that matters. */
type KeyPlace = "text" | "control" | "arrows" | "free";

const named = new Set(["Enter", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

/**
 * What a press means to the page, or null: the keys work only while nothing else has a use for them.
 * Letters are taken from their place on the keyboard where the layout writes none of the Latin ones.
 */
export function shortcutOf(press: KeyPress, place: KeyPlace): Shortcut | null {
  if (isComposing(press) || press.altKey) return null;
  const letter = letterOf(press);
  if (press.ctrlKey || press.metaKey) return letter === "k" ? "find" : null;
  if (place === "text") return null;
  if (press.key === " ") return place === "free" ? "Space" : null;
  if (named.has(press.key)) {
    // Arrows belong to radio buttons, Enter to what can be pressed.
    const taken = press.key === "Enter" ? "control" : "arrows";
    return place === taken ? null : press.key;
  }
  if (press.key === "?") return "?";
  return letter ?? digitOf(press);
}

function letterOf({ key, code }: KeyPress): string | null {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  // A key that writes Latin text other than a letter, such as a digit, is not that letter.
  if (/^[\p{Script=Latin}\p{N}\p{P}\p{S}]$/u.test(key)) return null;
  return /^Key[A-Z]$/.exec(code) ? code.slice(3).toLowerCase() : null;
}

function digitOf({ key, code }: KeyPress): string | null {
  if (/^[0-9]$/.test(key)) return key;
  return /^(?:Digit|Numpad)[0-9]$/.exec(code) ? code.slice(-1) : null;
}

/** The place that the focused element is. */
function keyPlace(element: Element | null): KeyPlace {
  if (element instanceof HTMLInputElement) {
    if (element.type === "radio") return "arrows";
    return element.type === "checkbox" ? "control" : "text";
  }
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return "text";
  if (element instanceof HTMLElement && element.isContentEditable) return "text";
  // A row of the queue is opened when it has the focus: Enter and Space then mean the case.
  if (element?.closest("[data-shortcuts-free]")) return "free";
  return element?.closest("button, a, summary") ? "control" : "free";
}
