import { expect, type Locator, type Page } from "@playwright/test";

const stopsMax = 90;

interface Stop {
  /** The focused element, for the message of a failed test. */
  what: string;
  isLost: boolean;
  /** An outline is visible around it, or around its label. */
  isSeen: boolean;
}

/** The focused element, and whether the focus is visible (WCAG 2.4.7). */
async function stopOf(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return { what: "nothing", isLost: true, isSeen: false };
    const ringed = (element: Element) => {
      // Shadows do not count, because forced colours remove them.
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    };
    // Drawn controls lie over an invisible native one; some fields share a frame with their button.
    const isField = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement;
    const frame = isField ? (focused.closest("label") ?? focused.parentElement) : null;
    const { width, height } = focused.getBoundingClientRect();
    const { opacity } = getComputedStyle(focused);
    const isItself = ringed(focused) && width > 1 && height > 1 && opacity !== "0";
    const isGuard = focused.hasAttribute("data-base-ui-focus-guard");
    return {
      what: focused.outerHTML.slice(0, 160),
      isLost: false,
      isSeen: isGuard || isItself || (frame !== null && ringed(frame)),
    };
  });
}

/** Whatever has the focus shows it. */
export async function expectFocusSeen(page: Page): Promise<void> {
  // The ring may have a transition; a focus guard of a dialog passes the focus on.
  await expect
    .poll(async () => {
      const stop = await stopOf(page);
      return stop.isSeen ? "seen" : `not seen: ${stop.what}`;
    })
    .toBe("seen");
}

/** Presses Tab until `target` has the focus; the focus must be visible at every stop. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < stopsMax; stop += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press(key);
    const { isLost } = await stopOf(page);
    // At the end of the page the focus passes through the browser's own controls.
    if (!isLost) await expectFocusSeen(page);
  }
  throw new Error(`not reached by ${key}: ${String(target)}`);
}

/** Moves to a button or link by Tab, and presses it. */
export async function press(page: Page, target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Moves to a group of radio buttons by Tab, and inside of it by arrow keys. */
export async function choose(page: Page, group: Locator, option: Locator): Promise<void> {
  const radios = group.getByRole("radio");
  const checked = group.getByRole("radio", { checked: true });
  await tabTo(page, (await checked.count()) > 0 ? checked : radios.first());
  for (let step = 0; step <= (await radios.count()); step += 1) {
    if (await isFocused(option)) break;
    await page.keyboard.press("ArrowDown");
    await expectFocusSeen(page);
  }
  if (!(await option.isChecked())) await page.keyboard.press("Space");
  await expect(option).toBeChecked();
}

/** Opens a menu by its button and moves to an item by arrow keys. */
export async function chooseInMenu(page: Page, button: Locator, item: Locator): Promise<void> {
  await press(page, button);
  await expect(page.getByRole("menu")).toBeFocused();
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press("ArrowDown");
    if (await isFocused(item)) break;
  }
  await expect(item).toBeFocused();
  await expectFocusSeen(page);
  await page.keyboard.press("Enter");
}

/** Expects the initial focus of a dialog: on its title, which is announced with it. */
export async function expectOnTitle(dialog: Locator): Promise<void> {
  await expect(dialog.getByRole("heading").first()).toBeFocused();
}

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

/** Counts pointer presses, which keyboard tests must not use. */
export function watchPointers(): void {
  window.pointersOfTheTest = 0;
  window.addEventListener("pointerdown", () => void (window.pointersOfTheTest += 1), { capture: true });
}

declare global {
  interface Window {
    pointersOfTheTest: number;
  }
}

export async function expectNoPointer(page: Page): Promise<void> {
  expect(await page.evaluate(() => window.pointersOfTheTest), "presses of a pointer").toBe(0);
}
