/**
 * Runs in the page: controls that are smaller than `leastPx` in either direction, including their label and the space
 * around them. Links inside of a sentence are exempt, as in WCAG 2.5.8.
 */
export function smallTargetsInPage(leastPx: number): string[] {
  // Tolerates one pixel, because borders may fall between two pixels.
  const least = leastPx - 1;
  // An open menu takes every press.
  const place = document.querySelector('[role="menu"]') ?? document;
  const controls = place.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [role="tab"], [role="menuitem"], [role="menuitemradio"], [role="radio"], [role="switch"]',
  );
  const small: string[] = [];
  for (const control of controls) {
    if (control.closest('[inert], [aria-hidden="true"]') || !control.checkVisibility({ visibilityProperty: true }))
      continue;
    const label = control instanceof HTMLInputElement ? control.closest("label") : null;
    const target = label ?? control;
    const box = target.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || getComputedStyle(target).clipPath !== "none") continue;
    if (isInSentence(control)) continue;
    const width = box.width >= least ? box.width : reach(target, box, "x");
    const height = box.height >= least ? box.height : reach(target, box, "y");
    if (width >= least && height >= least) continue;
    const words = control.getAttribute("aria-label") ?? control.textContent?.trim().slice(0, 40) ?? "";
    small.push(`${Math.round(width)} x ${Math.round(height)}: <${control.tagName.toLowerCase()}> ${words}`);
  }
  return small;

  function isInSentence(control: Element): boolean {
    if (!getComputedStyle(control).display.startsWith("inline")) return false;
    // Text beside it in the same line.
    return [...(control.parentElement?.childNodes ?? [])].some(
      (node) => node.nodeType === Node.TEXT_NODE && (node.textContent?.trim().length ?? 0) > 1,
    );
  }

  /** The distance in which a press counts, beyond what is drawn. */
  function reach(target: Element, box: DOMRect, axis: "x" | "y"): number {
    target.scrollIntoView({ block: "center", inline: "center" });
    const now = target.getBoundingClientRect();
    const middle = { x: now.left + now.width / 2, y: now.top + now.height / 2 };
    let total = axis === "x" ? box.width : box.height;
    const drawn = total;
    for (const side of [-1, 1]) {
      for (let beyond = 1; beyond <= 22; beyond += 1) {
        const off = side * (drawn / 2 + beyond - 0.5);
        const [x, y] = axis === "x" ? [middle.x + off, middle.y] : [middle.x, middle.y + off];
        const hit = document.elementFromPoint(x, y);
        if (!hit || !(target === hit || target.contains(hit))) break;
        total += 1;
      }
    }
    return total;
  }
}
