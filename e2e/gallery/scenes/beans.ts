import { expect, type Locator, type Page } from "@playwright/test";
import { codes } from "@fava/wire/codes.ts";
import { capRaiseDelayMs, lowBeansNoticeMs, spendingCapBeansMax } from "@fava/wire/limits.ts";
import type { Meter } from "@fava/wire/meter.ts";
import {
  emptyStatement,
  fullStatement,
  type StatementPage,
  unusedOrder,
  walletOf,
} from "@fava/web/testing/bean-fixtures.ts";
import { Refusal, silence } from "@fava/web/testing/fixture-world.ts";
import { ana, galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { heldAnswer } from "@fava/web/testing/held-answer.ts";
import { meterPush, testMeter, ranOutPush } from "@fava/web/testing/meter-fixtures.ts";
import { noPacks, sixPacks, tillOf } from "@fava/web/testing/shop-fixtures.ts";
import type { PriceList } from "@fava/wire/gateway.ts";
import type { Words } from "../../support/words.ts";
import { caller, meetIn, startSearch } from "../../support/fixture-call.ts";
import { untilToastGone } from "../desk-steps.ts";
import { holdTimers, fireTimers } from "../held-timers.ts";
import { scene, type Stage } from "../scene.ts";

const rich = { ...ana, credit5: 48_200 };
const poor = { ...ana, credit5: 1_600 };

async function openStatement(page: Page, said: Words): Promise<Locator> {
  await page.getByRole("button", { name: said("home.account") }).click();
  await page.getByRole("menuitem", { name: said("menu.beans") }).click();
  const sheet = page.getByRole("dialog", { name: said("statement.title") });
  await sheet.waitFor();
  return sheet;
}

const statement = scene("a statement of beans", { as: rich }, async ({ page, said, show, world }) => {
  const first = heldAnswer<StatementPage>();
  world.expectErrors(/Failed to load resource/);
  world.server.answer({ beanStatement: () => first.answer, beanWallet: walletOf() });
  const sheet = await openStatement(page, said);
  await show("statement-loading");
  first.give(fullStatement(galleryNowMs));
  await sheet.getByRole("table").waitFor();
  await show("statement");
  world.server.answer({ beanStatement: silence });
  await sheet.getByRole("button", { name: said("statement.more") }).click();
  await sheet.getByRole("alert").waitFor();
  await show("statement-more-failed");
  await sheet.getByRole("radio", { name: said("statement.filter.2") }).check();
  await expect(sheet.getByRole("table")).toBeHidden();
  await sheet.getByRole("alert").waitFor();
  await show("statement-failed");
  world.server.answer({ beanStatement: emptyStatement });
  await sheet.getByRole("radio", { name: said("statement.filter.3") }).check();
  await sheet.getByText(said("statement.emptyFilter")).waitFor();
  await show("statement-none-of-a-kind");
});

const debt = scene("a statement with only a debt", { as: ana }, async ({ page, said, show, world }) => {
  world.server.answer({ beanStatement: emptyStatement, beanWallet: walletOf({ balance: 0, debt: 3_200 }) });
  const sheet = await openStatement(page, said);
  await sheet.getByText(said("statement.emptyText")).waitFor();
  await sheet.getByText(said("statement.debt")).waitFor();
  await show("statement-empty");
});

const receipt = scene("the receipt of a purchase", { as: rich }, async ({ page, said, show, world }) => {
  world.expectErrors(/Failed to load resource/);
  world.server.answer({
    beanStatement: fullStatement(galleryNowMs),
    beanWallet: walletOf(),
    orderStatus: () => heldAnswer<never>().answer,
  });
  const sheet = await openStatement(page, said);
  const open = () =>
    sheet
      .getByRole("button", { name: said("statement.receipt") })
      .first()
      .click();
  const paper = page.getByRole("dialog", { name: said("receipt.title") });
  const close = async () => {
    await page.keyboard.press("Escape");
    await expect(paper).toBeHidden();
  };
  await open();
  await paper.waitFor();
  await show("receipt-loading");
  await close();
  world.server.answer({ orderStatus: silence });
  await open();
  await paper.getByRole("alert").waitFor();
  await show("receipt-failed");
  world.server.answer({ orderStatus: unusedOrder(galleryNowMs) });
  await paper.getByRole("button", { name: said("common.retry") }).click();
  await paper.getByText(said("receipt.state.paid")).waitFor();
  await show("receipt");
  await page.emulateMedia({ media: "print" });
  await show("receipt-on-paper", { pictureOnly: true });
  await page.emulateMedia({ media: "screen" });
});

const withdrawal = scene("the withdrawal of a purchase", { as: rich }, async ({ page, said, show, world }) => {
  world.server.answer({
    beanStatement: fullStatement(galleryNowMs),
    beanWallet: walletOf(),
    orderStatus: unusedOrder(galleryNowMs),
    orderWithdraw: new Refusal(codes.refused, { reason: "refund_failed" }),
  });
  const sheet = await openStatement(page, said);
  const open = () => sheet.getByRole("button", { name: said("statement.withdrawLabel") }).click();
  const question = page.getByRole("alertdialog");
  await open();
  await question.getByText(said("withdraw.taken")).waitFor();
  await show("withdraw");
  await question.getByRole("button", { name: said("withdraw.go") }).click();
  await question.getByText(said("withdraw.refused")).waitFor();
  await show("withdraw-refused");
  await question.getByRole("button", { name: said("withdraw.keep") }).click();
  await expect(question).toBeHidden();
  world.server.answer({ orderStatus: unusedOrder(galleryNowMs, { withdraw_until: null }) });
  await open();
  await question.getByText(said("withdraw.gone")).waitFor();
  await show("withdraw-too-late");
});

const cap = scene("the spending cap", { as: rich }, async ({ page, said, show, world }) => {
  const wallet = heldAnswer<ReturnType<typeof walletOf>>();
  world.server.answer({
    beanStatement: emptyStatement,
    beanWallet: () => wallet.answer,
    beanCap: () => {
      const pending = { beans: null, from: galleryNowMs + capRaiseDelayMs };
      const changed = { beans: 40_000, pending, spent_today: 20_267 };
      world.server.answer({ beanWallet: walletOf({ cap: changed }) });
      return changed;
    },
  });
  const sheet = await openStatement(page, said);
  const dialog = page.getByRole("dialog", { name: said("cap.title") });
  const save = dialog.getByRole("button", { name: said("common.save") });
  const open = async () => {
    await sheet.getByRole("button", { name: said("statement.change") }).click();
    await dialog.waitFor();
  };
  await open();
  await show("cap-loading");
  wallet.give(walletOf({ cap: { beans: null, pending: null, spent_today: 20_267 } }));
  await dialog.getByRole("textbox").fill(String(spendingCapBeansMax + 1));
  await expect(dialog.getByRole("textbox")).toHaveAttribute("aria-invalid", "true");
  await show("cap-wrong");
  await dialog.getByRole("textbox").fill("40000");
  await dialog.getByText(said("cap.atOnce")).waitFor();
  await show("cap-at-once", { inView: [save] });
  await save.click();
  await expect(dialog).toBeHidden();
  await sheet.getByText(said("statement.capUsed")).waitFor();
  await untilToastGone(page);
  await open();
  await dialog.getByText(said("cap.pendingNone")).waitFor();
  await show("cap-pending");
  await dialog.getByRole("textbox").fill("60000");
  await dialog.getByText(said("cap.later")).waitFor();
  await show("cap-later");
});

const lastMinute: Partial<Meter> = { counted_ms: 11_000, spent: 27, balance: 1_573, left_ms: 59_000 };
/** Searches for women only. */
const calling = { ...caller, stored: { ...caller.stored, filterGender: "2" } };
const paid = { remote: { price: 1_600 } };

/** The next minute is not covered, and the user was told so. */
async function runLow({ page, said, world }: Stage, meter: Meter = testMeter(lastMinute)): Promise<string> {
  await startSearch(page, said);
  const roomId = await meetIn(page, world, paid);
  await holdTimers(page);
  world.server.socket.push(meterPush(roomId, meter, { isEnough: false }));
  await fireTimers(page, lowBeansNoticeMs);
  return roomId;
}

const low = scene("the notice of a low balance", { ...calling, as: poor }, async (stage) => {
  const { page, said, show, world } = stage;
  const list = heldAnswer<PriceList>();
  world.server.answer({ ...tillOf(poor, () => galleryNowMs).answers, priceList: () => list.answer });
  await runLow(stage);
  const popup = page.getByRole("dialog", { name: said("topUp.title") });
  await popup.getByText(said("shop.loading")).waitFor({ state: "attached" });
  await show("low-popup-loading");
  list.give(noPacks);
  await popup.getByRole("alert").waitFor();
  await show("low-popup-empty");
  world.server.answer({ priceList: () => sixPacks });
  await popup.getByRole("button", { name: said("common.retry") }).click();
  await popup.getByRole("radio").first().check();
  await show("low-popup");
});

const out = scene("beans that run out in a call", { ...calling, as: poor }, async (stage) => {
  const { page, said, show, world } = stage;
  world.server.answer(tillOf(poor, () => galleryNowMs).answers);
  const roomId = await runLow(stage);
  const popup = page.getByRole("dialog", { name: said("topUp.title") });
  await popup.getByRole("button", { name: said("topUp.end") }).click();
  await expect(popup).toBeHidden();
  await show("low-bar", { controlsApart: true });
  await page.getByRole("button", { name: said("low.letEnd") }).click();
  await expect(page.getByRole("button", { name: said("low.topUp") })).toBeHidden();
  await show("low-accepted", { controlsApart: true });
  const end = testMeter({ counted_ms: 70_000, spent: 1_600, balance: 0, left_ms: 0 });
  world.server.socket.push(ranOutPush(roomId, end));
  await page.getByRole("dialog", { name: said("ranOut.title.balance") }).waitFor();
  await show("ran-out");
});

const capped = scene("a cap that ends a call", calling, async (stage) => {
  const { page, said, show, world } = stage;
  world.server.answer({ beanWallet: walletOf({ cap: { beans: 1_600, pending: null, spent_today: 1_600 } }) });
  const meter = testMeter({ ...lastMinute, balance: 48_173, limit: "cap" });
  const roomId = await runLow(stage, meter);
  await page.getByRole("button", { name: said("low.letEnd") }).waitFor();
  await show("low-bar-of-a-cap", { controlsApart: true });
  world.server.socket.push(ranOutPush(roomId, { ...meter, spent: 1_600, left_ms: 0 }));
  await page.getByRole("dialog", { name: said("ranOut.title.cap") }).waitFor();
  await show("ran-out-by-a-cap");
});

export const beanScenes = [statement, debt, receipt, withdrawal, cap, low, out, capped];
