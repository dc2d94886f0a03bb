import { expect, type Locator, type Page } from "@playwright/test";
import { desktop, otherPhones, phone } from "../support/fixture-page.ts";
import { look, type Step, type Way } from "./look.ts";
import type { View } from "./scene.ts";

/** Minimum size of controls: our own for touch; WCAG 2.5.8 for a mouse. */
const fingerPx = 44;
const mousePx = 24;

const plain: Way = {};
/**
 * Each variant lays the page out and paints it again, so independent faults are checked together: width and direction.
 */
const asItStands: Step = { said: "as it stands", faults: ["lost"] };
const asItIsTouched: Step = { ...asItStands, targetPx: fingerPx };
const large: Step = { said: "text 200 %", way: { fontPercent: 200 }, faults: ["lost"] };
const spaced: Step = {
  said: "spacing, from right to left",
  way: { spaced: true, mirrored: true },
  faults: ["lost"],
};
const turned: Step = { said: "from right to left", way: { mirrored: true }, faults: ["apart"] };
const longer: Step = { said: "texts 40 % longer", way: plain, faults: ["longer"] };
/** Before another window size, for which the page is laid out again anyway. */
const asItStood: Step = { said: "as it stood", way: plain, faults: [], isLeft: true };
const largeNext: Step = { ...large, faults: [], isLeft: true };
const accessible: Step = { said: "desktop", faults: ["axe", "lost"], targetPx: mousePx };
const alikeInForcedColors: Step = { said: "alike in forced colours", faults: ["alike"] };

interface Size {
  width: number;
  height: number;
}

/** A common window size. */
interface Window {
  size: Size;
  /** The text variants, one after the other; the unchanged one first, if it is examined. */
  steps?: readonly Step[];
  /** Checks whether controls are visible and apart: unchanged, and, in the tightest windows, mirrored as well. */
  fits?: "as it stands" | "turned as well";
  /** Only for calls: other screens have enough windows. */
  isOfCalls?: true;
}

const smallestOnItsSide: Window = { size: { width: 667, height: 375 }, fits: "turned as well" };

/** Each window size is set once, because the page is laid out again for it. */
const windows: Readonly<Record<string, Window>> = {
  phone: { size: phone, steps: [asItIsTouched, large, spaced, longer, largeNext], fits: "turned as well" },
  /** The unchanged text is examined at 1440 px. */
  "a desktop of 1280 px": { size: { width: 1280, height: 800 }, steps: [large, spaced, longer] },
  /** WCAG 1.4.10: 1280 px at 400 %. */
  "reflow to 320 px": { size: { width: 320, height: 640 }, steps: [asItStands] },
  /** WCAG 1.4.4: a window of 1280 x 800 at 200 %. */
  "zoom of 200 %": { size: { width: 640, height: 400 }, steps: [asItStands] },
  /** The smallest windows in both orientations; larger ones look the same mirrored. */
  "small phone on its side": smallestOnItsSide,
  "small phone": { size: otherPhones["phone-small"], fits: "turned as well", isOfCalls: true },
  "large phone": { size: otherPhones["phone-large"], fits: "as it stands", isOfCalls: true },
  "phone on its side": { size: otherPhones["phone-lying"], fits: "as it stands" },
  "tablet upright": { size: { width: 820, height: 1180 }, fits: "as it stands" },
  "tablet on its side": { size: { width: 1180, height: 820 }, fits: "as it stands" },
  "4K": { size: { width: 3840, height: 2160 }, fits: "as it stands" },
};
const windowsOfStates: Readonly<Record<string, Window>> = {
  phone: { size: phone, steps: [asItIsTouched, large, asItStood], fits: "turned as well" },
  "small phone": { size: otherPhones["phone-small"], fits: "turned as well", isOfCalls: true },
  "large phone": { size: otherPhones["phone-large"], fits: "as it stands", isOfCalls: true },
  "phone on its side": { size: otherPhones["phone-lying"], fits: "as it stands", isOfCalls: true },
  "small phone on its side": smallestOnItsSide,
};

/**
 * Examines a page: faults that axe finds; text that is clipped, covered or out of reach in any of the windows; small
 * targets; states that look the same in forced colours; texts without space to grow. The page has a desktop window
 * afterwards.
 */
export async function examine(page: Page, name: string, view: View = {}): Promise<void> {
  if (view.pictureOnly) return;
  const faults = await look(page, [accessible]);
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  faults.push(...(await look(page, [alikeInForcedColors])));
  await page.emulateMedia({ forcedColors: "none", reducedMotion: "reduce" });
  expectWell(name, [...faults, ...(await visitAll(page, windows, view))]);
}

/** Examines a state of a screen that was examined as a whole: in the variants that find most faults. */
export async function examineState(page: Page, name: string, view: View = {}): Promise<void> {
  if (view.pictureOnly) return;
  if (view.phonesOnly) await page.setViewportSize(phone);
  expectWell(name, [...(await look(page, [accessible])), ...(await visitAll(page, windowsOfStates, view))]);
}

/** One expectation for all faults of a view, because Playwright records the source position of each. */
function expectWell(name: string, faults: readonly string[]): void {
  expect.soft(faults, name).toEqual([]);
}

/** The faults in the windows; the page has a desktop window afterwards. */
async function visitAll(page: Page, all: Readonly<Record<string, Window>>, view: View): Promise<string[]> {
  const faults: string[] = [];
  for (const [device, window] of Object.entries(all))
    faults.push(...(await visit(page, window, view)).map((fault) => `${device}, ${fault}`));
  await page.setViewportSize(desktop);
  return faults;
}

/** Examines the page in a window, if the view needs that. */
async function visit(page: Page, { size, steps = [], fits, isOfCalls }: Window, view: View): Promise<string[]> {
  const { inView = [], controlsApart = false } = view;
  if (isOfCalls && !controlsApart) return [];
  const isFitted = fits !== undefined && (inView.length > 0 || controlsApart);
  if (steps.length === 0 && !isFitted) return [];
  await page.setViewportSize(size);
  if (!isFitted) return look(page, steps);
  const [first = asItStands, ...others] = steps;
  const fitted: Step["faults"] = controlsApart ? ["wider", "apart"] : ["wider"];
  const isTurned = controlsApart && fits === "turned as well";
  const plainly: Step = { ...first, faults: steps.length > 0 ? [...first.faults, ...fitted] : fitted };
  const further = [...(isTurned ? [turned] : []), ...(isTurned && others.length === 0 ? [asItStood] : others)];
  if (inView.length === 0) return look(page, [plainly, ...further]);
  const faults = await look(page, [plainly]);
  for (const control of inView) faults.push(...(await outOfView(control, size)));
  return further.length > 0 ? [...faults, ...(await look(page, further))] : faults;
}

async function outOfView(control: Locator, { height }: Size): Promise<string[]> {
  const box = await control.boundingBox();
  const isInView = box && box.y >= 0 && box.y + box.height <= height;
  return isInView ? [] : [`not in view: ${String(control)} ${JSON.stringify(box)}`];
}
