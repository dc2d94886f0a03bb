import { expect, type Page } from "@playwright/test";
import { lostTextsInPage } from "./lost-texts.ts";

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
    expect.soft(await page.evaluate<string[]>(lostTextsInPage), `${name}, ${way}`).toEqual([]);
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
