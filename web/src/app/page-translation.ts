import { t } from "#lib/i18n.ts";
import { callShown } from "#lib/call-shown.ts";
import { openOverlay } from "#lib/overlays.ts";
import { readStored, writeStored } from "#lib/storage.ts";
import { replacementNodes } from "#lib/translated-nodes.ts";
import { showToast } from "#ui/toast-store.ts";

/**
 * Follows page translators until `signal` aborts: texts that React changes later appear (`reviveTexts`), and the page
 * offers its own languages, once per browser.
 */
export function followTranslation(signal: AbortSignal): void {
  const root = document.documentElement;
  let isFound = false;
  const found = () => {
    if (isFound) return;
    isFound = true;
    reviveTexts(signal);
    offerLanguages(signal);
  };
  const texts = new MutationObserver((records) => {
    let isReplaced = false;
    for (const record of records) isReplaced = noteStandIns(record) || isReplaced;
    if (isReplaced) found();
  });
  texts.observe(document.body, { childList: true, subtree: true });
  // Chrome and Edge mark the document.
  const marks = new MutationObserver(() => isMarked(root) && found());
  marks.observe(root, { attributeFilter: ["class"] });
  signal.addEventListener("abort", () => {
    texts.disconnect();
    marks.disconnect();
  });
  if (isMarked(root) || document.body.querySelector("font")) found();
}

function isMarked({ classList }: Element): boolean {
  return classList.contains("translated-ltr") || classList.contains("translated-rtl");
}

/** Returns true if a text node was replaced by a `<font>` element, which Fava itself never uses. */
function noteStandIns({ addedNodes, removedNodes, previousSibling, nextSibling }: MutationRecord): boolean {
  const font = [...addedNodes, previousSibling, nextSibling].find((node) => node?.nodeName === "FONT");
  if (!font) return false;
  for (const node of removedNodes) if (node.nodeType === Node.TEXT_NODE) replacementNodes.set(node, font);
  return true;
}

/**
 * React writes into its own text nodes: a replaced one returns to the page with its new text, to be translated again.
 */
function reviveTexts(signal: AbortSignal): void {
  const present = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue");
  if (!present) return;
  Object.defineProperty(Node.prototype, "nodeValue", {
    ...present,
    set(this: Node, value: string | null) {
      present.set?.call(this, value);
      const standIn = this.isConnected ? undefined : replacementNodes.get(this);
      if (!standIn?.isConnected) return;
      replacementNodes.delete(this);
      standIn.parentNode?.replaceChild(this, standIn);
    },
  });
  signal.addEventListener("abort", () => Object.defineProperty(Node.prototype, "nodeValue", present));
}

/** Once, and never over a call. */
function offerLanguages(signal: AbortSignal): void {
  if (readStored("translationTold") === 1) return;
  let dismiss: (() => void) | null = null;
  const stop = callShown.subscribe(follow);
  signal.addEventListener("abort", stop);
  follow();
  function follow(): void {
    if (dismiss) stop();
    if (callShown.getState()) return dismiss?.();
    writeStored("translationTold", 1);
    dismiss = showToast({
      type: "info",
      text: t("translated.text"),
      durationMs: null,
      action: { text: t("home.language"), run: () => void openOverlay("language") },
    });
  }
}
