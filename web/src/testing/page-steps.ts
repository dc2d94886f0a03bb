import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import { type Key, t } from "#lib/i18n.ts";

/** Matches labels that start with the text of a key and continue with a name or a number. */
export function startOf(key: Key): RegExp {
  return new RegExp(`^${t(key).replaceAll(/[.?()]/g, String.raw`\$&`)}( |$)`, "u");
}

/** The toasts, also while a dialog covers the page. */
export function toasts(): Locator {
  return page.elementLocator(document.querySelector<HTMLElement>("[data-toasts]") ?? document.body);
}

export async function expectToast(text: string): Promise<void> {
  await expect.element(toasts().getByText(text, { exact: true })).toBeVisible();
}

/** Chooses an item in the user menu of the home screen. */
export async function chooseInMenu(key: Key): Promise<void> {
  await page.getByRole("button", { name: t("home.account") }).click();
  await page.getByRole("menuitem", { name: t(key) }).click();
}
