import type { Locator, Page } from "@playwright/test";
import type { Words } from "../support/words.ts";

type PeopleTab = "following" | "fans" | "friends" | "likes" | "recent" | "blocked";

/** Matches labels that start with the text of a key and continue with a name or a number. */
export function startOf(said: Words, key: string): RegExp {
  return new RegExp(said(key).source.replace(/\$$/, "( |$)"), "u");
}

/** Chooses an item in the user menu of the home screen. */
export async function chooseInMenu(page: Page, said: Words, key: string): Promise<void> {
  await page.getByRole("button", { name: said("home.account") }).click();
  await page.getByRole("menuitem", { name: said(key) }).click();
}

/** Opens the people panel on one of its lists; returns the panel. */
export async function openPeople(page: Page, said: Words, tab: PeopleTab = "following"): Promise<Locator> {
  await chooseInMenu(page, said, "menu.people");
  await chooseTab(page, said, tab);
  return page.getByRole("dialog", { name: said("people.title") });
}

export async function chooseTab(page: Page, said: Words, tab: PeopleTab): Promise<void> {
  await page.getByRole("tab", { name: startOf(said, `people.tab.${tab}`) }).click();
}

/** Opens a person's profile from a list. */
export async function openProfileOf(place: Locator, said: Words, name: string): Promise<void> {
  await place
    .getByRole("button", { name: said("people.profileOf", { name }) })
    .first()
    .click();
}
