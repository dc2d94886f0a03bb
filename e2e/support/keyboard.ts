import { expect, type Locator, type Page } from "@playwright/test";

const stopsMax = 90;

interface Stop {
  /** What has the focus, for the message of a test that fails. */
  what: string;
  isLost: boolean;
  /** A ring is drawn round it, or round the label that it stands for. */
  isSeen: boolean;
}

/** What has the focus, and whether it is to be seen (WCAG 2.4.7). */
async function stopOf(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return { what: "nothing", isLost: true, isSeen: false };
    const ringed = (element: Element) => {
      // Shadows do not count: they are gone in forced colours.
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    };
    // Drawn controls lie over a native one that shows nothing itself; some fields share a frame with their button.
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
  // The ring may have a transition; a guard of a dialog hands the focus on.
  await expect
    .poll(async () => {
      const stop = await stopOf(page);
      return stop.isSeen ? "seen" : `not seen: ${stop.what}`;
    })
    .toBe("seen");
}

/** Presses Tab until `target` has the focus; every stop on the way is to be seen. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < stopsMax; stop += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press(key);
    const { isLost } = await stopOf(page);
    // At the end of the page the focus goes round through the browser's own controls.
    if (!isLost) await expectFocusSeen(page);
  }
  throw new Error(`not reached by ${key}: ${String(target)}`);
}

/** Reaches a button or link by Tab, and presses it. */
export async function press(page: Page, target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes to a group of radio buttons by Tab, and inside of it by the arrow keys. */
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

/** Opens a menu by its focused button and goes to an item by the arrow keys. */
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

/** The focus is where a dialog begins: on its title, which is read out with it. */
export async function expectOnTitle(dialog: Locator): Promise<void> {
  await expect(dialog.getByRole("heading").first()).toBeFocused();
}

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

/** Whether a mouse or a finger was used at all: the stories of the keyboard do without. */
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
