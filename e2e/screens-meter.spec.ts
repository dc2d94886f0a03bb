import { expect, type Page } from "@playwright/test";
import { giveBeans, openMeter, openStatement, wishForWomen } from "./support/beans.ts";
import { look, picture, signInHere, test, wordsIn } from "./support/looks.ts";
import { callScreen, expectCallState, giveProfile, startChat } from "./support/people.ts";
import { signInToBuy } from "./support/shop.ts";
import { words } from "./support/words.ts";
import { beginSession } from "./support/session.ts";

// Each test walks many screens; axe takes its time on each.
test.setTimeout(300_000);

type Visit = (path: string, options: { devices: boolean }) => Promise<Page>;

/** Somebody who pays 1,600 beans a minute, and somebody whose camera stops the clock. */
async function paidCall(
  visit: Visit,
  name: string,
  beans: number,
): Promise<{ payer: Page; camera: () => Promise<void> }> {
  const payer = await visit("/", { devices: true });
  const other = await visit("/", { devices: true });
  for (const [page, suffix] of [
    [payer, "Payer"],
    [other, "Other"],
  ] as const) {
    await signInHere(page, { name: `${name} ${suffix}` });
    await giveProfile(page);
  }
  await giveBeans(payer, beans);
  await wishForWomen(payer);
  await startChat(payer);
  await startChat(other);
  await expectCallState(payer, "in-call");
  const button = callScreen(other).getByRole("button", { name: words("home.camMute") });
  return { payer, camera: () => button.click() };
}

test("[UI-31] the meter of a call is without faults", async ({ visit }) => {
  const { payer, camera } = await paidCall(visit, "Looks Meter", 50_000);
  await look(payer, "meter-pill");
  const panel = await openMeter(payer);
  await look(payer, "meter-panel");
  await camera();
  await panel.getByText(words("meter.stop.camera_off")).waitFor();
  await panel.getByRole("button", { name: words("meter.setCap") }).click();
  await payer
    .getByRole("dialog", { name: words("cap.title") })
    .getByRole("textbox")
    .fill("40000");
  await payer.getByRole("button", { name: words("common.save") }).click();
  await expect(panel.getByText(words("meter.limit.cap"))).toBeVisible();
  await look(payer, "meter-stopped");
});

test("[UI-31] low beans and their end are without faults", async ({ visit }) => {
  const { payer, camera } = await paidCall(visit, "Looks Low", 1_600);
  const popup = payer.getByRole("dialog", { name: words("topUp.title") });
  await popup.waitFor({ timeout: 25_000 });
  await camera();
  await expect(popup.getByRole("radio").first()).toBeVisible();
  await look(payer, "low-popup");
  await payer.keyboard.press("Escape");
  await expect(popup).toBeHidden();
  await look(payer, "low-bar");
  await payer.getByRole("button", { name: words("low.letEnd") }).click();
  await look(payer, "low-accepted");
  await camera();
  await payer.getByRole("dialog", { name: words("ranOut.title.balance") }).waitFor({ timeout: 80_000 });
  await look(payer, "ran-out");
});

const dayMs = 86_400_000;
const now = Date.now();
const row = (id: number, about: object) => ({
  id: String(id),
  kind: "call",
  reason: null,
  balance_after: 48_200,
  at: now - id * 5_000_000,
  order_no: null,
  paid_seconds: null,
  withdraw_until: null,
  ...about,
});
const rows = [
  row(1, { kind: "call", beans: -20_267, paid_seconds: 760 }),
  row(2, { kind: "credit", beans: 1_600, reason: "moderated_call", balance_after: 68_467 }),
  row(3, { kind: "call", beans: -1_600, paid_seconds: 60, balance_after: 66_867 }),
  row(4, {
    kind: "purchase",
    beans: 10_000,
    order_no: "FV26112M9T4C",
    withdraw_until: now + 13 * dayMs,
    balance_after: 68_467,
  }),
  row(5, { kind: "refund", beans: -10_000, order_no: "FV26112M9T3A", balance_after: 58_467 }),
  row(6, { kind: "dispute", beans: -3_200, order_no: "FV26112M9T2B", balance_after: 68_467 }),
  row(7, { kind: "adjustment", beans: 467, reason: "support", balance_after: 71_667 }),
  row(8, { kind: "purchase", beans: 101_000, order_no: "FV26112M9T1D", balance_after: 101_000 }),
];
const order = {
  order_no: "FV26112M9T4C",
  state: "paid",
  beans: 10_000,
  price_minor: 999,
  currency_code: "USD",
  pay_name: "pay.card",
  pay_url: "",
  created_at: now - dayMs,
  paid_at: now - dayMs,
  withdraw_until: now + 13 * dayMs,
  balance: 48_200,
};

/** A statement with every kind of row, which would take weeks to live through. */
async function withHistory(page: Page): Promise<void> {
  const answer = (data: object) => ({ json: { code: 200, msg: "", data } });
  await page.route("**/api/bean/statement", (route) => route.fulfill(answer({ rows, next: "8" })));
  await page.route("**/api/order/status", (route) => route.fulfill(answer(order)));
}

test("[UI-31] statement, receipt, withdrawal and cap are without faults", async ({ visit }) => {
  const page = await visit("/", { expected: /Failed to load resource/ });
  await signInToBuy(page, "Looks Statement");
  const empty = await openStatement(page);
  await look(page, "statement-empty");
  await page.route("**/api/bean/statement", (route) => route.abort());
  await empty.getByRole("radio", { name: words("statement.filter.2") }).check();
  await empty.getByRole("alert").waitFor();
  await look(page, "statement-failed");
  await page.unroute("**/api/bean/statement");
  await withHistory(page);
  await empty.getByRole("radio", { name: words("statement.filter.0") }).check();
  await empty.getByRole("table").waitFor();
  await look(page, "statement");
  await empty
    .getByRole("button", { name: words("statement.receipt") })
    .first()
    .click();
  await page.getByText("$9.99").waitFor();
  await look(page, "receipt");
  await page.emulateMedia({ media: "print" });
  await page.screenshot({ path: "test-results/screens/receipt-print.png" });
  await page.emulateMedia({ media: "screen" });
  await page.keyboard.press("Escape");
  await empty.getByRole("button", { name: words("statement.withdrawLabel") }).click();
  await page.getByRole("alertdialog").getByText("−10,000").waitFor();
  await look(page, "withdraw");
  await page.keyboard.press("Escape");
  await empty.getByRole("button", { name: words("statement.change") }).click();
  const cap = page.getByRole("dialog", { name: words("cap.title") });
  await cap.getByRole("textbox").fill("40000");
  await look(page, "cap");
  await page.getByRole("button", { name: words("common.save") }).click();
  await expect(cap).toBeHidden();
  await empty.getByRole("button", { name: words("statement.change") }).click();
  await cap.getByRole("radio", { name: words("cap.none") }).check();
  await look(page, "cap-later");
});

test("[LAYOUT-31] Arabic pictures of statement, withdrawal and cap", async ({ visit }) => {
  const page = await visit("/", { locale: "ar", devices: true });
  await signInHere(page, "theo");
  await withHistory(page);
  await page.getByRole("button", { name: wordsIn("ar", "home.account") }).click();
  await page.getByRole("menuitem", { name: wordsIn("ar", "menu.beans") }).click();
  await page.getByRole("table").waitFor();
  await picture(page, "statement-ar");
  await page.locator("tbody").getByText(wordsIn("ar", "statement.withdraw"), { exact: true }).click();
  await page
    .getByRole("alertdialog")
    .getByText(/10.000/)
    .waitFor();
  await picture(page, "withdraw-ar");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: wordsIn("ar", "statement.change") }).click();
  await page.getByRole("textbox").fill("40000");
  await picture(page, "cap-ar");
});

test("[LAYOUT-31] Arabic pictures of meter and low beans", async ({ visit }) => {
  const said = (key: string) => wordsIn("ar", key);
  const english = await visit("/");
  await signInHere(english, "bo");
  await giveBeans(english, 1_600);
  await english.context().close();
  const payer = await visit("/", { locale: "ar", devices: true });
  await signInHere(payer, "bo");
  const other = await visit("/", { devices: true });
  await beginSession(other, { name: "Looks Arabic Other" });
  await payer.getByRole("radio").nth(1).click();
  await payer.getByRole("button", { name: said("home.start") }).click();
  await payer.getByRole("button", { name: said("rules.ok") }).click();
  await startChat(other);
  await expectCallState(payer, "in-call");
  await payer.getByRole("dialog", { name: said("topUp.title") }).waitFor({ timeout: 25_000 });
  await callScreen(other)
    .getByRole("button", { name: words("home.camMute") })
    .click();
  await payer.keyboard.press("Escape");
  await payer.getByRole("button", { name: said("low.letEnd") }).waitFor();
  await picture(payer, "low-bar-ar");
  await callScreen(payer).locator("[aria-haspopup=dialog]").click();
  await payer.getByText(said("meter.stop.camera_off")).waitFor();
  await picture(payer, "meter-panel-ar");
});
