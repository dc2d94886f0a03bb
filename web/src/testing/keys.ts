import { expect, onTestFinished } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";

/** Keyboard navigation of a page: the focus must be visible at each stop. */

const stopsMax = 90;

/** Counts pointer presses, which keyboard tests must not use. Returns a function that returns the count. */
export function watchPointers(): () => number {
  let presses = 0;
  const watch = new AbortController();
  window.addEventListener("pointerdown", () => void (presses += 1), { capture: true, signal: watch.signal });
  onTestFinished(() => watch.abort());
  return () => presses;
}

/** Empty if the focus is visible; otherwise the focused element (WCAG 2.4.7). */
function unseenFocus(): string {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return "nothing has the focus";
  // Drawn controls lie over an invisible native one; some fields share a frame with their button.
  const isField = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement;
  const frame = isField ? (focused.closest("label") ?? focused.parentElement) : null;
  const { width, height } = focused.getBoundingClientRect();
  const isDrawn = width > 1 && height > 1 && getComputedStyle(focused).opacity !== "0";
  const isGuard = focused.hasAttribute("data-base-ui-focus-guard");
  const isSeen = isGuard || (isDrawn && isRinged(focused)) || (frame !== null && isRinged(frame));
  return isSeen ? "" : focused.outerHTML.slice(0, 160);
}

function isRinged(element: Element): boolean {
  // Shadows do not count, because forced colours remove them.
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
}

/** Expects the focus to be visible, whichever element has it. */
export async function expectFocusSeen(): Promise<void> {
  // The ring may have a transition; a focus guard of a dialog passes the focus on.
  await expect.poll(unseenFocus, { message: "seen focus" }).toBe("");
}

/** Presses Tab until `target` has the focus; the focus must be visible at every stop. */
export async function tabTo(target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect.element(target).toBeVisible();
  for (let stop = 0; stop < stopsMax; stop += 1) {
    if (isFocused(target)) return;
    await userEvent.keyboard(key === "Tab" ? "{Tab}" : "{Shift>}{Tab}{/Shift}");
    // At the end of the page the focus passes through the browser.
    if (document.hasFocus() && document.activeElement !== document.body) await expectFocusSeen();
  }
  throw new Error(`not reached by ${key}: ${target.selector}`);
}

/** Moves to a button or link by Tab, and presses it. */
export async function press(target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(target);
  await userEvent.keyboard(key === "Enter" ? "{Enter}" : " ");
}

/**
 * Safari's event for a press that ends the composition of an input method: after its end, with only the legacy key
 * code.
 */
export function endComposing(target: Locator, key: "Enter" | "Escape"): void {
  const press = { key, code: key, keyCode: 229, bubbles: true, cancelable: true };
  target.element().dispatchEvent(new KeyboardEvent("keydown", press));
}

/** Moves to a group of radio buttons by Tab, and inside of it by arrow keys. */
export async function choose(group: Locator, option: Locator): Promise<void> {
  const radios = group.getByRole("radio");
  await expect.element(radios.first()).toBeInTheDocument();
  const checked = group.getByRole("radio", { checked: true });
  await tabTo(checked.elements().length > 0 ? checked : radios.first());
  for (let step = 0; step <= radios.elements().length; step += 1) {
    if (isFocused(option)) break;
    await userEvent.keyboard("{ArrowDown}");
    await expectFocusSeen();
  }
  if (!(option.element() as HTMLInputElement).checked) await userEvent.keyboard(" ");
  await expect.element(option).toBeChecked();
}

/** Opens a menu by its button and moves to an item by arrow keys. */
export async function chooseInMenu(button: Locator, item: Locator): Promise<void> {
  await press(button);
  await expect.element(page.getByRole("menu")).toHaveFocus();
  for (let step = 0; step < 20; step += 1) {
    await userEvent.keyboard("{ArrowDown}");
    if (isFocused(item)) break;
  }
  await expect.element(item).toHaveFocus();
  await expectFocusSeen();
  await userEvent.keyboard("{Enter}");
}

/** Expects the initial focus of a dialog: on its title, which is announced with it. */
export async function expectOnTitle(dialog: Locator): Promise<void> {
  await expect.element(dialog.getByRole("heading").first()).toHaveFocus();
}

function isFocused(target: Locator): boolean {
  return target.elements().includes(document.activeElement as HTMLElement);
}
