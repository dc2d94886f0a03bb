import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { type GatewayError, gatewayErrors } from "@fava/wire/gateway.ts";
import { formatDay } from "#lib/format-date.ts";
import { type Key, t } from "#lib/i18n.ts";
import { silence } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { openPage } from "#testing/open-page.tsx";
import { orderNumber, payMethods, sixPacks, type Till, tillOf } from "#testing/shop-fixtures.ts";
import { blockWindows, choosePack, openShop, shownBalance, stubWindows } from "#testing/shop-steps.ts";

const dialog = (key: Key) => page.getByRole("dialog", { name: t(key), exact: true });
const question = () => page.getByRole("alertdialog", { name: t("pay.cancelTitle") });
const goOn = () => dialog("pay.title").getByRole("button", { name: t("pay.go", { money: "$9.99" }) });

async function press(where: Locator, key: Key): Promise<void> {
  await where.getByRole("button", { name: t(key) }).click();
}

/** Opens the payment window. */
async function pay(): Promise<void> {
  await choosePack();
  await goOn().click();
  await expect.element(dialog("pay.waitTitle")).toBeVisible();
}

/** The provider has decided; checks at once, unless the page polls at this moment. */
function settle(till: Till, state: Parameters<Till["settle"]>[0]): void {
  till.settle(state);
  const check = dialog("pay.waitTitle")
    .getByRole("button", { name: t("pay.check") })
    .query();
  if (check instanceof HTMLElement) check.click();
}

test("shows price, beans, order number and withdrawal of a paid order, and the beans arrive", async () => {
  stubWindows();
  const till = tillOf(ana);
  await openPage({ as: ana, answers: till.answers });
  await pay();
  settle(till, "paid");
  const complete = dialog("pay.completeTitle");
  await expect.element(complete.getByRole("status")).toHaveTextContent(t("pay.added", { count: "10,000" }));
  await expect.element(complete.getByRole("definition").nth(0)).toHaveTextContent("$9.99");
  await expect.element(complete.getByRole("definition").nth(1)).toHaveTextContent("+10,000");
  await expect.element(complete.getByRole("definition").nth(2)).toHaveTextContent(orderNumber);
  await expect.element(complete.getByRole("definition").nth(3)).toHaveTextContent("Credit or debit card");
  const until = new Date(till.order.withdraw_until ?? 0).toISOString().slice(0, 10);
  await expect.element(complete.getByText(t("pay.withdrawUntil", { day: formatDay(until) }))).toBeVisible();
  expect(shownBalance()).toBe("10,000 beans");
  expect(localStorage.getItem("chargeStatus")).toBe("0");
  await press(complete, "pay.done");
  await expect.element(complete).not.toBeInTheDocument();
});

test("says that the beans come soon until the balance is loaded", async () => {
  stubWindows();
  const till = tillOf(ana);
  const server = await openPage({ as: ana, answers: till.answers });
  await pay();
  const arrived = heldAnswer<typeof ana>();
  server.answer({ myInfo: () => arrived.answer });
  settle(till, "paid");
  const complete = dialog("pay.completeTitle");
  await expect.element(complete.getByRole("status")).toHaveTextContent(t("pay.soon"));
  arrived.give({ ...ana, credit5: 10_000 });
  await expect.element(complete.getByRole("status")).toHaveTextContent(t("pay.added", { count: "10,000" }));
});

test("buys nothing with a declined card, and lets the user try another one at once", async () => {
  const windows = stubWindows();
  const till = tillOf(ana);
  await openPage({ as: ana, answers: till.answers });
  await pay();
  expect(localStorage.getItem("chargeStatus")).toBe("1");
  settle(till, "failed");
  const failed = dialog("pay.failedTitle");
  await expect.element(failed.getByText(t("pay.failedText"))).toBeVisible();
  expect(shownBalance()).toBe("0 beans");
  expect(localStorage.getItem("chargeStatus")).toBe("0");

  await press(failed, "common.retry");
  await goOn().click();
  await expect.element(dialog("pay.waitTitle")).toBeVisible();
  expect(windows).toHaveLength(2);
  settle(till, "paid");
  await expect
    .element(dialog("pay.completeTitle").getByRole("status"))
    .toHaveTextContent(t("pay.added", { count: "10,000" }));
});

test("has its own text for a payment page that expired unused", async () => {
  stubWindows();
  const till = tillOf(ana);
  await openPage({ as: ana, answers: till.answers });
  await pay();
  settle(till, "expired");
  await expect.element(dialog("pay.expiredTitle").getByText(t("pay.expiredText"))).toBeVisible();
});

test("refers a payment of another amount to a person: politely, with the order number", async () => {
  stubWindows();
  const till = tillOf(ana);
  await openPage({ as: ana, answers: till.answers });
  await pay();
  settle(till, "review");
  const review = dialog("pay.reviewTitle");
  await expect.element(review.getByText(t("pay.reviewText"))).toBeVisible();
  await expect.element(review.getByRole("definition")).toHaveTextContent(orderNumber);
  await press(review, "login.contact");
  await expect.element(page.getByRole("dialog", { name: t("login.contact") })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await press(review, "pay.done");
  await expect.element(review).not.toBeInTheDocument();
  expect(shownBalance()).toBe("0 beans");
});

test("checks with the provider, and reports that the payment is not there yet or that there was no response", async () => {
  stubWindows();
  const till = tillOf(ana);
  const server = await openPage({ as: ana, answers: till.answers });
  await pay();
  const waiting = dialog("pay.waitTitle");
  await press(waiting, "pay.check");
  await expect.element(waiting.getByRole("status")).toHaveTextContent(t("pay.notYet"));
  expect(server.asked("orderStatus").filter(({ check }) => check === 1)).toHaveLength(1);
  server.answer({ orderStatus: silence });
  await press(waiting, "pay.check");
  await expect.element(waiting.getByRole("status")).toHaveTextContent(t("pay.checkSilence"));
  expect(server.asked("orderStatus").at(-1)).toMatchObject({ order_no: orderNumber, check: 1 });
});

test("notices a reported payment without a press while the dialog is open", async () => {
  stubWindows();
  const till = tillOf(ana);
  const server = await openPage({ as: ana, answers: till.answers });
  await pay();
  till.settle("paid");
  await expect.element(dialog("pay.completeTitle")).toBeVisible();
  expect(server.asked("orderStatus").every(({ check }) => check === undefined)).toBe(true);
});

test("asks before it cancels, and does not cancel on closing", async () => {
  const windows = stubWindows();
  await openPage({ as: ana, answers: tillOf(ana).answers });
  await pay();
  expect(localStorage.getItem("chargeStatus")).toBe("1");
  expect(localStorage.getItem("rechargePrice")).toBe("9.99");
  const waiting = dialog("pay.waitTitle");
  await press(waiting, "pay.cancel");
  await expect.element(question().getByRole("button", { name: t("pay.keep") })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(question()).not.toBeInTheDocument();
  await expect.element(waiting).toBeVisible();

  await userEvent.keyboard("{Escape}");
  await expect.element(waiting).not.toBeInTheDocument();
  expect(windows[0]?.closed).toBe(false);
  const shop = await openShop();
  await expect.element(shop.getByText(t("shop.waiting", { money: "$9.99" }))).toBeVisible();
  await press(shop, "shop.waitingOpen");
  await expect.element(waiting).toBeVisible();

  await press(waiting, "pay.cancel");
  await press(question(), "pay.cancel");
  await expect.element(waiting).not.toBeInTheDocument();
  await expect.element(page.getByText(t("pay.toastCancelled")).first()).toBeVisible();
  expect(windows[0]?.closed).toBe(true);
  expect(localStorage.getItem("chargeStatus")).toBe("0");
});

test("shows a toast for a payment that ends while its dialog is closed", async () => {
  stubWindows();
  const till = tillOf(ana);
  await openPage({ as: ana, answers: till.answers });
  await pay();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog("pay.waitTitle")).not.toBeInTheDocument();
  till.settle("paid");
  await expect.element(page.getByText(t("pay.toastComplete", { count: "10,000" })).first()).toBeVisible();
  await expect.poll(shownBalance).toBe("10,000 beans");
});

test("brings the window to the front again, which cannot reach back to this page", async () => {
  const windows = stubWindows();
  const till = tillOf(ana);
  await openPage({ as: ana, answers: till.answers });
  await pay();
  await press(dialog("pay.waitTitle"), "pay.showAgain");
  expect(windows).toHaveLength(1);
  expect(windows[0]).toMatchObject({ focused: 1, opener: null, visited: ["about:blank", till.order.pay_url] });
});

test("says so when no window may open, with a link to the payment page", async () => {
  blockWindows();
  const till = tillOf(ana);
  await openPage({ as: ana, answers: till.answers });
  await pay();
  const waiting = dialog("pay.waitTitle");
  await expect.element(waiting.getByRole("alert")).toHaveTextContent(t("pay.blocked"));
  const link = waiting.getByRole("link", { name: t("pay.openLink") });
  await expect.element(link).toHaveAttribute("href", till.order.pay_url);
  await expect.element(link).toHaveAttribute("target", "_blank");
  settle(till, "paid");
  await expect.element(dialog("pay.completeTitle")).toBeVisible();
});

test("preselects none of several methods, and uses the chosen one", async () => {
  stubWindows();
  const till = tillOf(ana);
  const priceList = { ...sixPacks, paytype_list: [...payMethods] };
  await openPage({ as: ana, answers: { ...till.answers, priceList: () => priceList } });
  const dialogOfPay = await choosePack();
  expect(dialogOfPay.getByRole("radio", { checked: true }).elements()).toEqual([]);
  await expect.element(dialogOfPay.getByRole("button", { name: t("pay.chooseMethod") })).toBeDisabled();
  await dialogOfPay.getByRole("radio", { name: "Bank transfer" }).click();
  await goOn().click();
  await expect.element(dialog("pay.waitTitle")).toBeVisible();
  expect(till.asked).toMatchObject([{ pay_type: "bank" }]);
});

test("shows why a payment page could not be opened, and closes the window", async () => {
  const windows = stubWindows();
  const till = tillOf(ana);
  let problem: GatewayError | typeof silence = silence;
  await openPage({ as: ana, answers: { ...till.answers, recharge: () => problem } });
  await choosePack();
  const texts: Readonly<Partial<Record<GatewayError, Key>>> = {
    unknown_pack: "pay.problem.changed",
    wrong_amount: "pay.problem.changed",
    unknown_method: "pay.problem.method",
    slow_down: "pay.problem.slow",
  };
  for (const reason of [silence, ...gatewayErrors] as const) {
    problem = reason;
    await goOn().click();
    const words = t(reason === silence ? "pay.checkSilence" : (texts[reason] ?? "pay.problem.provider"));
    await expect.element(dialog("pay.title").getByRole("alert")).toHaveTextContent(words);
    expect(windows.at(-1)?.closed).toBe(true);
    expect(localStorage.getItem("chargeStatus")).toBe("0");
  }
});

test("says so when there is no payment method", async () => {
  const till = tillOf(ana);
  const priceList = { ...sixPacks, paytype_list: [] };
  await openPage({ as: ana, answers: { ...till.answers, priceList: () => priceList } });
  const asked = await choosePack();
  await expect.element(asked.getByRole("alert")).toHaveTextContent(t("pay.noMethods"));
  await expect.element(goOn()).toBeDisabled();
});

test("draws the same heap of beans for one pack in the shop, while paying and once it is bought", async () => {
  stubWindows();
  const till = tillOf(ana);
  await openPage({ as: ana, answers: till.answers });
  const heap = (where: Element | null | undefined) => where?.querySelector("[data-heap]")?.getAttribute("data-heap");
  const shop = await openShop();
  const pack = shop.getByRole("radio", { name: /\b203,000 beans/ });
  const inShop = heap(pack.element().closest("label"));
  await pack.click();
  await shop.getByRole("button", { name: t("shop.continue") }).click();
  const paying = dialog("pay.title");
  await expect.element(paying).toBeVisible();
  expect(heap(paying.element())).toBe(inShop);
  await paying.getByRole("button", { name: t("pay.go", { money: "$199.99" }) }).click();
  await expect.element(dialog("pay.waitTitle")).toBeVisible();
  settle(till, "paid");
  await expect.element(dialog("pay.completeTitle")).toBeVisible();
  expect(heap(dialog("pay.completeTitle").element())).toBe(inShop);
  expect(inShop).toBe("middle");
});
