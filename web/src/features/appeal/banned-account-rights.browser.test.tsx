import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { appealStatusOf, appealToken } from "#testing/appeal-fixtures.ts";
import { fullStatement, unusedOrder } from "#testing/bean-fixtures.ts";
import { formatBeans } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { type Answers, Refusal, silence } from "#testing/fixture-world.ts";
import { openPage } from "#testing/open-page.tsx";

const nowMs = Date.now();
const { rows } = fullStatement(nowMs);
const [row, older] = rows;

/** The page of a ban, with one of its sections open. */
async function openPart(name: "appeal.beans" | "appeal.data", answers: Answers) {
  const server = await openPage({
    path: `/appeal#${appealToken}`,
    answers: { appealStatus: appealStatusOf(nowMs), ...answers },
  });
  await page.getByRole("group").getByText(t(name), { exact: true }).click();
  return server;
}

const button = (key: "common.retry" | "appeal.dataGo" | "statement.more") =>
  page.getByRole("group").getByRole("button", { name: t(key), exact: true });

const refund = () =>
  page.getByRole("group").getByRole("button", { name: t("appeal.refundGo", { beans: formatBeans(10_000) }) });

test("retries a copy of the data that could not be loaded or started", async () => {
  const server = await openPart("appeal.data", { userExport: silence });
  await expect.element(page.getByText(t("appeal.loadFailed"))).toBeVisible();
  server.answer({
    userExport: ({ begin }) => (begin === 1 ? new Refusal(codes.slowDown) : { state: "none" }),
  });
  await button("common.retry").click();
  await button("appeal.dataGo").click();
  await expect.element(page.getByText(t("account.copyOften"))).toBeVisible();
  server.answer({ userExport: { state: "preparing", percent: 20 } });
  await button("appeal.dataGo").click();
  await expect.element(page.getByText(t("appeal.dataPreparing", { percent: "20%" }))).toBeVisible();
  await expect.element(page.getByText(t("account.copyOften"))).not.toBeInTheDocument();
  server.answer({ userExport: silence });
  await expect.element(page.getByText(t("account.failed"))).toBeVisible();
  await expect.element(page.getByText(t("appeal.dataPreparing", { percent: "20%" }))).toBeVisible();
});

test("retries the statement of beans, and keeps it when more of it fails to load", async () => {
  if (!row || !older) throw new Error("two rows are needed");
  const server = await openPart("appeal.beans", { beanStatement: silence });
  server.answer({ beanStatement: ({ cursor }) => (cursor === undefined ? { rows: [row], next: row.id } : silence) });
  await button("common.retry").click();
  await expect.poll(() => page.getByRole("group").getByRole("listitem").elements().length).toBe(1);
  await button("statement.more").click();
  await expect.element(page.getByText(t("appeal.loadFailed"))).toBeVisible();
  expect(page.getByRole("group").getByRole("listitem").elements()).toHaveLength(1);
  server.answer({ beanStatement: { rows: [older], next: null } });
  await button("statement.more").click();
  await expect.poll(() => page.getByRole("group").getByRole("listitem").elements().length).toBe(2);
  await expect.element(page.getByText(t("appeal.loadFailed"))).not.toBeInTheDocument();
});

test.each([
  [silence, "withdraw.silence"],
  [new Refusal(codes.refused, { reason: "refund_failed" }), "withdraw.refused"],
  [new Refusal(codes.slowDown), "withdraw.slow"],
] as const)("shows a banned user why a refund failed, as it shows others (%#)", async (answer, problem) => {
  const statement = { rows, next: null };
  const server = await openPart("appeal.beans", { beanStatement: statement, orderWithdraw: answer });
  await refund().click();
  await expect.element(page.getByRole("alert").getByText(t(problem))).toBeVisible();
  await expect.poll(() => server.asked("beanStatement").length).toBe(2);
  server.answer({ orderWithdraw: unusedOrder(nowMs) });
  await refund().click();
  await expect.element(page.getByText(t("appeal.refundDone"))).toBeVisible();
  await expect.element(page.getByText(t(problem))).not.toBeInTheDocument();
});

test("no longer offers a refund that has become impossible, and says why", async () => {
  const server = await openPart("appeal.beans", { beanStatement: { rows, next: null } });
  const used = rows.map((one) => ({ ...one, withdraw_until: null }));
  server.answer({
    beanStatement: { rows: used, next: null },
    orderWithdraw: new Refusal(codes.refused, { reason: "not_withdrawable" }),
  });
  await refund().click();
  await expect.element(page.getByText(t("withdraw.gone"))).toBeVisible();
  await expect.element(page.getByText(t("appeal.refundNone"))).toBeVisible();
  await expect.element(refund()).not.toBeInTheDocument();
  await expect.element(page.getByText(t("withdraw.gone"))).toBeVisible();
});
