import { isComposing } from "#lib/composing.ts";

export type CallKeyAction =
  | "close-panel"
  | "end"
  | "next"
  | "blur"
  | "microphone"
  | "camera"
  | "fit"
  | "write"
  | "ask"
  | "panic";
export type KeyFocus = "text" | "arrows" | "other";

interface PressedKey {
  key: string;
  code: string;
  repeat: boolean;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  isComposing: boolean;
  keyCode: number;
}

/** The action of a key, given the topmost layer and the focus; null if the key does not belong to the call. */
export function callKeyAction(
  event: PressedKey,
  page: { covered: boolean; panelOpen: boolean; focus: KeyFocus; rightToLeft: boolean },
): CallKeyAction | null {
  const plain = !event.repeat && !event.altKey && !event.ctrlKey && !event.metaKey;
  // The emergency exit works whatever covers the call, such as an open report.
  if (event.code === "KeyX" && plain && page.focus !== "text") return "panic";
  if (page.covered || !plain || isComposing(event)) return null;
  if (event.key === "Escape" && page.panelOpen) return "close-panel";
  if (event.key === "Escape") return page.focus === "text" ? "blur" : "end";
  if (page.focus === "text") return null;
  if (event.key === "ArrowRight" || (page.rightToLeft && event.key === "ArrowLeft")) {
    return page.focus === "arrows" ? null : "next";
  }
  if (event.code === "KeyM") return "microphone";
  if (event.code === "KeyV") return "camera";
  if (event.code === "KeyF") return "fit";
  if (event.code === "KeyI") return "ask";
  return event.key === "/" || event.code === "KeyT" ? "write" : null;
}
