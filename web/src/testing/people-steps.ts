import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import type { PeopleTab } from "#features/people/person-links.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { chooseInMenu, startOf } from "#testing/page-steps.ts";

/** Opens the people panel from the user menu of the home screen. */
export async function openPeoplePanel(): Promise<Locator> {
  await chooseInMenu("menu.people");
  const panel = page.getByRole("dialog", { name: t("people.title") });
  await expect.element(panel).toBeVisible();
  return panel;
}

/** A tab, whose name continues with its count. */
export function peopleTab(tab: PeopleTab): Locator {
  return page.getByRole("tab", { name: startOf(`people.tab.${tab}`) });
}

/** Chooses an item in the menu of a recent partner. */
export async function chooseAboutRecent(
  place: Locator,
  name: string,
  key: "people.apartName" | "people.reportName" | "people.blockName",
): Promise<void> {
  await rowOf(place, name)
    .getByRole("button", { name: t("msg.menu", { name: isolate(name) }) })
    .click();
  const role = key === "people.apartName" ? "menuitemcheckbox" : "menuitem";
  await page.getByRole(role, { name: t(key, { name: isolate(name) }) }).click();
}

/** The row of a person in a list of people. */
export function rowOf(place: Locator, name: string): Locator {
  return place.getByRole("listitem").filter({ has: page.getByRole("button", { name: profileOf(name) }) });
}

/** The label of the button that opens a person's profile. */
export function profileOf(name: string): string {
  return t("people.profileOf", { name: isolate(name) });
}

type FollowKey = "people.follow" | "people.followBack" | "people.following" | "people.friends";

/** The follow button, by its current label. */
export function followButton(place: Locator, key: FollowKey): Locator {
  return place.getByRole("button", { name: startOf(key) });
}
