import type { Locator, Page } from "@playwright/test";
import type { Till } from "@fava/web/testing/shop-fixtures.ts";
import type { Words } from "../support/words.ts";

/** The header's balance, whose text has a number in the notation of the language. */
export function balanceOf(page: Page): Locator {
  return page.locator("header button").filter({ hasText: /^\P{L}*\p{N}\P{L}*$/u });
}

export async function openShop(page: Page, said: Words): Promise<Locator> {
  await balanceOf(page).click();
  const shop = page.getByRole("dialog", { name: said("shop.title") });
  await shop.getByRole("radio").first().waitFor();
  return shop;
}

/** Opens the payment window. */
export async function openPayment(page: Page, said: Words): Promise<void> {
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: said("pay.go") }).click();
  await opened;
  await page.getByRole("dialog", { name: said("pay.waitTitle") }).waitFor();
}

/** The provider has decided; checks at once, unless the page polls at this moment. */
export async function settlePayment(page: Page, said: Words, { till, as }: Settled): Promise<void> {
  till.settle(as);
  await page.getByRole("button", { name: said("pay.check") }).evaluateAll((buttons) => {
    for (const button of buttons) (button as HTMLElement).click();
  });
}

interface Settled {
  till: Till;
  as: Parameters<Till["settle"]>[0];
}
