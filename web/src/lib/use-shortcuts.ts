import { useLayoutEffect, useRef } from "react";
import { isComposing } from "#lib/composing.ts";
import { hasOpenLayer } from "#lib/layers.ts";

/**
 * Listens to the page's shortcuts while no dialog or menu covers it. `pressed` returns whether it handled the key,
 * which then does not reach the browser.
 */
export function useShortcuts(pressed: (key: Shortcut) => boolean): void {
  useKeys(pressed, () => !hasOpenLayer());
}

/** As `useShortcuts`, inside a dialog, which owns the keys while it is open. */
export function useDialogShortcuts(pressed: (key: Shortcut) => boolean): void {
  useKeys(pressed, () => true);
}

function useKeys(pressed: (key: Shortcut) => boolean, mayAct: () => boolean): void {
  const latest = useRef({ pressed, mayAct });
  // In the layout phase: a user who sees a screen and presses at once means this screen, not the one before.
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

/** A lower-case letter, a digit, `?`, `Space`, `Enter`, the name of an arrow key, or `find`. */
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

/** The focus: text, an element that uses Enter and Space or the arrow keys, or anything else. */
type KeyPlace = "text" | "control" | "arrows" | "free";

const named = new Set(["Enter", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

/**
 * The shortcut of a key press, or null: shortcuts work only if nothing else uses the key. Letters come from their
 * position on the keyboard if the layout has no Latin ones.
 */
export function shortcutOf(press: KeyPress, place: KeyPlace): Shortcut | null {
  if (isComposing(press) || press.altKey) return null;
  const letter = letterOf(press);
  if (press.ctrlKey || press.metaKey) return letter === "k" ? "find" : null;
  if (place === "text") return null;
  if (press.key === " ") return place === "free" ? "Space" : null;
  if (named.has(press.key)) {
    // Radio buttons use the arrow keys, buttons use Enter.
    const taken = press.key === "Enter" ? "control" : "arrows";
    return place === taken ? null : press.key;
  }
  if (press.key === "?") return "?";
  return letter ?? digitOf(press);
}

function letterOf({ key, code }: KeyPress): string | null {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  // A key that types another Latin character, such as a digit, is not that letter.
  if (/^[\p{Script=Latin}\p{N}\p{P}\p{S}]$/u.test(key)) return null;
  return /^Key[A-Z]$/.exec(code) ? code.slice(3).toLowerCase() : null;
}

function digitOf({ key, code }: KeyPress): string | null {
  if (/^[0-9]$/.test(key)) return key;
  return /^(?:Digit|Numpad)[0-9]$/.exec(code) ? code.slice(-1) : null;
}

function keyPlace(element: Element | null): KeyPlace {
  if (element instanceof HTMLInputElement) {
    if (element.type === "radio") return "arrows";
    return element.type === "checkbox" ? "control" : "text";
  }
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return "text";
  if (element instanceof HTMLElement && element.isContentEditable) return "text";
  if (element?.closest("[data-own-arrows]")) return "arrows";
  // The item of the focused row is open, so Enter and Space act on the item.
  if (element?.closest("[data-shortcuts-free]")) return "free";
  return element?.closest("button, a, summary") ? "control" : "free";
}
