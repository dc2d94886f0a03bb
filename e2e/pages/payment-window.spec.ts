import { expect, type Locator, type Page } from "@playwright/test";
import { ana } from "@fava/web/testing/fixtures.ts";
import { heldAnswer } from "@fava/web/testing/held-answer.ts";
import { sixPacks, type Till, tillOf } from "@fava/web/testing/shop-fixtures.ts";
import { type PageWorld, test } from "../support/fixture-page.ts";
import { balanceOf, chargeStatus, choosePack, complete, expectBalance, openShop, waiting } from "../support/shop.ts";
import { words } from "../support/words.ts";

interface Shopping {
  page: Page;
  till: Till;
}

async function goShopping(world: PageWorld, before?: () => void): Promise<Shopping> {
  const till = tillOf(ana);
  const page = await world.open({ as: ana, answers: till.answers, ...(before && { before }) });
  return { page, till };
}

const goOn = (page: Page): Locator => page.getByRole("button", { name: words("pay.go") });

/** Opens the payment window and returns it. */
async function openWindow(page: Page): Promise<Page> {
  await choosePack(page);
  const opened = page.waitForEvent("popup");
  await goOn(page).click();
  const popup = await opened;
  await popup.waitForURL("**/empty-page");
  await expect(waiting(page)).toBeVisible();
  return popup;
}

/** The provider redirects its window to the return page of the order. */
async function sendBack(popup: Page, till: Till): Promise<void> {
  await popup.goto(`/chargeReturn?order_no=${till.order.order_no}`);
}

test("opens the window at the press, shows that it loads, and gives it no opener", async ({ world }) => {
  const { page, till } = await goShopping(world);
  const token = heldAnswer<{ token: string; expires_at: number; entry: string }>();
  await choosePack(page);
  // The link takes long: a token has to be fetched first.
  world.server.answer({ recharge: () => "bad_token", rechargeToken: () => token.answer });
  const opened = page.waitForEvent("popup");
  await goOn(page).click();
  const popup = await opened;
  await expect(popup.getByText(words("pay.openingText"))).toBeVisible();
  await expect(popup).toHaveTitle(words("pay.title"));
  expect(popup.url()).toBe("about:blank");
  world.server.answer({ ...till.answers, rechargeToken: () => token.answer });
  token.give({ token: "recharge-2", expires_at: Date.now() + 600_000, entry: "/gateway/entry" });
  await popup.waitForURL("**/empty-page");
  expect(await popup.evaluate(() => window.opener as unknown)).toBeNull();
  expect(page.context().pages()).toHaveLength(2);
});

test("says in the returning window that it is paid, and tells all others", async ({ world }) => {
  const { page, till } = await goShopping(world);
  await expect(balanceOf(page)).toBeVisible();
  const second = await page.context().newPage();
  await second.goto("/");
  await expectBalance(second, "0");
  const popup = await openWindow(page);
  expect(await chargeStatus(page)).toBe("1");
  till.settle("paid");
  await sendBack(popup, till);
  await expect(popup.getByRole("heading", { name: words("pay.completeTitle") })).toBeVisible();
  await expect(popup.getByText(till.order.order_no)).toBeVisible();
  await expect(popup.getByText(words("return.close"))).toBeVisible();
  await expect(complete(page).getByRole("status")).toHaveText(words("pay.added", { count: "10,000" }));
  await expectBalance(page, "10,000");
  await expectBalance(second, "10,000");
  await expect.poll(() => chargeStatus(second)).toBe("0");
});

test("says in the returning window that it is not paid, and tells no other", async ({ world }) => {
  const { page, till } = await goShopping(world);
  const popup = await openWindow(page);
  till.settle("failed");
  await sendBack(popup, till);
  await expect(popup.getByRole("heading", { name: words("pay.failedTitle") })).toBeVisible();
  await expect(page.getByRole("dialog", { name: words("pay.failedTitle") })).toBeVisible();
  expect(await chargeStatus(page)).toBe("0");
  await expectBalance(page, "0");
});

test("offers a link to the payment page if no window may open", async ({ world }) => {
  const { page } = await goShopping(world, () => {
    window.open = () => null;
  });
  await choosePack(page);
  await goOn(page).click();
  await expect(waiting(page).getByRole("alert")).toHaveText(words("pay.blocked"));
  const opened = page.context().waitForEvent("page");
  await waiting(page)
    .getByRole("link", { name: words("pay.openLink") })
    .click();
  const payment = await opened;
  await payment.waitForURL("**/empty-page");
  expect(await payment.evaluate(() => window.opener as unknown)).toBeNull();
  await expect(waiting(page)).toBeVisible();
});

test("finds a waiting payment again after a reload", async ({ world }) => {
  const { page, till } = await goShopping(world);
  const popup = await openWindow(page);
  await page.reload();
  await openShop(page);
  await expect(page.getByText(words("shop.waiting", { money: "$9.99" }))).toBeVisible();
  await page.getByRole("button", { name: words("shop.waitingOpen") }).click();
  await expect(waiting(page).getByText(till.order.order_no)).toBeVisible();
  // The new page has lost the first window: another one opens.
  const opened = page.waitForEvent("popup");
  await waiting(page)
    .getByRole("button", { name: words("pay.showAgain") })
    .click();
  await (await opened).waitForURL("**/empty-page");
  till.settle("paid");
  await sendBack(popup, till);
  await expect(complete(page).getByRole("status")).toHaveText(words("pay.added", { count: "10,000" }));
});

test("does not resume a payment that ended while the page was closed", async ({ world }) => {
  const { page, till } = await goShopping(world);
  await openWindow(page);
  till.settle("paid");
  await page.goto("/empty-page");
  await page.goto("/");
  await expectBalance(page, "10,000");
  await openShop(page);
  await expect(page.getByRole("dialog", { name: words("shop.title") }).getByRole("radio")).toHaveCount(
    sixPacks.list.length,
  );
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("waitingOrder"))).toBeNull();
  await expect(page.getByText(words("shop.waiting"))).toBeHidden();
});

test("closes the payment window on cancel, and does not cancel when that window is closed", async ({ world }) => {
  const { page } = await goShopping(world);
  const popup = await openWindow(page);
  await popup.close();
  await expect(waiting(page)).toBeVisible();
  const opened = page.waitForEvent("popup");
  await waiting(page)
    .getByRole("button", { name: words("pay.showAgain") })
    .click();
  const again = await opened;
  const closed = again.waitForEvent("close");
  await waiting(page)
    .getByRole("button", { name: words("pay.cancel") })
    .click();
  const question = page.getByRole("alertdialog", { name: words("pay.cancelTitle") });
  await question.getByRole("button", { name: words("pay.cancel") }).click();
  await closed;
  await expect(waiting(page)).toBeHidden();
  expect(await chargeStatus(page)).toBe("0");
});
