import { expect, type Page } from "@playwright/test";
import { ana } from "@fava/web/testing/fixtures.ts";
import { test } from "../support/fixture-page.ts";
import { toasts } from "../support/people.ts";
import { words, wordsIn } from "../support/words.ts";

const offer = (page: Page) => toasts(page).getByText(words("translated.text"));
const mark = (page: Page) => page.evaluate(() => document.documentElement.classList.add("translated-ltr"));

test("offers its own languages once on a translated page, and reloads in the chosen one", async ({ world }) => {
  const page = await world.open({ as: ana });
  await expect(page.getByRole("button", { name: words("home.start") })).toBeVisible();
  await mark(page);
  await expect(offer(page)).toBeVisible();
  await toasts(page)
    .getByRole("button", { name: words("home.language") })
    .click();
  const sheet = page.getByRole("dialog", { name: words("home.language") });
  await sheet.getByRole("radio", { name: "Türkçe" }).check();
  await Promise.all([page.waitForEvent("load"), sheet.getByRole("button", { name: words("common.save") }).click()]);
  await expect(page.locator('html[lang="tr"]')).toBeAttached();
  await expect(page.getByRole("button", { name: wordsIn("tr", "home.start") })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.className)).not.toContain("translated");
  expect(await page.evaluate(() => localStorage.getItem("translationTold"))).toBe("1");
});
