import { expect, type Locator, type Page } from "@playwright/test";
import { openStatement, statementRows } from "../support/beans.ts";
import { test } from "../support/visits.ts";
import { expectToast } from "../support/people.ts";
import {
  balanceOf,
  buyWith,
  chargeStatus,
  choosePack,
  complete,
  expectBalance,
  openCardPage,
  openShop,
  payWith,
  type TestCard,
  waiting,
} from "../support/shop.ts";
import { words, wordsIn } from "../support/words.ts";

const orderNumber = /^[a-z0-9]{16}$/;

test(
  "shows price and order number of a paid card, offers the withdrawal, and adds the beans in every window",
  { tag: "@both-nodes" },
  async ({ visit }) => {
    const page = await visit("/", { as: { name: "Card Success" } });
    await expectBalance(page, "0");
    const second = await page.context().newPage();
    await second.goto("/");
    await expectBalance(second, "0");
    const fetched = second.waitForResponse((response) => response.url().endsWith("/api/user/info/my"));
    const cardPage = await buyWith(page, "success");
    const dialog = complete(page);
    await expect(dialog.getByRole("status")).toHaveText(words("pay.added", { count: "10,000" }));
    await expect(dialog).toContainText("$9.99");
    await expect(dialog).toContainText("+10,000");
    await expect(dialog.getByText(words("pay.withdrawUntil"))).toBeVisible();
    const orderNo = await dialog.getByText(orderNumber).innerText();
    await expectBalance(page, "10,000");

    await expect(cardPage).toHaveURL(new RegExp(`/chargeReturn\\?order_no=${orderNo}`));
    await expect(cardPage.getByRole("heading", { name: words("pay.completeTitle") })).toBeVisible();
    await expect(cardPage.getByText(orderNo)).toBeVisible();
    await expect(cardPage.getByText(words("return.close"))).toBeVisible();
    await fetched;
    await expectBalance(second, "10,000");
    for (const one of [page, second]) await expect.poll(() => chargeStatus(one)).toBe("0");
    await dialog.getByRole("button", { name: words("pay.done") }).click();
    await expect(dialog).toBeHidden();
  },
);

test("asks before it cancels, keeps the order when its dialog closes, and credits a payment that comes after the cancel", async ({
  visit,
}) => {
  const page = await visit("/", { as: { name: "Cancel" } });
  await (await openShop(page)).getByRole("textbox").fill("3200");
  await page.getByRole("button", { name: words("shop.continue") }).click();
  const cardPage = await openCardPage(page, page.getByRole("dialog", { name: words("pay.title") }));
  await expect(cardPage.locator("main")).toContainText("3.20");
  const dialog = waiting(page);
  expect(await chargeStatus(page)).toBe("1");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  const shop = await openShop(page);
  await shop.getByRole("button", { name: words("shop.waitingOpen") }).click();
  await expect(dialog).toBeVisible();

  // The payment page is opened again by hand, so that it can be paid after the cancel.
  const elsewhere = await page.context().newPage();
  await elsewhere.goto(cardPage.url());
  await dialog.getByRole("button", { name: words("pay.cancel") }).click();
  const question = page.getByRole("alertdialog", { name: words("pay.cancelTitle") });
  await expect(question.getByRole("button", { name: words("pay.keep") })).toBeFocused();
  const closed = cardPage.waitForEvent("close");
  await question.getByRole("button", { name: words("pay.cancel") }).click();
  await closed;
  await expect(dialog).toBeHidden();
  await expectToast(page, "pay.toastCancelled");
  expect(await chargeStatus(page)).toBe("0");
  await payWith(elsewhere, "success");
  await expectBalance(page, "3,200");
});

test("credits a declined, challenged, late, repeated, disputed or unreported card once or not at all", async ({
  visit,
}) => {
  const page = await visit("/", { as: { name: "Every Card" } });
  const declined = await buyWith(page, "decline");
  const failed = page.getByRole("dialog", { name: words("pay.failedTitle") });
  await expect(failed).toBeVisible();
  await expect(declined.getByRole("heading", { name: words("pay.failedTitle") })).toBeVisible();
  await declined.close();
  await expectBalance(page, "0");
  expect(await chargeStatus(page)).toBe("0");
  await failed.getByRole("button", { name: words("common.retry") }).click();

  let asked: Locator = page.getByRole("dialog", { name: words("pay.title") });
  let beans = 0;
  for (const card of ["challenge", "late", "duplicate", "silent", "dispute"] as const satisfies readonly TestCard[]) {
    const cardPage = await openCardPage(page, asked);
    await payWith(cardPage, card);
    // The provider reports nothing: a check finds it.
    if (card === "silent")
      await waiting(page)
        .getByRole("button", { name: words("pay.check") })
        .click();
    beans += 10_000;
    const count = new Intl.NumberFormat("en").format(beans);
    await expect(complete(page).getByRole("status"), card).toHaveText(words("pay.added", { count }), {
      timeout: 30_000,
    });
    await expectBalance(page, count);
    await cardPage.close();
    await complete(page)
      .getByRole("button", { name: words("pay.done") })
      .click();
    await expect(complete(page)).toBeHidden();
    if (card !== "dispute") asked = await choosePack(page);
  }
});

test("lets an administrator credit a payment of the wrong amount with a note", async ({ visit }) => {
  const buyer = await visit("/", { as: { name: "Odd Amount" } });
  const cardPage = await buyWith(buyer, "wrong_amount");
  const review = buyer.getByRole("dialog", { name: words("pay.reviewTitle") });
  const orderNo = await review.getByText(orderNumber).innerText();
  await expect(cardPage.getByRole("heading", { name: words("pay.reviewTitle") })).toBeVisible();
  await review.getByRole("button", { name: words("pay.done") }).click();
  await expectBalance(buyer, "0");

  const admin = await visit("/admin", { as: "ada" });
  const item = admin.getByRole("listitem").filter({ hasText: orderNo });
  await expect(item).toContainText(wordsIn("en", "admin.review.why.amount"));
  await item.getByRole("button", { name: words("admin.review.decide") }).click();
  const sheet = admin.getByRole("dialog", { name: words("admin.review.decideTitle") });
  await sheet.getByLabel(words("admin.review.note")).fill("The bank's statement shows the whole amount");
  await sheet.getByRole("button", { name: words("admin.review.credit", { count: "10,000" }) }).click();
  await expect(sheet).toBeHidden();
  await expect(item).toHaveCount(0);
  await expectBalance(buyer, "10,000");
});

test("prints a receipt, and withdraws an unused purchase", async ({ visit }) => {
  const page = await visit("/", {
    as: { name: "Statement Buyer" },
    before: () => void (window.print = () => void (document.title = "printed")),
  });
  await expect(balanceOf(page)).toBeVisible();
  await buyWith(page, "success");
  await expect(complete(page)).toBeVisible();
  await expectBalance(page, "10,000");
  await page.keyboard.press("Escape");
  const sheet = await openStatement(page);
  await expect(statementRows(sheet)).toHaveCount(1);
  await expect(statementRows(sheet)).toContainText("+10,000");
  await printReceipt(page, sheet);

  await sheet.getByRole("button", { name: words("statement.withdrawLabel") }).click();
  const question = page.getByRole("alertdialog", { name: words("withdraw.title") });
  await expect(question).toContainText("$9.99");
  await expect(question.getByRole("button", { name: words("withdraw.keep") })).toBeFocused();
  await question.getByRole("button", { name: words("withdraw.go") }).click();
  await expect(question).toBeHidden();
  await expect(statementRows(sheet)).toHaveCount(2);
  await expect(sheet.getByRole("button", { name: words("statement.withdrawLabel") })).toBeHidden();
  await page.keyboard.press("Escape");
  await expectBalance(page, "0");
});

async function printReceipt(page: Page, sheet: Locator): Promise<void> {
  await sheet.getByRole("button", { name: words("statement.receipt") }).click();
  const receipt = page.getByRole("dialog", { name: words("receipt.title") });
  await expect(receipt.getByText("$9.99")).toBeVisible();
  await expect(receipt.getByText(words("receipt.state.paid"))).toBeVisible();
  await expect(receipt.getByRole("region", { name: words("receipt.seller") })).toContainText(/\w/);
  await receipt.getByRole("button", { name: words("receipt.print") }).click();
  await expect(page).toHaveTitle("printed");
  await page.emulateMedia({ media: "print" });
  await expect(receipt.getByRole("heading", { name: words("receipt.title") })).toBeVisible();
  await expect(receipt.getByText("$9.99")).toBeVisible();
  await expect(receipt.getByRole("button", { name: words("receipt.print") })).toBeHidden();
  await expect(sheet).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await page.keyboard.press("Escape");
  await expect(receipt).toBeHidden();
}
