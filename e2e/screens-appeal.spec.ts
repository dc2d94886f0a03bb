import { expect, type Page } from "@playwright/test";
import { look, picture, signInHere, test, wordsIn } from "./support/looks.ts";
import { words } from "./support/words.ts";

/** Signs in as the banned person of the sandbox and follows the notice to the page of the appeal. */
async function openAppeal(page: Page): Promise<void> {
  await signInHere(page, "rex");
  await page.getByRole("link", { name: words("ban.appealGo") }).click();
  await expect(page.getByRole("complementary", { name: words("appeal.decision") })).toBeVisible();
}

test("[UI-31] the ban notice, and an appeal that lacks everything, are without faults", async ({ visit }) => {
  const page = await visit("/");
  await signInHere(page, "rex");
  await expect(page.getByRole("alertdialog", { name: words("ban.title") })).toBeVisible();
  await look(page, "appeal-notice");
  await page.getByRole("link", { name: words("ban.appealGo") }).click();
  await page.getByRole("button", { name: words("appeal.send") }).click();
  await expect(page.getByText(words("appeal.needText"))).toBeVisible();
  await look(page, "appeal-empty");
});

test("[UI-31] an appeal, what stays one's own, and the status are without faults", async ({ visit }) => {
  const page = await visit("/");
  await openAppeal(page);
  await page.getByRole("radio", { name: words("appeal.ground.2") }).check();
  await page
    .getByLabel(words("appeal.text"))
    .fill("We were acting out a scene from a film we both like. You can see it a minute earlier in the chat.");
  await picture(page, "appeal-form");
  for (const part of ["appeal.beans", "appeal.data", "appeal.delete"]) {
    await page
      .locator("summary")
      .filter({ hasText: wordsIn("en", part) })
      .click();
  }
  await expect(page.getByText(words("appeal.refundNone"))).toBeVisible();
  await page.getByRole("textbox", { name: words("appeal.deleteNumber") }).scrollIntoViewIfNeeded();
  await look(page, "appeal-still");
  await page.getByRole("button", { name: words("appeal.send") }).click();
  await expect(page.getByRole("heading", { name: words("appeal.yours"), level: 1 })).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 0));
  await look(page, "appeal-status");
});

test("[UI-31] an address without a ban, and the numbers for everybody, are without faults", async ({ visit }) => {
  const page = await visit("/appeal");
  await expect(page.getByRole("heading", { name: words("appeal.noneTitle") })).toBeVisible();
  await look(page, "appeal-none");
  await page.goto("/transparency");
  await expect(page.getByRole("table").first()).toBeVisible();
  await look(page, "transparency");
});

test("[UI-31] ban notice and appeal read from right to left", async ({ visit }) => {
  const page = await visit("/", { locale: "ar" });
  await signInHere(page, "rex");
  await page.getByRole("alertdialog", { name: wordsIn("ar", "ban.title") }).waitFor();
  await picture(page, "appeal-notice-ar");
  await page.getByRole("link", { name: wordsIn("ar", "ban.appealGo") }).click();
  await page.getByRole("complementary", { name: wordsIn("ar", "appeal.decision") }).waitFor();
  await picture(page, "appeal-ar");
  await page.goto("/transparency");
  await page.getByRole("table").first().waitFor();
  await picture(page, "transparency-ar");
});
