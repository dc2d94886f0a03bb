import { expect } from "@playwright/test";
import { openStatement, statementRows } from "./support/beans.ts";
import { test } from "./support/looks.ts";
import { buyWith, complete, expectBalance, signInToBuy } from "./support/shop.ts";
import { words } from "./support/words.ts";

test("[BEANS-365, BEANS-367] a purchase has a receipt to print, and goes back while it is unused", async ({
  visit,
}) => {
  const page = await visit("/", { before: () => void (window.print = () => void (document.title = "printed")) });
  await signInToBuy(page, "Statement Buyer");
  await buyWith(page, "success");
  await expect(complete(page)).toBeVisible();
  await expectBalance(page, "10,000");
  await page.keyboard.press("Escape");

  const sheet = await openStatement(page);
  await expect(statementRows(sheet)).toHaveCount(1);
  await expect(statementRows(sheet)).toContainText("+10,000");
  await sheet.getByRole("button", { name: words("statement.receipt") }).click();
  const receipt = page.getByRole("dialog", { name: words("receipt.title") });
  await expect(receipt.getByText("$9.99")).toBeVisible();
  await expect(receipt.getByText(words("receipt.state.paid"))).toBeVisible();
  await expect(receipt.getByRole("region", { name: words("receipt.seller") })).toContainText(/\w/);
  await receipt.getByRole("button", { name: words("receipt.print") }).click();
  await expect(page).toHaveTitle("printed");
  await page.emulateMedia({ media: "print" });
  await expect(receipt.getByText("$9.99")).toBeVisible();
  await expect(receipt.getByRole("button", { name: words("receipt.print") })).toBeHidden();
  await expect(sheet).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await page.keyboard.press("Escape");

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

test("[BEANS-370] a lower cap holds at once, a higher one and none from a day later on", async ({ visit }) => {
  const page = await visit("/");
  await signInToBuy(page, "Cap Setter");
  const sheet = await openStatement(page);
  await expect(sheet.getByText(words("statement.emptyText"))).toBeVisible();
  const openCap = async () => {
    await sheet.getByRole("button", { name: words("statement.change") }).click();
    const cap = page.getByRole("dialog", { name: words("cap.title") });
    await expect(cap.getByRole("radio", { name: words("cap.own") })).toBeVisible();
    return cap;
  };
  let cap = await openCap();
  const save = page.getByRole("button", { name: words("common.save") });
  await expect(save).toBeDisabled();
  await cap.getByRole("textbox").fill("5000");
  await expect(cap.getByText(words("cap.atOnce"))).toBeVisible();
  await save.click();
  await expect(cap).toBeHidden();
  await expect(sheet.getByText(words("statement.capUsed", { spent: "0", cap: "5,000" }))).toBeVisible();

  cap = await openCap();
  await expect(cap.getByRole("textbox")).toHaveValue("5000");
  await cap.getByRole("radio", { name: words("cap.none") }).check();
  await expect(cap.getByText(words("cap.later"))).toBeVisible();
  await save.click();
  await expect(cap).toBeHidden();
  cap = await openCap();
  await expect(cap.getByText(words("cap.pendingNone"))).toBeVisible();
  await expect(cap.getByText(words("cap.now", { cap: "5,000", spent: "0" }))).toBeVisible();
});
