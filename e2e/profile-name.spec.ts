import { expect, type Page } from "@playwright/test";
import { signInHere, test } from "./support/looks.ts";
import { giveProfile } from "./support/people.ts";
import { words } from "./support/words.ts";

const profile = (page: Page) => page.getByRole("dialog", { name: words("profile.title") });
const name = (page: Page) => profile(page).getByRole("textbox", { name: words("profile.name") });
const save = (page: Page) => profile(page).getByRole("button", { name: words("profile.save") });

async function openProfile(page: Page): Promise<void> {
  await page.getByRole("button", { name: words("home.account") }).click();
  await page.getByRole("menuitem", { name: words("menu.profile") }).click();
  await expect(name(page)).toBeVisible();
}

test("[USER-60] a name that was just changed on another page is refused with the day on which it can be changed again", async ({
  visit,
}) => {
  const page = await visit("/");
  await signInHere(page, { name: "Name Early" });
  await giveProfile(page);
  await openProfile(page);
  const other = await page.context().newPage();
  await other.goto("/");
  await openProfile(other);
  await name(other).fill("Name Second");
  await save(other).click();
  await expect(profile(other).getByText(words("profile.nameNext"))).toBeVisible();

  await name(page).fill("Name Third");
  await save(page).click();
  await expect(profile(page).getByText(words("refused.nickname_too_soon"))).toBeVisible();
  const next = profile(page).getByText(words("profile.nameNext"));
  const inThirtyDays = new Date(Date.now() + 30 * 86_400_000);
  const day = inThirtyDays.toLocaleDateString("en-US", { month: "short", day: "numeric" });
  await expect(next).toContainText(day);
  await expect(profile(page).getByText("Name Second")).toBeVisible();
  await expect(name(page)).toHaveCount(0);
});
