import { expect, type Page } from "@playwright/test";
import { expectToast } from "./support/people.ts";
import { look, signInHere, test, wordsIn } from "./support/looks.ts";
import { buyWith } from "./support/shop.ts";
import { words } from "./support/words.ts";
import { beginSession } from "./support/session.ts";

async function signedInAs(page: Page, who: string): Promise<void> {
  await signInHere(page, who);
  await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
}

async function openAdmin(page: Page): Promise<void> {
  await signedInAs(page, "ada");
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: words("admin.title"), level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: words("admin.packs.title") })).toBeVisible();
}

test("[BEANS-390, BEANS-391] an administrator changes a price; a steep fall is asked once more, and the log says who", async ({
  visit,
}) => {
  const page = await visit("/");
  await openAdmin(page);
  const save = page.getByRole("button", { name: words("common.save") });
  await page.getByLabel(words("admin.price.country")).fill("700");
  await expect(page.getByText(words("admin.price.was", { count: "800" }))).toBeVisible();
  await save.click();
  await expectToast(page, "admin.saved");
  const log = page.getByRole("listitem").filter({ hasText: wordsIn("en", "admin.log.prices") });
  await expect(log.first()).toContainText("Ada");

  await page.getByLabel(words("admin.price.both")).fill("900");
  await save.click();
  await expect(page.getByText(words("admin.price.drastic"))).toBeVisible();
  await page.getByRole("button", { name: words("admin.discard") }).click();
  await expect(page.getByLabel(words("admin.price.both"))).toHaveValue("2000");
  await page.getByLabel(words("admin.price.both")).fill("9999");
  await expect(page.getByText(words("admin.price.wrong.both"))).toBeVisible();
});

test("[BEANS-392] a pack is added to the list and taken off again", async ({ visit }) => {
  const page = await visit("/");
  await openAdmin(page);
  await page.getByRole("button", { name: words("admin.packs.add") }).click();
  const sheet = page.getByRole("dialog", { name: words("admin.packs.add") });
  await sheet.getByLabel(words("admin.packs.beans")).fill("20000");
  await sheet.getByLabel(words("admin.packs.price")).fill("19.999");
  const add = sheet.getByRole("button", { name: words("admin.packs.add") });
  await add.click();
  await expect(sheet.getByRole("alert")).toHaveText(words("admin.packs.wrong"));
  await sheet.getByLabel(words("admin.packs.price")).fill("18.99");
  await add.click();
  await expect(sheet).toBeHidden();
  const row = page.getByRole("row").filter({ hasText: "20,000" });
  await expect(row).toContainText("$18.99");
  await row.getByRole("button").click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: words("admin.packs.removeYes") })
    .click();
  await expect(row).toHaveCount(0);
});

test("[BEANS-393] a payment of the wrong amount waits for an administrator, who credits it with a note", async ({
  visit,
}) => {
  const buyer = await visit("/");
  await beginSession(buyer, { name: "Odd Amount" });
  await buyWith(buyer, "wrong_amount");
  const review = buyer.getByRole("dialog", { name: words("pay.reviewTitle") });
  await expect(review).toBeVisible();
  await buyer.keyboard.press("Escape");
  await expect(review).toBeHidden();

  const page = await visit("/");
  await openAdmin(page);
  const item = page.getByRole("listitem").filter({ hasText: "amount_mismatch" });
  await item.getByRole("button", { name: words("admin.review.decide") }).click();
  const sheet = page.getByRole("dialog", { name: words("admin.review.decideTitle") });
  const credit = sheet.getByRole("button", { name: words("admin.review.credit", { count: "10,000" }) });
  await credit.click();
  await expect(sheet.getByRole("alert")).toHaveText(words("admin.review.noteNeeded"));
  await sheet.getByLabel(words("admin.review.note")).fill("The bank's statement shows the whole amount");
  await credit.click();
  await expect(page.getByText(words("admin.review.none"))).toBeVisible();
  await expect(buyer.getByRole("banner").getByRole("button", { name: /^10,000 beans$/ })).toBeVisible();
});

test("[BEANS-390] the page of prices is not there for a moderator", async ({ visit }) => {
  const page = await visit("/");
  await signedInAs(page, "mia");
  await page.goto("/admin");
  await expect(page).toHaveURL(/\/404$/);
});

test("[UI-31] prices and packs are without faults", async ({ visit }) => {
  const page = await visit("/");
  await openAdmin(page);
  await page.getByLabel(words("admin.price.gender")).fill("1500");
  await look(page, "admin");
});
