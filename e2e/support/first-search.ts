import { expect, type Page } from "@playwright/test";
import { type Words, wordsIn, wordsOf } from "./words.ts";

/** Presses the first button that says this. */
export function pressSaid(page: Page, name: RegExp): Promise<void> {
  return page.getByRole("button", { name }).first().click();
}

/**
 * From the home screen of somebody who has never been here to the search, in the words of a language: Start, the sign-in
 * that the test makes, birthday, gender, the rules.
 */
export async function firstSearch(page: Page, language: string, signIn: (page: Page) => Promise<void>): Promise<void> {
  const said = wordsOf(language);
  await expect(page.locator(`html[lang="${language}"]`)).toBeAttached();
  await expect(page).toHaveTitle(wordsIn(language, "app.title"));
  await pressSaid(page, said("home.start"));
  await expect(page.getByRole("dialog", { name: said("login.tagline") })).toBeVisible();
  await signIn(page);
  await giveProfileIn(page, said);
  // The wish to start is kept through the sign-in.
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
