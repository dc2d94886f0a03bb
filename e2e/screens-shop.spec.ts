import { expect, type Page } from "@playwright/test";
import { look, picture, signInHere, test, wordsIn } from "./support/looks.ts";
import { choosePack, complete, openCardPage, openShop, payWith, signInToBuy, waiting } from "./support/shop.ts";
import { words } from "./support/words.ts";

// Each test walks many screens; axe takes its time on each.
test.setTimeout(240_000);

test("[UI-31] the shop and the payment dialogs are without faults", async ({ visit }) => {
  const page = await visit("/", { devices: true });
  await signInToBuy(page, "Looks Shop");
  const shop = await openShop(page);
  await look(page, "shop");
  await shop.getByRole("radio").nth(1).check();
  await look(page, "shop-pack");
  await shop.getByRole("textbox").fill("3200");
  await look(page, "shop-exact");
  await page.keyboard.press("Escape");
  const dialog = await choosePack(page, "101,000");
  await look(page, "pay");
  const cardPage = await openCardPage(page, dialog);
  await waiting(page).waitFor();
  await look(page, "pay-waiting");
  await waiting(page)
    .getByRole("button", { name: words("pay.cancel") })
    .click();
  await page.getByRole("alertdialog").waitFor();
  await look(page, "pay-cancel");
  await page.keyboard.press("Escape");
  await payWith(cardPage, "success");
  await complete(page).waitFor();
  await look(page, "pay-complete");
  await cardPage.getByRole("heading", { name: words("pay.completeTitle") }).waitFor();
  await look(cardPage, "charge-return");
});

test("[UI-31] what can go wrong in the shop is shown without faults", async ({ visit }) => {
  const page = await visit("/", { expected: /Failed to load resource/ });
  await signInToBuy(page, "Looks Trouble");
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => void (release = resolve));
  await page.route("**/gateway/entry*", async (route) => {
    await held;
    await route.fulfill({ json: emptyList });
  });
  await page.getByRole("banner").getByRole("button", { name: /bean/ }).click();
  await page.getByText(words("shop.loading")).waitFor({ state: "attached" });
  await look(page, "shop-loading");
  release();
  await page.getByText(words("shop.empty")).waitFor();
  await look(page, "shop-empty");
  await page.unroute("**/gateway/entry*");
  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    window.open = () => null;
  });
  const dialog = await choosePack(page);
  await dialog.getByRole("button", { name: words("pay.go") }).click();
  await waiting(page).getByRole("alert").waitFor();
  await look(page, "pay-blocked");
  const elsewhere = await page.context().newPage();
  await elsewhere.goto((await waiting(page).getByRole("link").getAttribute("href")) ?? "");
  await payWith(elsewhere, "decline");
  await page.getByRole("heading", { name: words("pay.failedTitle") }).waitFor();
  await look(page, "pay-failed");
  await page.keyboard.press("Escape");
  const link = await choosePack(page);
  await link.getByRole("button", { name: words("pay.go") }).click();
  await elsewhere.goto((await waiting(page).getByRole("link").getAttribute("href")) ?? "");
  await payWith(elsewhere, "wrong_amount");
  await page.getByRole("heading", { name: words("pay.reviewTitle") }).waitFor();
  await look(page, "pay-review");
});

const emptyList = {
  status: 200,
  data: { list: [], paypal_list: [], paytype_list: [], currency_code: "USD" },
};

test("[LAYOUT-31] Arabic pictures of the shop", async ({ visit }) => {
  const said = (key: string) => wordsIn("ar", key);
  const page = await visit("/", { locale: "ar" });
  await signInHere(page, "omar");
  await page.getByRole("button", { name: said("home.account") }).waitFor();
  await page.getByRole("banner").getByRole("button", { name: /حب/u }).click();
  const shop = page.getByRole("dialog", { name: said("shop.title") });
  await shop.getByRole("radio").nth(4).check();
  await picture(page, "shop-ar");
  await shop.getByRole("button", { name: said("shop.continue") }).click();
  await page.getByRole("dialog", { name: said("pay.title"), exact: true }).waitFor();
  await picture(page, "pay-ar");
  const cardPage = await openArabic(page);
  await picture(page, "pay-waiting-ar");
  await payWith(cardPage, "success");
  await page.getByRole("dialog", { name: said("pay.completeTitle") }).waitFor();
  await expect(page.getByRole("dialog").getByRole("status")).toContainText("101,000");
  await picture(page, "pay-complete-ar");
});

async function openArabic(page: Page): Promise<Page> {
  const opened = page.waitForEvent("popup");
  await page.getByRole("dialog").getByRole("button").last().click();
  const cardPage = await opened;
  await cardPage.waitForURL(/\/sandbox\/pay\//);
  await page.getByRole("dialog", { name: wordsIn("ar", "pay.waitTitle") }).waitFor();
  return cardPage;
}
