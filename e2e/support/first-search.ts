import { expect, type Page } from "@playwright/test";
import { type Words, wordsIn, wordsOf } from "./words.ts";

/** Presses the first button with this name. */
export function pressSaid(page: Page, name: RegExp): Promise<void> {
  return page.getByRole("button", { name }).first().click();
}

/**
 * From a new visitor's home screen to the search, in a language: Start, the sign-in of the test, birthday, gender, the
 * rules.
 */
export async function firstSearch(page: Page, language: string, signIn: (page: Page) => Promise<void>): Promise<void> {
  const said = wordsOf(language);
  await expect(page.locator(`html[lang="${language}"]`)).toBeAttached();
  await expect(page).toHaveTitle(wordsIn(language, "app.title"));
  await pressSaid(page, said("home.start"));
  await expect(page.getByRole("dialog", { name: said("login.tagline") })).toBeVisible();
  await signIn(page);
  await giveProfileIn(page, said);
  // The press on Start survives the sign-in.
  await pressSaid(page, said("rules.ok"));
  await expect(page.locator("[data-match-state]")).toBeVisible();
}

async function giveProfileIn(page: Page, said: Words): Promise<void> {
  const profile = page.getByRole("dialog", { name: said("complete.title") });
  await profile.getByRole("checkbox", { name: said("birth.mine") }).check();
  await profile.getByRole("radio", { name: said("gender.female") }).check();
  await profile.getByRole("button", { name: said("common.next") }).click();
  await expect(profile).toBeHidden();
}
