import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";
import { expect, type Locator, type Page } from "@playwright/test";
import { chosenAlikeInPage } from "../support/chosen.ts";
import { desktop, phone } from "../support/fixture-page.ts";
import { lostTextsInPage } from "../support/lost-texts.ts";
import { clippedTextsInPage, lengthenTexts, restoreTexts } from "./longer-texts.ts";
import { smallTargetsInPage } from "./small-targets.ts";
import type { View } from "./scene.ts";

/** Less to read for every page than the source with its comments. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
type AxeInPage = Pick<typeof axe, "run">;

/** Least width and height of what is pressed: with a finger, our own; with a mouse, WCAG 2.5.8. */
const fingerPx = 44;
const mousePx = 24;

/** Ways in which people change how a text stands. */
interface Way {
  /** Of the text alone, as some browsers and phones do it (WCAG 1.4.4). */
  fontPercent?: number;
  /** WCAG 1.4.12. */
  spaced?: boolean;
  /** From right to left. */
  mirrored?: boolean;
}

const plain: Way = {};
const mirrored: Way = { mirrored: true };
/** Each way is a page laid out and painted anew, so what is alone in its faults goes together: width and side. */
const changedWays = {
  "text 200 %": { fontPercent: 200 },
  "spacing, from right to left": { spaced: true, mirrored: true },
} as const satisfies Record<string, Way>;

/** Windows that people have, and how the text stands in them. */
const windows = {
  phone: { size: phone, ways: { plain, ...changedWays }, isLengthened: true },
  /** A plain text is read at 1440 px. */
  "a desktop of 1280 px": { size: { width: 1280, height: 800 }, ways: changedWays, isLengthened: true },
  /** WCAG 1.4.10: 1280 px at 400 %. */
  "reflow to 320 px": { size: { width: 320, height: 640 }, ways: { plain }, isLengthened: false },
  /** WCAG 1.4.4: a window of 1280 x 800 at 200 %. */
  "zoom of 200 %": { size: { width: 640, height: 400 }, ways: { plain }, isLengthened: false },
} as const satisfies Record<string, { size: Size; ways: Readonly<Record<string, Way>>; isLengthened: boolean }>;

interface Size {
  width: number;
  height: number;
}

/** The least room upright and on the side; where there is more, a change of sides changes nothing. */
const smallest = {
  "phone upright": phone,
  "small phone on its side": { width: 667, height: 375 },
} as const;
const devices = {
  ...smallest,
  "phone on its side": { width: 844, height: 390 },
  "tablet upright": { width: 820, height: 1180 },
  "tablet on its side": { width: 1180, height: 820 },
  "4K": { width: 3840, height: 2160 },
} as const;

/**
 * Examines what is on a page, whatever it is: faults that axe finds; text that is cut off, covered or out of reach in
 * any of the windows; small targets; choices that look alike in forced colours; texts that have no room to be longer. The
 * page is in a desktop window afterwards.
 */
export async function examine(page: Page, name: string, view: View = {}): Promise<void> {
  if (view.pictureOnly) return;
  await settle(page);
  await expectAccessible(page, name);
  await expectSeenWhole(page, `${name}, desktop`);
  await expectTargets(page, `${name}, desktop`, mousePx);
  for (const [window, { size, ways, isLengthened }] of Object.entries(windows)) {
    await page.setViewportSize(size);
    for (const [way, how] of Object.entries(ways)) {
      if (how !== plain) await page.evaluate(setText, how);
      await settle(page);
      await expectSeenWhole(page, `${name}, ${window}, ${way}`);
      if (size === phone && how === plain) await expectTargets(page, `${name}, phone`, fingerPx);
    }
    if (Object.keys(ways).length > 1) await page.evaluate(setText, plain);
    if (isLengthened) await expectRoomForLongerTexts(page, `${name}, ${window}`);
  }
  await expectFits(page, name, { ...view, sizes: devices });
  await page.setViewportSize(desktop);
  await expectChosenSeen(page, name);
}

/** Examines what has become of a screen that was examined whole: in the ways that find most of what can be wrong. */
export async function examineState(page: Page, name: string, view: View = {}): Promise<void> {
  if (view.pictureOnly) return;
  await settle(page);
  await expectAccessible(page, name);
  await expectSeenWhole(page, `${name}, desktop`);
  await expectTargets(page, `${name}, desktop`, mousePx);
  await page.setViewportSize(phone);
  await settle(page);
  await expectSeenWhole(page, `${name}, phone`);
  await expectTargets(page, `${name}, phone`, fingerPx);
  await page.evaluate(setText, changedWays["text 200 %"]);
  await settle(page);
  await expectSeenWhole(page, `${name}, phone, text 200 %`);
  await page.evaluate(setText, plain);
  await expectFits(page, name, { ...view, sizes: smallest });
  await page.setViewportSize(desktop);
}

async function expectTargets(page: Page, name: string, leastPx: number): Promise<void> {
  expect.soft(await page.evaluate(smallTargetsInPage, leastPx), `targets of ${name}`).toEqual([]);
}

/** Contrasts are proven of the colours that styles are made of, in both themes: rules A11Y-30 to A11Y-32. */
const axeOptions: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  // Sizes of targets are our own to measure: axe takes longer for them than for everything else.
  rules: { "color-contrast": { enabled: false }, "target-size": { enabled: false } },
  // Only faults are described.
  resultTypes: ["violations"],
  iframes: false,
};

async function expectAccessible(page: Page, name: string): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const found = await page.evaluate(async (options) => {
    const { violations } = await (window as unknown as { axe: AxeInPage }).axe.run(document, options);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  }, axeOptions);
  expect.soft(found, `axe on ${name}`).toEqual([]);
}

async function expectSeenWhole(page: Page, name: string): Promise<void> {
  expect.soft(await page.evaluate<string[]>(lostTextsInPage), name).toEqual([]);
}

async function expectRoomForLongerTexts(page: Page, name: string): Promise<void> {
  await page.evaluate(lengthenTexts);
  await settle(page);
  expect.soft(await page.evaluate(clippedTextsInPage), `${name}, texts 40 % longer`).toEqual([]);
  await page.evaluate(restoreTexts);
}

async function expectFits(
  page: Page,
  name: string,
  { inView = [], controlsApart = false, sizes }: View & { sizes: Readonly<Record<string, Size>> },
): Promise<void> {
  if (inView.length === 0 && !controlsApart) return;
  for (const [device, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    await settle(page);
    const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(overflowPx, `${name}, ${device}: beyond the window`).toBeLessThanOrEqual(0);
    for (const control of inView) await expectInView(control, `${name}, ${device}`);
    if (controlsApart) await expectApart(page, `${name}, ${device}`);
  }
  if (!controlsApart) return;
  await page.evaluate(setText, mirrored);
  for (const [device, size] of Object.entries(smallest)) {
    await page.setViewportSize(size);
    await settle(page);
    await expectApart(page, `${name}, ${device}, from right to left`);
  }
  await page.evaluate(setText, plain);
}

async function expectInView(control: Locator, name: string): Promise<void> {
  const box = await control.boundingBox();
  const height = control.page().viewportSize()?.height ?? 0;
  expect.soft(box && box.y >= 0 && box.y + box.height <= height, `${name}: ${JSON.stringify(box)}`).toBe(true);
}

interface Box {
  name: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Where the controls of a call are, as they are seen. */
export function controlsOf(page: Page): Promise<Box[]> {
  return page.locator("#call").evaluate((screen) =>
    [...screen.querySelectorAll<HTMLElement>("button, textarea, input[type=range]")]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }))
      .map((control) => {
        const { left, top, right, bottom } = control.getBoundingClientRect();
        return { name: control.ariaLabel ?? control.textContent, left, top, right, bottom };
      }),
  );
}

/** Every control of a call can be seen and pressed: inside the window, and none under another. */
export async function expectApart(page: Page, name: string, area: { bottomPx?: number } = {}): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const boxes = await controlsOf(page);
  expect(boxes.length).toBeGreaterThan(2);
  const isInside = (box: Box) =>
    box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height - (area.bottomPx ?? 0);
  const outside = boxes.filter((box) => !isInside(box)).map((box) => `${JSON.stringify(box)} is not in the window`);
  const covered = boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter((other) => lieOver(one, other))
      .map((other) => `${one.name} over ${other.name}`),
  );
  // One expectation: Playwright writes down where each of them stands, which takes longer than to find out.
  expect.soft([...outside, ...covered], name).toEqual([]);
}

/** A hair's breadth does not count. */
function lieOver(one: Box, other: Box): boolean {
  const besides = one.left >= other.right - 1 || other.left >= one.right - 1;
  return !besides && one.top < other.bottom - 1 && other.top < one.bottom - 1;
}

async function expectChosenSeen(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await settle(page);
  expect.soft(await page.evaluate<string[]>(chosenAlikeInPage), `chosen in forced colours, ${name}`).toEqual([]);
  await page.emulateMedia({ forcedColors: "none", reducedMotion: "reduce" });
}

/** Until what a new size or theme has set in motion stands still. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await drawn();
    await drawn();
    // Room is made for the line of the reach once it was measured, a frame later.
    const line = document.querySelector("#reach");
    const room = () => Number.parseFloat(document.documentElement.style.getPropertyValue("--notice"));
    const isMade = () => !line?.isConnected || Math.abs(room() - line.getBoundingClientRect().height) < 1;
    for (let frames = 0; frames < 60 && !isMade(); frames += 1) await drawn();
    // One that repeats for ever, or is held, never finishes.
    const ending = document
      .getAnimations()
      .filter(
        ({ playState, effect }) => playState === "running" && effect?.getComputedTiming().iterations !== Infinity,
      );
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** In the page: no style tag, which the content policy would refuse. */
function setText({ fontPercent = 100, spaced = false, mirrored = false }: Way): void {
  const root = document.documentElement;
  root.style.fontSize = fontPercent === 100 ? "" : `${fontPercent}%`;
  if (mirrored) {
    root.dataset["ownDir"] = root.dir;
    root.dir = root.dir === "rtl" ? "ltr" : "rtl";
  } else if (root.dataset["ownDir"] !== undefined) {
    root.dir = root.dataset["ownDir"];
    delete root.dataset["ownDir"];
  }
  const sheet = new CSSStyleSheet();
  if (spaced) {
    sheet.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
      p { margin-block-end: 2em !important; }
    `);
  }
  document.adoptedStyleSheets = spaced ? [sheet] : [];
}
