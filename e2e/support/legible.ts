import { expect, type Page } from "@playwright/test";

/** Ways in which people make text larger, and the room that is left then. */
const ways = {
  /** WCAG 1.4.10: 1280 px at 400 %. */
  "reflow 320": { width: 320, height: 640, fontPercent: 100, spaced: false },
  /** WCAG 1.4.4: a window of 1280 x 800 at 200 %. */
  "zoom 200 %": { width: 640, height: 400, fontPercent: 100, spaced: false },
  /** The same, of the text alone, as some browsers and phones do it. */
  "text 200 %": { width: 1280, height: 800, fontPercent: 200, spaced: false },
  "text 200 % on a phone": { width: 390, height: 844, fontPercent: 200, spaced: false },
  /** WCAG 1.4.12. */
  spacing: { width: 1280, height: 800, fontPercent: 100, spaced: true },
  "spacing on a phone": { width: 390, height: 844, fontPercent: 100, spaced: true },
} as const;

const desktop = { width: 1440, height: 900 } as const;

/** Nothing that is to be read is cut off, out of reach or below something else, however large the text is. */
export async function expectLegible(page: Page, name: string): Promise<void> {
  for (const [way, { width, height, fontPercent, spaced }] of Object.entries(ways)) {
    await page.setViewportSize({ width, height });
    await page.evaluate(setText, { fontPercent, spaced });
    await stand(page);
    const shot = `test-results/screens/everyone-${name}-${way.replaceAll(/\W+/g, "-")}.png`;
    await page.screenshot({ path: shot });
    expect.soft(await page.evaluate(lostTexts), `${name}, ${way}`).toEqual([]);
  }
  await page.evaluate(setText, { fontPercent: 100, spaced: false });
  await page.setViewportSize(desktop);
}

async function stand(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const finite = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(finite.map((animation) => animation.finished));
  });
}

/** In the page: no style tag, which the content policy would refuse. */
function setText({ fontPercent, spaced }: { fontPercent: number; spaced: boolean }): void {
  document.documentElement.style.fontSize = fontPercent === 100 ? "" : `${fontPercent}%`;
  const sheet = new CSSStyleSheet();
  if (spaced) {
    sheet.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
      p { margin-block-end: 2em !important; }
    `);
  }
  document.adoptedStyleSheets = spaced ? [sheet] : [];
}

/**
 * In the page: words that are cut off by what they stand in, lie outside of the window where nothing scrolls, or below
 * something else; and a page that is wider than the window. What is drawn for the eye alone does not count.
 */
function lostTexts(): string[] {
  const lost = new Set<string>();
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1)
    lost.add(`the page is ${root.scrollWidth - innerWidth} px wider than the window`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement;
    const words = node.textContent?.trim() ?? "";
    if (!parent || words === "" || !isRead(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      const why = whyLost(parent, box);
      if (why !== null) lost.add(`${words.slice(0, 60)}: ${why}`);
    }
  }
  return [...lost];

  function isRead(element: Element): boolean {
    if (element.closest('[aria-hidden="true"], [inert], option, script, style, title, .visually-hidden, #said-polite'))
      return false;
    if (element.closest("[data-base-ui-inert]")) return false;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    for (let one: Element | null = element; one; one = one.parentElement)
      if (getComputedStyle(one).clipPath !== "none") return false;
    return true;
  }

  function whyLost(parent: Element, box: DOMRect): string | null {
    let isFixed = false;
    for (let one: Element | null = parent; one && one !== root; one = one.parentElement) {
      const { overflowX, overflowY, position, textOverflow } = getComputedStyle(one);
      const frame = one.getBoundingClientRect();
      const cutsX = overflowX !== "visible" && (box.left < frame.left - 2 || box.right > frame.right + 2);
      const cutsY = overflowY !== "visible" && (box.top < frame.top - 2 || box.bottom > frame.bottom + 2);
      const scrollsX = overflowX === "auto" || overflowX === "scroll";
      const scrollsY = overflowY === "auto" || overflowY === "scroll";
      // A long name may end in dots: the whole of it stands elsewhere.
      if (cutsX && !scrollsX && textOverflow !== "ellipsis") return `cut off at the side by ${nameOf(one)}`;
      if (cutsY && !scrollsY) return `cut off above or below by ${nameOf(one)}`;
      if (scrollsX || scrollsY || (cutsX && textOverflow === "ellipsis")) return null;
      if (position === "fixed") isFixed = true;
    }
    if (box.left < -1 || box.right > innerWidth + 1) return "outside of the window";
    if (isFixed && (box.top < -1 || box.bottom > innerHeight + 1)) return "outside of the window, and nothing scrolls";
    return whatCovers(parent, box);
  }

  function whatCovers(parent: Element, box: DOMRect): string | null {
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return null;
    const top = document.elementsFromPoint(x, y).find((one) => getComputedStyle(one).pointerEvents !== "none");
    if (!top || top.contains(parent) || parent.contains(top)) return null;
    // A native control lies over the words of its label.
    if (top.closest("label")?.contains(parent)) return null;
    const other = getComputedStyle(top);
    const paints = other.backgroundColor !== "rgba(0, 0, 0, 0)" || top.textContent?.trim() !== "";
    const common = parent.closest("label, button, a");
    return !paints || common?.contains(top) ? null : `covered by ${nameOf(top)}`;
  }

  function nameOf(element: Element): string {
    const style = typeof element.className === "string" ? element.className.split(" ")[0] : "";
    return `<${element.tagName.toLowerCase()} ${style}>`;
  }
}
