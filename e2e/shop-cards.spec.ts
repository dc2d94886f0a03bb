import { expect } from "@playwright/test";
import { test } from "./support/looks.ts";
import {
  buyWith,
  chargeStatus,
  complete,
  expectBalance,
  openCardPage,
  openShop,
  payWith,
  signInToBuy,
  waiting,
} from "./support/shop.ts";
import { words } from "./support/words.ts";

test("[BEANS-313, BEANS-314, BEANS-316] a card that succeeds: price, order number, withdrawal, and the beans have arrived in both windows", async ({
  visit,
}) => {
  const page = await visit("/");
  await signInToBuy(page, "Card Success");
  await expectBalance(page, "0");
  const cardPage = await buyWith(page, "success");
  const dialog = complete(page);
  await expect(dialog.getByRole("status")).toHaveText(words("pay.added", { count: "10,000" }));
  await expect(dialog).toContainText("$9.99");
  await expect(dialog).toContainText("+10,000");
  await expect(dialog.getByText(words("pay.withdrawUntil"))).toBeVisible();
  const orderNo = await dialog.getByText(/^[a-z0-9]{16}$/).innerText();
  await expectBalance(page, "10,000");

  await expect(cardPage).toHaveURL(new RegExp(`/chargeReturn\\?order_no=${orderNo}`));
  await expect(cardPage.getByRole("heading", { name: words("pay.completeTitle") })).toBeVisible();
  await expect(cardPage.getByText(orderNo)).toBeVisible();
  await expect(cardPage.getByText(words("return.close"))).toBeVisible();
  await expect.poll(() => chargeStatus(page)).toBe("0");
  await dialog.getByRole("button", { name: words("pay.done") }).click();
  await expect(dialog).toBeHidden();
});

test("[BEANS-318] a card that is declined: nothing was bought, and another card can be tried at once", async ({
  visit,
}) => {
  const page = await visit("/");
  await signInToBuy(page, "Card Decline");
  const cardPage = await buyWith(page, "decline");
  const failed = page.getByRole("dialog", { name: words("pay.failedTitle") });
  await expect(failed).toBeVisible();
  await expect(cardPage.getByRole("heading", { name: words("pay.failedTitle") })).toBeVisible();
  await expectBalance(page, "0");
  expect(await chargeStatus(page)).toBe("0");
  await cardPage.close();

  await failed.getByRole("button", { name: words("common.retry") }).click();
  const again = await openCardPage(page, page.getByRole("dialog", { name: words("pay.title") }));
  await payWith(again, "success");
  await expect(complete(page).getByRole("status")).toHaveText(words("pay.added", { count: "10,000" }));
});

test.describe("[BEANS-313] every other card ends as it should", () => {
  for (const card of ["challenge", "late", "duplicate", "dispute"] as const) {
    test(`${card}: the beans arrive once`, async ({ visit }) => {
      const page = await visit("/");
      await signInToBuy(page, `Card ${card}`);
      await buyWith(page, card);
      await expect(complete(page).getByRole("status")).toHaveText(words("pay.added", { count: "10,000" }), {
        timeout: 30_000,
      });
      await expectBalance(page, "10,000");
    });
  }
});

test("[BEANS-317] a payment that is never reported is found by asking", async ({ visit }) => {
  const page = await visit("/");
  await signInToBuy(page, "Card Silent");
  await buyWith(page, "silent");
  await waiting(page)
    .getByRole("button", { name: words("pay.check") })
    .click();
  await expect(complete(page).getByRole("status")).toHaveText(words("pay.added", { count: "10,000" }));
});

test("[BEANS-321] a payment of another amount is looked into by a person: said kindly, with the order number", async ({
  visit,
}) => {
  const page = await visit("/");
  await signInToBuy(page, "Card Wrong");
  const cardPage = await buyWith(page, "wrong_amount");
  const review = page.getByRole("dialog", { name: words("pay.reviewTitle") });
  await expect(review.getByText(/^[a-z0-9]{16}$/)).toBeVisible();
  await expect(cardPage.getByRole("heading", { name: words("pay.reviewTitle") })).toBeVisible();
  await review.getByRole("button", { name: words("pay.done") }).click();
  await expectBalance(page, "0");
});

test("[BEANS-12] an exact amount: the price follows while typing, and it excludes a pack", async ({ visit }) => {
  const page = await visit("/");
  await signInToBuy(page, "Exact Amount");
  const shop = await openShop(page);
  const go = shop.getByRole("button", { name: words("shop.continue") });
  await expect(go).toBeDisabled();
  await expect(shop.getByText(words("shop.nothing"))).toBeVisible();
  await expect(shop.getByRole("radio", { checked: true })).toHaveCount(0);
  await shop.getByRole("radio").last().check();
  const field = shop.getByRole("textbox");
  await field.fill("1599");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(go).toBeDisabled();
  await field.fill("3200");
  await expect(shop.getByRole("radio", { checked: true })).toHaveCount(0);
  await expect(shop.getByRole("status").filter({ hasText: "$3.20" })).toBeVisible();
  await go.click();
  const cardPage = await openCardPage(page, page.getByRole("dialog", { name: words("pay.title") }));
  await expect(cardPage.locator("main")).toContainText("3.20");
  await payWith(cardPage, "success");
  await expect(complete(page).getByRole("status")).toHaveText(words("pay.added", { count: "3,200" }));
});
