declare global {
  interface Window {
    /** How many texts the translator has replaced. */
    translatedTexts?: number;
  }
}

/**
 * Runs in the page before its own scripts, and does what the translators of Chrome and Edge do once React has started:
 * replaces each text node by two `<font>` elements with its text, also new ones. The text itself stays.
 */
export function translatePage(): void {
  const kept = "[translate=no], .notranslate, script, style, title, textarea, font";
  const wrap = (text: Text) => {
    if (text.data.trim() === "" || !text.parentElement || text.parentElement.closest(kept)) return;
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.textContent = text.data;
    outer.append(inner);
    text.replaceWith(outer);
    window.translatedTexts = (window.translatedTexts ?? 0) + 1;
  };
  const wrapAll = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) wrap(text);
  };
  const translate = (records: readonly MutationRecord[]) => {
    for (const { type, target, addedNodes } of records) {
      if (type === "characterData") wrap(target as Text);
      for (const node of addedNodes) {
        if (node.nodeType === Node.TEXT_NODE) wrap(node as Text);
        else if (node.isConnected) wrapAll(node);
      }
    }
  };
  const begin = () => {
    const root = document.getElementById("root");
    // Before that React has no nodes to replace.
    const isReacts = root !== null && Object.keys(root).some((key) => key.startsWith("__react"));
    if (!isReacts) return void requestAnimationFrame(begin);
    document.documentElement.classList.add("translated-ltr");
    wrapAll(document.body);
    new MutationObserver(translate).observe(document.body, { childList: true, subtree: true, characterData: true });
  };
  begin();
}
