import { expect, type Locator, type Page } from "@playwright/test";
import { words } from "./words.ts";

/** Opens the people panel from the user menu of the home screen. */
export async function openPeoplePanel(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: words("home.account") }).click();
  await page.getByRole("menuitem", { name: words("menu.people") }).click();
  const panel = page.getByRole("dialog", { name: words("people.title") });
  await expect(panel).toBeVisible();
  return panel;
}

/** A tab, whose name continues with its count. */
export function peopleTab(page: Page, tab: string): Locator {
  return page.getByRole("tab", { name: startOf(`people.tab.${tab}`) });
}

/** Matches labels that start with the text of a key and continue with a name or a number. */
export function startOf(key: string): RegExp {
  return new RegExp(words(key).source.replace(/\$$/, "( |$)"), "u");
}

/** The row of a person in a list of people. */
export function rowOf(place: Locator, name: string): Locator {
  const who = words("people.profileOf", { name });
  return place.getByRole("listitem").filter({ has: place.page().getByRole("button", { name: who }) });
}

/** The follow button, by its current label. */
export function followButton(place: Page | Locator, key: "follow" | "followBack" | "following" | "friends"): Locator {
  return place.getByRole("button", { name: startOf(`people.${key}`) });
}
