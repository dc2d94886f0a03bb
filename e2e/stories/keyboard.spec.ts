import { expect, type Locator, type Page } from "@playwright/test";
import {
  choose,
  chooseInMenu,
  expectNoPointer,
  expectOnTitle,
  press,
  tabTo,
  watchPointers,
} from "../support/keyboard.ts";
import { test } from "../support/people.ts";
import { balanceOf, complete, expectBalance } from "../support/shop.ts";
import { words } from "../support/words.ts";

const dialog = (page: Page, key: string) => page.getByRole("dialog", { name: words(key) });
const button = (place: Page | Locator, key: string) => place.getByRole("button", { name: words(key) });
const account = (page: Page) => button(page, "home.account");

/** Signs in and gives birthday and gender by keyboard alone. */
async function signInByKeys(page: Page, name: string): Promise<void> {
  await press(page, button(page, "login.open"));
  const login = dialog(page, "login.tagline");
  await expectOnTitle(login);
  const opened = page.waitForEvent("popup");
  await press(page, login.getByRole("button", { name: words("login.with", { name: "Google" }) }));
  const chooser = await opened;
  await chooser.waitForLoadState();
  const closed = chooser.waitForEvent("close");
  await tabTo(chooser, chooser.locator("#name"));
  await chooser.keyboard.type(name);
  // The window may close before Playwright learns that the key was pressed.
  await chooser.keyboard.press("Enter").catch((error: unknown) => {
    if (!chooser.isClosed()) throw error;
  });
  await closed;
  const profile = dialog(page, "complete.title");
  await expectOnTitle(profile);
  await tabTo(page, profile.getByLabel(words("birth.year")));
  await page.keyboard.type("1999");
  await expect(profile.getByLabel(words("birth.year"))).toHaveValue("1999");
  await choose(page, profile, profile.getByRole("radio", { name: words("gender.female") }));
  await press(page, button(profile, "common.next"));
  await expect(profile).toBeHidden();
  await expect(account(page)).toBeVisible();
}

// Without mouse or touch, through the windows of the providers.
test("lets a user sign in, buy beans with a card and sign out", { tag: "@deep" }, async ({ visitor }) => {
  test.setTimeout(180_000);
  const page = await visitor({ before: watchPointers });
  await signInByKeys(page, "Keys Buyer");
  await press(page, balanceOf(page));
  const shop = dialog(page, "shop.title");
  await expectOnTitle(shop);
  await choose(page, shop, shop.getByRole("radio", { name: /\b10,000 beans/ }));
  await press(page, button(shop, "shop.continue"));
  const payment = dialog(page, "pay.title");
  const opened = page.waitForEvent("popup");
  await press(page, button(payment, "pay.go"));
  const card = await opened;
  await card.waitForURL(/\/sandbox\/pay\//);
  await card.waitForLoadState();
  await tabTo(card, card.locator("input[name=number]"));
  await card.keyboard.press("ControlOrMeta+A");
  await card.keyboard.type("4242 4242 4242 4242");
  await press(card, card.locator("button.pay"));
  await expect(complete(page).getByRole("status")).toHaveText(words("pay.added", { count: "10,000" }));
  await press(page, button(complete(page), "pay.done"));
  await expect(complete(page)).toBeHidden();
  await expectBalance(page, "10,000");
  await expect(balanceOf(page)).toBeFocused();
  await chooseInMenu(page, account(page), page.getByRole("menuitem", { name: words("menu.signOut") }));
  await expect(button(page, "login.open")).toBeVisible();
  await expectNoPointer(page);
});
