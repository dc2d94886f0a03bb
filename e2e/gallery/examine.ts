import { expect, type Locator, type Page } from "@playwright/test";
import { desktop, phone } from "../support/fixture-page.ts";
import { look, type Step, type Way } from "./look.ts";
import type { View } from "./scene.ts";

/** Least width and height of what is pressed: with a finger, our own; with a mouse, WCAG 2.5.8. */
const fingerPx = 44;
const mousePx = 24;

const plain: Way = {};
const mirrored: Way = { mirrored: true };
/** Each way is a page laid out and painted anew, so what is alone in its faults goes together: width and side. */
const asItStands: Step = { said: "as it stands", faults: ["lost"] };
const asItIsTouched: Step = { ...asItStands, targetPx: fingerPx };
const large: Step = { said: "text 200 %", way: { fontPercent: 200 }, faults: ["lost"] };
const spaced: Step = {
  said: "spacing, from right to left",
  way: { spaced: true, mirrored: true },
  faults: ["lost"],
};
const longer: Step = { said: "texts 40 % longer", way: plain, faults: ["longer"] };
/** Before another window, in which the page is laid out anyway. */
const asItStood: Step = { said: "as it stood", way: plain, faults: [], isLeft: true };
const largeNext: Step = { ...large, faults: [], isLeft: true };
const accessible: Step = { said: "desktop", faults: ["axe", "lost"], targetPx: mousePx };
const accessibleState: Step = { ...accessible, faults: ["axe without style sheets", "lost"] };

/** Windows that people have, and how the text stands in them. */
const windows = {
  phone: { size: phone, steps: [asItIsTouched, large, spaced, longer, largeNext] },
  /** A plain text is read at 1440 px. */
  "a desktop of 1280 px": { size: { width: 1280, height: 800 }, steps: [large, spaced, longer] },
  /** WCAG 1.4.10: 1280 px at 400 %. */
  "reflow to 320 px": { size: { width: 320, height: 640 }, steps: [asItStands] },
  /** WCAG 1.4.4: a window of 1280 x 800 at 200 %. */
  "zoom of 200 %": { size: { width: 640, height: 400 }, steps: [asItStands] },
} as const satisfies Record<string, { size: Size; steps: readonly Step[] }>;

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
  await expectWell(page, name, [accessible]);
  for (const [window, { size, steps }] of Object.entries(windows)) {
    await page.setViewportSize(size);
    await expectWell(page, `${name}, ${window}`, steps);
  }
  await expectFits(page, name, { ...view, sizes: devices });
  await page.setViewportSize(desktop);
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await expectWell(page, name, [{ said: "alike in forced colours", faults: ["alike"] }]);
  await page.emulateMedia({ forcedColors: "none", reducedMotion: "reduce" });
}

/** Examines what has become of a screen that was examined whole: in the ways that find most of what can be wrong. */
export async function examineState(page: Page, name: string, view: View = {}): Promise<void> {
  if (view.pictureOnly) return;
  await expectWell(page, name, [accessibleState]);
  await page.setViewportSize(phone);
  await expectWell(page, `${name}, phone`, [asItIsTouched, large, asItStood]);
  await expectFits(page, name, { ...view, sizes: smallest });
  await page.setViewportSize(desktop);
}

/** One expectation for all steps: Playwright writes down where each of them stands. */
async function expectWell(page: Page, name: string, steps: readonly Step[]): Promise<void> {
  expect.soft(await look(page, steps), name).toEqual([]);
}

async function expectFits(
  page: Page,
  name: string,
  { inView = [], controlsApart = false, sizes }: View & { sizes: Readonly<Record<string, Size>> },
): Promise<void> {
  if (inView.length === 0 && !controlsApart) return;
  for (const [device, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    await expectWell(page, `${name}, ${device}`, [{ said: "as it stands", faults: ["wider"] }]);
    for (const control of inView) await expectInView(control, `${name}, ${device}`);
    if (controlsApart) await expectApart(page, `${name}, ${device}`);
  }
  if (!controlsApart) return;
  for (const [device, size] of Object.entries(smallest)) {
    await page.setViewportSize(size);
    await expectWell(page, `${name}, ${device}`, [{ said: "from right to left", way: mirrored, faults: [] }]);
    await expectApart(page, `${name}, ${device}, from right to left`);
  }
  await expectWell(page, name, [asItStood]);
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
