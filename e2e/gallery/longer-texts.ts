declare global {
  interface Window {
    /** Lengthened text nodes with their original text. */
    lengthenedTexts?: Map<Text, string>;
  }
}

/**
 * Runs in the page: makes every text about 40 per cent longer, as a translation may be, with accents that mark it (the
 * pseudo-locale en-XA). Texts that are not from the catalogs become longer as well.
 */
export function lengthenTexts(): void {
  const pairs = "aáá eéé iíí oóó uúú AÁá EÉé IÍí OÓó UÚú cç nñ sš yý zž CÇ NÑ SŠ YÝ ZŽ".split(" ");
  const accents = new Map(pairs.map((pair) => [pair.charAt(0), pair.slice(1)]));
  const originals = new Map<Text, string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest("script, style, textarea, option")) continue;
    originals.set(node, node.data);
    node.data = node.data.replaceAll(/[a-z]/gi, (letter) => accents.get(letter) ?? letter);
  }
  window.lengthenedTexts = originals;
}

/** Runs in the page: restores every text that the page has not changed meanwhile. */
export function restoreTexts(): void {
  for (const [text, words] of window.lengthenedTexts ?? [])
    if (/[áéíóúÁÉÍÓÚçñšýžÇÑŠÝŽ]/.test(text.data)) text.data = words;
  delete window.lengthenedTexts;
}

/** Runs in the page: lengthened texts that are clipped or extend beyond their button or the window. */
export function clippedTextsInPage(): string[] {
  const isLengthened = /[áéíóúÁÉÍÓÚçñšýžÇÑŠÝŽ]/;
  const slackPx = 2;
  const found = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim() ?? "";
    if (!element || !isLengthened.test(text) || !element.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    if (boxes.length === 0) continue;
    const fault = faultOf(element, boxes);
    if (fault !== null) found.add(`${fault}: ${text}`);
  }
  return [...found];

  function faultOf(from: Element, boxes: readonly DOMRect[]): string | null {
    const mayScroll = { x: false, y: false };
    for (let around: Element | null = from; around && around !== document.body; around = around.parentElement) {
      const { overflowX, overflowY, clipPath, position, textOverflow, webkitLineClamp } = getComputedStyle(around);
      const place = around.getBoundingClientRect();
      // Text for screen readers only.
      if (clipPath.startsWith("inset(50%") || (position === "absolute" && place.width <= 1)) return null;
      mayScroll.x ||= /auto|scroll/.test(overflowX);
      mayScroll.y ||= /auto|scroll/.test(overflowY);
      const cutsX = /hidden|clip/.test(overflowX) && !mayScroll.x;
      const cutsY = /hidden|clip/.test(overflowY) && !mayScroll.y;
      // Names, and the last line of a conversation in a list, may end in an ellipsis: the whole text is shown in
      // another place.
      const givesWay = (cutsX && textOverflow === "ellipsis") || (cutsY && webkitLineClamp !== "none");
      if (givesWay && from.closest("bdi, [data-conversation] small")) return null;
      const isCut = (box: DOMRect) => (cutsX && isBeside(box, place)) || (cutsY && isAbove(box, place));
      if (boxes.some(isCut)) return "cut off";
    }
    const button = from.closest("button, a, [role=tab], [role=menuitem], label");
    if (button && getComputedStyle(button).display !== "inline") {
      const place = button.getBoundingClientRect();
      if (boxes.some((box) => isBeside(box, place) || isAbove(box, place))) return "outside of its button";
    }
    const page = new DOMRect(0, 0, innerWidth, 0);
    return !mayScroll.x && boxes.some((box) => isBeside(box, page)) ? "outside of the window" : null;
  }

  function isBeside(box: DOMRect, place: DOMRect): boolean {
    return box.left < place.left - slackPx || box.right > place.right + slackPx;
  }

  function isAbove(box: DOMRect, place: DOMRect): boolean {
    return box.top < place.top - slackPx || box.bottom > place.bottom + slackPx;
  }
}
