import { expect, type Locator, type Page } from "@playwright/test";
import { meet } from "./people.ts";
import { expectBalance } from "./shop.ts";
import { words } from "./words.ts";

/** Gives the signed-in user of a page beans without a payment, and waits until the page shows them. */
export async function giveBeans(page: Page, beans: number): Promise<void> {
  const account = page.getByRole("button", { name: words("home.account") });
  await account.click();
  const text = await page
    .getByRole("menu")
    .getByText(/\d{4} \d{4}/)
    .innerText();
  await page.keyboard.press("Escape");
  const userNo = /(\d{4}) (\d{4})/.exec(text)?.slice(1).join("") ?? "";
  const answer = await page.request.post("/sandbox/beans", { data: { user_no: userNo, beans }, maxRetries: 1 });
  expect(answer.status()).toBe(200);
  await expectBalance(page, new Intl.NumberFormat("en").format(beans));
}

/** Chooses to meet women only, which costs 1,600 beans a minute. */
export async function wishForWomen(page: Page): Promise<void> {
  await page.getByRole("radio", { name: /^Women/ }).click();
}

export function meterPill(page: Page): Locator {
  return page.getByRole("button", { name: words("meter.pillLabel") });
}

/** Matches a user who pays 1,600 beans a minute to meet a woman. */
export async function meetForBeans(payer: Page, other: Page, beans: number): Promise<void> {
  await giveBeans(payer, beans);
  await wishForWomen(payer);
  await meet(payer, other);
}

/** Opens the meter of the call. */
export async function openMeter(page: Page): Promise<Locator> {
  await meterPill(page).click();
  const panel = page.getByRole("dialog", { name: words("meter.title") });
  await expect(panel).toBeVisible();
  return panel;
}

/** The spent beans in the open meter. */
export async function spentIn(panel: Locator): Promise<number> {
  const row = panel.locator("dl > div").filter({ hasText: words("meter.spent").source.slice(1, -1) });
  const text = (await row.locator("dd").innerText()).split("\n")[0] ?? "";
  return Number(text.replaceAll(",", ""));
}

export async function openStatement(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: words("home.account") }).click();
  await page.getByRole("menuitem", { name: words("menu.beans") }).click();
  const sheet = page.getByRole("dialog", { name: words("statement.title") });
  await expect(sheet.getByRole("table").or(sheet.getByText(words("statement.empty")))).toBeVisible();
  return sheet;
}

/** Rows of the open statement, without the head. */
export function statementRows(sheet: Locator): Locator {
  return sheet.locator("tbody tr");
}
