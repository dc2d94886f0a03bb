/**
 * Runs in the page, in forced colours: pressed or chosen controls that look the same as an unchosen neighbour, each
 * with its label.
 */
export function alikeStatesInPage(): string[] {
  const states = ["aria-pressed", "aria-selected", "aria-checked"] as const;
  const alike: string[] = [];
  for (const state of states) {
    for (const chosen of document.querySelectorAll<HTMLElement>(`[${state}="true"]`)) {
      const role = chosen.getAttribute("role") ?? chosen.tagName;
      const others = document.querySelectorAll<HTMLElement>(`[${state}="false"]`);
      const peer = [...others].find(
        (one) => (one.getAttribute("role") ?? one.tagName) === role && isBeside(one, chosen),
      );
      if (peer) compare(chosen, peer);
    }
  }
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type="radio"]:checked')) {
    const peers = document.querySelectorAll<HTMLInputElement>(`input[name="${CSS.escape(input.name)}"]`);
    const peer = [...peers].find((one) => !one.checked);
    const [label, other] = [input.closest("label"), peer?.closest("label")];
    if (label && other) compare(label, other);
  }
  return alike;

  function compare(chosen: HTMLElement, peer: HTMLElement): void {
    if (!chosen.checkVisibility({ visibilityProperty: true }) || !peer.checkVisibility({ visibilityProperty: true }))
      return;
    if (looks(chosen).join() !== looks(peer).join()) return;
    alike.push(chosen.getAttribute("aria-label") ?? chosen.textContent?.trim().slice(0, 40) ?? chosen.tagName);
  }

  function isBeside(one: Element, other: Element): boolean {
    return (
      one.parentElement === other.parentElement ||
      one.parentElement?.parentElement === other.parentElement?.parentElement
    );
  }

  /**
   * The border, outline, background and mark styles in a control; its text, images and number of parts do not count.
   */
  function looks(control: HTMLElement): string[] {
    const parts = [control, ...control.querySelectorAll<HTMLElement>(":not(svg, svg *)")];
    const kinds = parts.filter((part) => part.checkVisibility({ opacityProperty: true })).map(look);
    return [...new Set(kinds)].toSorted();
  }

  function look(part: Element): string {
    const style = getComputedStyle(part);
    const border = style.borderTopStyle === "none" ? "" : `${style.borderTopWidth} ${style.borderTopColor}`;
    const outline = style.outlineStyle === "none" ? "" : `${style.outlineWidth} ${style.outlineColor}`;
    const mark = getComputedStyle(part, "::before").content + getComputedStyle(part, "::after").content;
    return `border ${border}, outline ${outline}, ${style.backgroundColor}, ${mark}`;
  }
}
