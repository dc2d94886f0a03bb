import { expect, test, vi } from "vitest";
import { type Locator, page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { formatTime } from "#lib/format-date.ts";
import { type Key, t } from "#lib/i18n.ts";
import { emptyStatement, fullStatement, type StatementPage, unusedOrder, walletOf } from "#testing/bean-fixtures.ts";
import { type Answers, type FixtureWorld, Refusal, silence } from "#testing/fixture-world.ts";
import { ana, settings } from "#testing/fixtures.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { openPage } from "#testing/open-page.tsx";
import { orderNumber } from "#testing/shop-fixtures.ts";

const nowMs = Date.now();
const full = fullStatement(nowMs);
const rich = { ...ana, credit5: 48_200 };

const statement = () => page.getByRole("dialog", { name: t("statement.title") });
const receipt = () => page.getByRole("dialog", { name: t("receipt.title") });
const question = () => page.getByRole("alertdialog", { name: t("withdraw.title") });
const rows = () => [...document.querySelectorAll("tbody tr")].map(({ textContent }) => textContent ?? "");
const withdrawals = () => statement().getByRole("button", { name: t("statement.withdrawLabel", { count: "10,000" }) });

async function openStatement(answers: Answers): Promise<FixtureWorld> {
  const server = await openPage({ as: rich, answers: { beanWallet: walletOf(), ...answers } });
  await page.getByRole("button", { name: t("home.account") }).click();
  await page.getByRole("menuitem", { name: t("menu.beans") }).click();
  await expect.element(statement()).toBeVisible();
  return server;
}

async function press(where: Locator, key: Key): Promise<void> {
  await where.getByRole("button", { name: t(key) }).click();
}

function only(...kinds: StatementPage["rows"][number]["kind"][]): StatementPage {
  return { rows: full.rows.filter(({ kind }) => kinds.includes(kind)), next: null };
}

test("lists every transfer with its sign and the balance after it, page by page", async () => {
  const older = { ...only("purchase").rows[1], id: "9" } as StatementPage["rows"][number];
  const first = heldAnswer<StatementPage>();
  const server = await openStatement({
    beanStatement: ({ cursor }) => (cursor === undefined ? first.answer : { rows: [older], next: null }),
  });
  await expect.element(statement().getByRole("status")).toHaveTextContent(t("statement.loading"));
  first.give(full);
  await expect.poll(rows).toHaveLength(8);
  expect(rows()[0]).toContain(t("statement.call"));
  expect(rows()[0]).toContain("−20,267");
  expect(rows()[0]).toContain("48,200");
  expect(rows()[1]).toContain(t("statement.reason.moderated_call"));
  expect(rows()[3]).toContain("+10,000");

  server.answer({ beanStatement: silence });
  await press(statement(), "statement.more");
  await expect.element(statement().getByRole("alert")).toHaveTextContent(t("statement.failed"));
  expect(rows()).toHaveLength(8);
  server.answer({ beanStatement: { rows: [older], next: null } });
  await press(statement(), "statement.more");
  await expect.poll(rows).toHaveLength(9);
  expect(server.asked("beanStatement").at(-1)).toMatchObject({ filter: 0, cursor: "8" });
  await expect.element(statement().getByRole("button", { name: t("statement.more") })).not.toBeInTheDocument();
});

test("starts the statement again with a filter, and reports empty and failed lists", async () => {
  const server = await openStatement({
    beanStatement: ({ filter }) => [full, emptyStatement, only("call"), emptyStatement][filter] ?? emptyStatement,
  });
  await expect.poll(rows).toHaveLength(8);
  const pick = (filter: 0 | 1 | 2 | 3) =>
    statement()
      .getByRole("radio", { name: t(`statement.filter.${filter}`) })
      .click();
  await pick(2);
  await expect.poll(rows).toHaveLength(2);
  await pick(1);
  await expect.element(statement().getByText(t("statement.emptyFilter"))).toBeVisible();
  server.answer({ beanStatement: silence });
  await pick(3);
  await expect.element(statement().getByRole("alert")).toHaveTextContent(t("statement.failed"));
  server.answer({ beanStatement: only("credit") });
  await press(statement(), "common.retry");
  await expect.poll(rows).toHaveLength(1);
  expect(server.asked("beanStatement").map(({ filter }) => filter)).toEqual([0, 2, 1, 3, 3]);
});

test("shows and prints a receipt with number, date, price, beans and seller", async () => {
  const print = vi.fn<() => void>();
  vi.stubGlobal("print", print);
  const server = await openStatement({ beanStatement: only("purchase"), orderStatus: silence });
  await statement()
    .getByRole("button", { name: t("statement.receipt", { count: "10,000" }) })
    .click();
  await expect.element(receipt().getByRole("alert")).toHaveTextContent(t("receipt.failed"));
  await expect.element(receipt().getByRole("button", { name: t("receipt.print") })).toBeDisabled();
  server.answer({ orderStatus: unusedOrder(nowMs) });
  await press(receipt(), "common.retry");
  const facts = [
    orderNumber,
    formatTime(nowMs - 86_400_000),
    "$9.99",
    "10,000",
    "Credit or debit card",
    t("receipt.state.paid"),
  ];
  for (const [index, fact] of facts.entries())
    await expect.element(receipt().getByRole("definition").nth(index)).toHaveTextContent(fact);
  const seller = receipt().getByRole("region", { name: t("receipt.seller") });
  for (const line of [settings.contact.company, settings.contact.address, settings.contact.email])
    await expect.element(seller).toHaveTextContent(line);
  await press(receipt(), "receipt.print");
  expect(print).toHaveBeenCalledOnce();
});

test("shows in a receipt what has happened to the purchase since", async () => {
  const server = await openStatement({ beanStatement: only("purchase") });
  for (const state of ["refunded", "disputed", "charged_back"] as const) {
    server.answer({ orderStatus: unusedOrder(nowMs, { state, withdraw_until: null }) });
    await statement()
      .getByRole("button", { name: t("statement.receipt", { count: "10,000" }) })
      .click();
    await expect.element(receipt().getByRole("definition").nth(5)).toHaveTextContent(t(`receipt.state.${state}`));
    await press(receipt(), "common.close");
    await expect.element(receipt()).not.toBeInTheDocument();
  }
});

test("withdraws an unused purchase after an explanation, and shows it in the statement", async () => {
  let isWithdrawn = false;
  const withdrawn = fullStatement(nowMs).rows.find(({ kind }) => kind === "refund");
  if (!withdrawn) throw new Error("no withdrawal among the fixtures");
  const [unused, older] = only("purchase").rows.map((row) => ({ ...row }));
  if (!unused || !older) throw new Error("no purchases among the fixtures");
  const server = await openStatement({
    beanStatement: () => ({
      rows: isWithdrawn ? [withdrawn, { ...unused, withdraw_until: null }, older] : [unused, older],
      next: null,
    }),
    orderStatus: unusedOrder(nowMs),
    orderWithdraw: () => {
      isWithdrawn = true;
      return unusedOrder(nowMs, { state: "refunded", withdraw_until: null, balance: 38_200 });
    },
  });
  // Only one of the two purchases can be withdrawn.
  await expect.poll(() => withdrawals().elements()).toHaveLength(1);
  await withdrawals().click();
  await expect.element(question().getByText(/^\$9\.99 /)).toBeVisible();
  for (const fact of [orderNumber, "−10,000", "38,200", formatTime(unused.withdraw_until ?? 0)])
    await expect.element(question().getByText(fact)).toBeVisible();
  await expect.element(question().getByRole("button", { name: t("withdraw.keep") })).toHaveFocus();
  await press(question(), "withdraw.keep");
  await expect.element(question()).not.toBeInTheDocument();
  expect(server.asked("orderWithdraw")).toEqual([]);

  await withdrawals().click();
  await press(question(), "withdraw.go");
  await expect.element(question()).not.toBeInTheDocument();
  await expect.element(page.getByText(t("withdraw.done", { money: "$9.99" })).first()).toBeVisible();
  await expect.poll(rows).toHaveLength(3);
  expect(rows()[0]).toContain(t("statement.refund"));
  await expect.element(withdrawals()).not.toBeInTheDocument();
  expect(server.asked("orderWithdraw")).toMatchObject([{ order_no: orderNumber }]);
});

test("shows why a withdrawal failed, and leaves the statement unchanged", async () => {
  const server = await openStatement({ beanStatement: only("purchase"), orderStatus: unusedOrder(nowMs) });
  await withdrawals().click();
  await expect.element(question().getByText("−10,000")).toBeVisible();
  for (const [answer, key] of [
    [new Refusal(codes.refused, { reason: "refund_failed" }), "withdraw.refused"],
    [new Refusal(codes.refused), "withdraw.gone"],
    [silence, "withdraw.silence"],
  ] as const) {
    server.answer({ orderWithdraw: answer });
    await press(question(), "withdraw.go");
    await expect.element(question().getByRole("alert")).toHaveTextContent(t(key));
  }
  expect(server.asked("beanStatement")).toHaveLength(1);
});

test("does not withdraw a purchase whose beans were used meanwhile", async () => {
  await openStatement({
    beanStatement: only("purchase"),
    orderStatus: unusedOrder(nowMs, { withdraw_until: null }),
  });
  await withdrawals().click();
  await expect.element(question().getByRole("alert")).toHaveTextContent(t("withdraw.gone"));
  await expect.element(question().getByRole("button", { name: t("withdraw.go") })).toBeDisabled();
});

test("shows a debt, and what the next purchase does about it", async () => {
  await openStatement({ beanStatement: emptyStatement, beanWallet: walletOf({ balance: 0, debt: 3_200 }) });
  await expect.element(statement().getByText(t("statement.debt", { count: "3,200" }))).toBeVisible();
});
