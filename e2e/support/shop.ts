import { expect, type Locator, type Page } from "@playwright/test";
import { words } from "./words.ts";

/** The outcomes of the sandbox's test cards. */
export type TestCard =
  | "success"
  | "decline"
  | "challenge"
  | "late"
  | "duplicate"
  | "dispute"
  | "silent"
  | "wrong_amount";

const cards: Readonly<Record<TestCard, string>> = {
  success: "4242 4242 4242 4242",
  decline: "4000 0000 0000 0002",
  challenge: "4000 0025 0000 3155",
  late: "4000 0000 0000 0077",
  duplicate: "4000 0000 0000 0119",
  dispute: "4000 0000 0000 0259",
  silent: "4000 0000 0000 5126",
  wrong_amount: "4000 0000 0000 0341",
};

/** The header's balance, also while a dialog makes it inert. */
export function balanceOf(page: Page): Locator {
  return page
    .getByRole("banner", { includeHidden: true })
    .locator("button[aria-label$='bean'], button[aria-label$='beans']");
}

export async function expectBalance(page: Page, beans: string): Promise<void> {
  await expect(balanceOf(page)).toHaveAttribute("aria-label", new RegExp(`^${beans} beans?$`));
}

export async function openShop(page: Page): Promise<Locator> {
  await balanceOf(page).click();
  const shop = page.getByRole("dialog", { name: words("shop.title") });
  await expect(shop.getByRole("radio").first()).toBeVisible();
  return shop;
}

/** From the open shop to the payment methods. */
async function continueToPayment(page: Page): Promise<Locator> {
  const shop = page.getByRole("dialog", { name: words("shop.title") });
  await shop.getByRole("button", { name: words("shop.continue") }).click();
  const dialog = page.getByRole("dialog", { name: words("pay.title") });
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Chooses the smallest pack. */
export async function choosePack(page: Page, beans = "10,000"): Promise<Locator> {
  const shop = await openShop(page);
  await shop.getByRole("radio", { name: new RegExp(`(?<!\\d|,)${beans} beans`) }).check();
  return continueToPayment(page);
}

/** Presses "Continue to payment"; returns the payment window, on the card page. */
export async function openCardPage(page: Page, dialog: Locator): Promise<Page> {
  const opened = page.waitForEvent("popup");
  await dialog.getByRole("button", { name: words("pay.go") }).click();
  const cardPage = await opened;
  await cardPage.waitForURL(/\/sandbox\/pay\//);
  await cardPage.waitForLoadState();
  return cardPage;
}

/** Pays with a test card; the window then shows the return page, or the bank's question. */
export async function payWith(cardPage: Page, card: TestCard): Promise<void> {
  await cardPage.locator("input[name=number]").fill(cards[card]);
  await cardPage.locator("button.pay").click();
  if (card !== "challenge") return;
  await cardPage.locator("[data-post=confirm]").click();
}

/** Buys the smallest pack with a test card, up to the return page. */
export async function buyWith(page: Page, card: TestCard): Promise<Page> {
  const cardPage = await openCardPage(page, await choosePack(page));
  await payWith(cardPage, card);
  return cardPage;
}

export function complete(page: Page): Locator {
  return page.getByRole("dialog", { name: words("pay.completeTitle") });
}

export function waiting(page: Page): Locator {
  return page.getByRole("dialog", { name: words("pay.waitTitle") });
}

export function chargeStatus(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem("chargeStatus"));
}
