import { expect } from "@playwright/test";
import { priceListCountryDefault } from "@fava/wire/limits.ts";
import { signInHere, test } from "./support/looks.ts";
import { expectToast } from "./support/people.ts";
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
  signInToBuy,
  waiting,
} from "./support/shop.ts";
import { words } from "./support/words.ts";

// A country without packs of its own.
test.use({ environment: { DEFAULT_COUNTRY: "BR" } });

test("[BEANS-11] the empty price list of one's own country is asked for again with country 18", async ({ visit }) => {
  const page = await visit("/");
  await signInToBuy(page, "Other Country");
  const countries: unknown[] = [];
  page.on("request", (request) => {
    const data = new URL(request.url()).searchParams.get("Api_data");
    if (data) countries.push((JSON.parse(data) as { country_id: unknown }).country_id);
  });
  const shop = await openShop(page);
  await expect(shop.getByRole("radio")).toHaveCount(6);
  expect(countries).toHaveLength(2);
  expect(countries[0]).not.toBe(priceListCountryDefault);
  expect(countries[1]).toBe(priceListCountryDefault);
});

test("[BEANS-315, BEANS-312] cancelling asks first, closing is not cancelling, and money that was paid still brings the beans", async ({
  visit,
}) => {
  const page = await visit("/");
  await signInToBuy(page, "Cancel");
  const cardPage = await openCardPage(page, await choosePack(page));
  const dialog = waiting(page);
  expect(await chargeStatus(page)).toBe("1");
  expect(await page.evaluate(() => localStorage.getItem("rechargePrice"))).toBe("9.99");
  await dialog.getByRole("button", { name: words("pay.cancel") }).click();
  const question = page.getByRole("alertdialog", { name: words("pay.cancelTitle") });
  await expect(question.getByRole("button", { name: words("pay.keep") })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(question).toBeHidden();
  await expect(dialog).toBeVisible();

  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  const shop = await openShop(page);
  await shop.getByRole("button", { name: words("shop.waitingOpen") }).click();
  await expect(dialog).toBeVisible();

  // The payment is opened a second time by hand, so that it can be paid after it was cancelled here.
  const elsewhere = await page.context().newPage();
  await elsewhere.goto(cardPage.url());
  await dialog.getByRole("button", { name: words("pay.cancel") }).click();
  const closed = cardPage.waitForEvent("close");
  await question.getByRole("button", { name: words("pay.cancel") }).click();
  await closed;
  await expect(dialog).toBeHidden();
  await expectToast(page, "pay.toastCancelled");
  expect(await chargeStatus(page)).toBe("0");
  await payWith(elsewhere, "success");
  await expectBalance(page, "10,000");
});

test("[BEANS-319] where no window may open, it is said, and a link leads to the payment page", async ({ visit }) => {
  const page = await visit("/");
  await signInToBuy(page, "Blocked Popup");
  await page.evaluate(() => {
    window.open = () => null;
  });
  const dialog = await choosePack(page);
  await dialog.getByRole("button", { name: words("pay.go") }).click();
  await expect(waiting(page).getByRole("alert")).toHaveText(words("pay.blocked"));
  const opened = page.context().waitForEvent("page");
  await waiting(page)
    .getByRole("link", { name: words("pay.openLink") })
    .click();
  const cardPage = await opened;
  await cardPage.waitForLoadState();
  await payWith(cardPage, "success");
  await expect(complete(page).getByRole("status")).toHaveText(words("pay.added", { count: "10,000" }));
});

test("[BEANS-301] another tab that says paid has the balance fetched anew, and the word is taken back", async ({
  visit,
}) => {
  const page = await visit("/");
  await signInToBuy(page, "Two Tabs");
  await expect(balanceOf(page)).toBeVisible();
  const second = await page.context().newPage();
  await second.goto("/");
  await expectBalance(second, "0");
  const fetched = second.waitForResponse((response) => response.url().endsWith("/api/user/info/my"));
  await buyWith(page, "success");
  await fetched;
  await expectBalance(second, "10,000");
  await expectBalance(page, "10,000");
  await expect.poll(() => chargeStatus(second)).toBe("0");
});

test("[BEANS-316] the return page of a window that is not signed in sends one to the first window", async ({
  visit,
}) => {
  const page = await visit("/chargeReturn?order_no=abcdefgh");
  await expect(page.getByRole("heading", { name: words("return.elsewhereTitle") })).toBeVisible();
  await expect(page.getByText(words("return.close"))).toBeVisible();
});

test("[BEANS-312] a payment that waits is found again after the page was loaded anew", async ({ visit }) => {
  const page = await visit("/");
  await signInToBuy(page, "Loaded Anew");
  const cardPage = await openCardPage(page, await choosePack(page));
  await page.reload();
  await page.getByRole("button", { name: words("home.account") }).waitFor();
  const shop = await openShop(page);
  await shop.getByRole("button", { name: words("shop.waitingOpen") }).click();
  await payWith(cardPage, "success");
  await expect(complete(page).getByRole("status")).toHaveText(words("pay.added", { count: "10,000" }));
});

test("[BEANS-4] not enough beans: the sheet leads to the shop as well", async ({ visit }) => {
  const page = await visit("/", { devices: true });
  await signInHere(page, "bo");
  await page.getByRole("radio", { name: /^Women/ }).check();
  await page.getByRole("button", { name: words("home.start") }).click();
  await page.getByRole("button", { name: words("rules.ok") }).click();
  const sheet = page.getByRole("dialog", { name: words("beans.notEnoughTitle") });
  await expect(sheet.getByRole("button", { name: words("beans.useFree") })).toBeVisible();
  await sheet.getByRole("button", { name: words("beans.get") }).click();
  await expect(page.getByRole("dialog", { name: words("shop.title") })).toBeVisible();
});

test("prices that cannot be loaded are said, with a way to try again", async ({ visit }) => {
  const page = await visit("/", { expected: /Failed to load resource/ });
  await signInToBuy(page, "No Prices");
  await page.route("**/gateway/entry*", (route) => route.abort());
  await balanceOf(page).click();
  const shop = page.getByRole("dialog", { name: words("shop.title") });
  await expect(shop.getByRole("alert")).toContainText(words("shop.failed").source.slice(1, -1));
  await page.unroute("**/gateway/entry*");
  await shop.getByRole("button", { name: words("common.retry") }).click();
  await expect(shop.getByRole("radio")).toHaveCount(6);
});

test("statement and spending cap lie over the shop, which is still there afterwards", async ({ visit }) => {
  const page = await visit("/");
  await signInToBuy(page, "Two Ways");
  const shop = await openShop(page);
  for (const [key, title] of [
    ["shop.statement", "statement.title"],
    ["shop.cap", "cap.title"],
  ] as const) {
    await page
      .getByRole("dialog", { name: words("shop.title") })
      .getByRole("button", { name: words(key) })
      .click();
    const over = page.getByRole("dialog", { name: words(title) });
    await over.getByRole("heading").first().click();
    await page.keyboard.press("Escape");
    await expect(over).toBeHidden();
    await expect(shop).toBeVisible();
  }
});
