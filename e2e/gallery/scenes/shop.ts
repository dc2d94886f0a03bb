import { expect } from "@playwright/test";
import { walletOf } from "@fava/web/testing/bean-fixtures.ts";
import { silence } from "@fava/web/testing/fixture-world.ts";
import { ana, galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { heldAnswer } from "@fava/web/testing/held-answer.ts";
import { orderOf } from "@fava/web/testing/shop-world.ts";
import { noPacks, orderNumber, payMethods, sixPacks, tillOf } from "@fava/web/testing/shop-fixtures.ts";
import type { PriceList } from "@fava/wire/gateway.ts";
import { scene } from "../scene.ts";
import { balanceOf, openPayment, openShop, settlePayment } from "../shop-steps.ts";

const buyer = { ...ana, credit5: 48_200 };
const tillNow = () => tillOf(buyer, () => galleryNowMs);
const returnPath = `/chargeReturn?order_no=${orderNumber}`;

const shopping = scene("the shop and a payment that succeeds", { as: buyer }, async ({ page, said, show, world }) => {
  const till = tillNow();
  world.server.answer(till.answers);
  const shop = await openShop(page, said);
  const proceed = shop.getByRole("button", { name: said("shop.continue") });
  await show("shop", { inView: [proceed] });
  await shop.getByRole("textbox").fill("3200");
  await show("shop-exact");
  await shop.getByRole("radio").nth(1).check();
  await show("shop-pack", { inView: [proceed] });
  await proceed.click();
  await page.getByRole("dialog", { name: said("pay.title") }).waitFor();
  await show("pay", { inView: [page.getByRole("button", { name: said("pay.go") })] });
  await openPayment(page, said);
  await show("pay-waiting");
  await page.getByRole("button", { name: said("pay.cancel") }).click();
  await page.getByRole("alertdialog").waitFor();
  await show("pay-cancel");
  await page.getByRole("button", { name: said("pay.keep") }).click();
  await expect(page.getByRole("alertdialog")).toBeHidden();
  await settlePayment(page, said, { till, as: "paid" });
  await page.getByRole("dialog", { name: said("pay.completeTitle") }).waitFor();
  await expect(page.getByText(said("pay.added"))).toBeVisible();
  await show("pay-complete");
});

/** Home loads the wallet at its own time, maybe before the scene starts. */
const indebted = { beanWallet: walletOf({ balance: 0, debt: 3_200 }) };

const trouble = scene("a shop without packs, and its notices", { as: ana, answers: indebted }, async (stage) => {
  const { page, said, show, world } = stage;
  const list = heldAnswer<PriceList>();
  world.expectErrors(/Failed to load resource/);
  world.server.answer({
    ...tillOf(ana, () => galleryNowMs).answers,
    ...indebted,
    priceList: () => list.answer,
  });
  await balanceOf(page).click();
  const shop = page.getByRole("dialog", { name: said("shop.title") });
  await shop.getByText(said("shop.loading")).waitFor({ state: "attached" });
  await show("shop-loading");
  list.give(noPacks);
  await shop.getByText(said("shop.empty")).waitFor();
  await show("shop-empty");
  world.server.answer({ priceList: () => silence });
  await page.keyboard.press("Escape");
  await expect(shop).toBeHidden();
  await balanceOf(page).click();
  await shop.getByText(said("shop.failed")).waitFor();
  await show("shop-failed");

  world.server.answer({ priceList: () => ({ ...sixPacks, paytype_list: [...payMethods] }) });
  await shop.getByRole("button", { name: said("common.retry") }).click();
  await shop.getByRole("radio").last().check();
  await shop.getByRole("button", { name: said("shop.continue") }).click();
  await page.getByRole("dialog", { name: said("pay.title") }).waitFor();
  await show("pay-methods");
  await page.getByRole("radio").first().check();
  await openPayment(page, said);
  await page.keyboard.press("Escape");
  await balanceOf(page).click();
  await shop.getByText(said("shop.debt")).waitFor();
  await shop.getByText(said("shop.waiting")).waitFor();
  await show("shop-debt-and-waiting");
});

const failing = scene("payments that fail", { as: buyer }, async ({ page, said, show, world }) => {
  const till = tillNow();
  const noMethods = () => ({ ...sixPacks, paytype_list: [] });
  world.server.answer({ ...till.answers, recharge: () => "provider_failed", priceList: noMethods });
  await page.evaluate(() => {
    window.open = () => null;
  });
  const shop = await openShop(page, said);
  const proceed = shop.getByRole("button", { name: said("shop.continue") });
  await shop.getByRole("radio").last().check();
  await proceed.click();
  await page.getByText(said("pay.noMethods")).waitFor();
  await show("pay-no-methods");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  world.server.answer({ priceList: () => sixPacks });
  await openShop(page, said);
  await shop.getByRole("radio").last().check();
  await proceed.click();
  const go = page.getByRole("button", { name: said("pay.go") });
  await go.click();
  await page.getByText(said("pay.problem.provider")).waitFor();
  await show("pay-problem");

  world.server.answer(till.answers);
  await go.click();
  await page.getByText(said("pay.blocked")).waitFor();
  await page.getByRole("button", { name: said("pay.check") }).click();
  await page.getByText(said("pay.notYet")).waitFor();
  await show("pay-blocked");
  await settlePayment(page, said, { till, as: "failed" });
  await page.getByRole("dialog", { name: said("pay.failedTitle") }).waitFor();
  await show("pay-failed");
  for (const [state, title] of [
    ["expired", "pay.expiredTitle"],
    ["review", "pay.reviewTitle"],
  ] as const) {
    await page.getByRole("button", { name: said("common.retry") }).click();
    await go.click();
    await page.getByText(said("pay.blocked")).waitFor();
    await settlePayment(page, said, { till, as: state });
    await page.getByRole("dialog", { name: said(title) }).waitFor();
    await show(`pay-${state}`);
  }
});

const returning = scene(
  "the return page of a payment",
  { as: buyer, path: returnPath, answers: { orderStatus: () => heldAnswer<never>().answer }, isUsedUp: true },
  async ({ page, said, show, world }) => {
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toHaveText(said("return.checkingTitle"));
    await show("charge-return-checking");
    world.server.answer({ orderStatus: orderOf({ order_no: orderNumber }) });
    // A clock that can be advanced.
    await page.clock.setFixedTime(galleryNowMs);
    await page.reload();
    await expect(async () => {
      await page.clock.runFor(5_000);
      await expect(heading).toHaveText(said("return.lateTitle"), { timeout: 200 });
    }).toPass();
    await show("charge-return-late");
    const till = tillNow();
    world.server.answer(till.answers);
    for (const [state, title] of [
      ["paid", "pay.completeTitle"],
      ["failed", "pay.failedTitle"],
      ["expired", "pay.expiredTitle"],
      ["review", "pay.reviewTitle"],
    ] as const) {
      till.settle(state);
      await page.reload();
      await expect(heading).toHaveText(said(title));
      await show(`charge-return-${state}`);
    }
  },
);

const elsewhere = scene("the same where nobody is signed in", { path: returnPath }, async ({ page, said, show }) => {
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(said("return.elsewhereTitle"));
  await show("charge-return-elsewhere");
});

export const shopScenes = [shopping, trouble, failing, returning, elsewhere];
