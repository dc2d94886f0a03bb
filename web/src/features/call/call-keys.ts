export type CallKeyAction = "close-panel" | "end" | "next" | "blur" | "microphone" | "camera" | "write";
export type KeyFocus = "text" | "arrows" | "other";

interface PressedKey {
  key: string;
  code: string;
  repeat: boolean;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** What a key means, given what is on top and where the focus is; null where it is not the call's. */
export function callKeyAction(
  event: PressedKey,
  page: { covered: boolean; panelOpen: boolean; focus: KeyFocus; rightToLeft: boolean },
): CallKeyAction | null {
  if (page.covered || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return null;
  if (event.key === "Escape" && page.panelOpen) return "close-panel";
  if (event.key === "Escape") return page.focus === "text" ? "blur" : "end";
  if (page.focus === "text") return null;
  if (event.key === "ArrowRight" || (page.rightToLeft && event.key === "ArrowLeft")) {
    return page.focus === "arrows" ? null : "next";
  }
  if (event.code === "KeyM") return "microphone";
  if (event.code === "KeyV") return "camera";
  return event.key === "/" || event.code === "KeyT" ? "write" : null;
}
