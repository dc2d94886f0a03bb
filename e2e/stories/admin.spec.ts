import { expect, type Page } from "@playwright/test";
import { test } from "../support/visits.ts";
import { expectToast } from "../support/people.ts";
import { openShop } from "../support/shop.ts";
import { words, wordsIn } from "../support/words.ts";

async function changePrice(page: Page, beans: string): Promise<void> {
  await page.getByLabel(words("admin.price.country")).fill(beans);
  await page.getByRole("button", { name: words("common.save") }).click();
  await expect(page.getByRole("button", { name: words("common.save") })).toBeHidden();
}

test("lets an administrator change price and packs, confirms a steep fall, logs it, and updates the shop", async ({
  visit,
}) => {
  const page = await visit("/admin", { as: "ada" });
  await expect(page.getByRole("heading", { name: words("admin.packs.title") })).toBeVisible();
  await changePrice(page, "700");
  await expectToast(page, "admin.saved");
  const log = page.getByRole("listitem").filter({ hasText: wordsIn("en", "admin.log.prices") });
  await expect(log.first()).toContainText("Ada");
  await expect(log.first()).toContainText("1600 / 800 / 2000 → 1600 / 700 / 2000");
  await page.reload();
  await expect(page.getByLabel(words("admin.price.country"))).toHaveValue("700");

  await page.getByLabel(words("admin.price.both")).fill("900");
  await page.getByRole("button", { name: words("common.save") }).click();
  await expect(page.getByText(words("admin.price.drastic"))).toBeVisible();
  await page.getByRole("button", { name: words("admin.discard") }).click();
  await expect(page.getByLabel(words("admin.price.both"))).toHaveValue("2000");
  // Restores the values for the tests after this one.
  await changePrice(page, "800");

  await page.getByRole("button", { name: words("admin.packs.add") }).click();
  const sheet = page.getByRole("dialog", { name: words("admin.packs.add") });
  await sheet.getByLabel(words("admin.packs.beans")).fill("20000");
  await sheet.getByLabel(words("admin.packs.price")).fill("18.99");
  await sheet.getByRole("button", { name: words("admin.packs.add") }).click();
  await expect(sheet).toBeHidden();
  const row = page.getByRole("row").filter({ hasText: "20,000" });
  await expect(row).toContainText("$18.99");

  const buyer = await visit("/", { as: { name: "Buys What Is Offered" } });
  const added = (await openShop(buyer)).getByRole("radio", { name: /\b20,000 beans/ });
  await expect(added).toBeVisible();
  await row.getByRole("button").click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: words("admin.packs.removeYes") })
    .click();
  await expect(row).toHaveCount(0);
  await buyer.keyboard.press("Escape");
  await expect(added).toHaveCount(0);
  await openShop(buyer);
  await expect(added).toHaveCount(0);
});
