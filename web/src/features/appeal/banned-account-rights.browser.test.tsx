import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { appealStatusOf, appealToken } from "#testing/appeal-fixtures.ts";
import { fullStatement } from "#testing/bean-fixtures.ts";
import { t } from "#lib/i18n.ts";
import { type Answers, Refusal, silence } from "#testing/fixture-world.ts";
import { openPage } from "#testing/open-page.tsx";

const nowMs = Date.now();
const [row, older] = fullStatement(nowMs).rows;

/** The page of a ban, with one part of what it takes from nobody opened. */
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

test("[APPEAL-61] a copy of the data that could not be looked at or begun can be tried again", async () => {
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

test("[APPEAL-61] the statement of beans can be tried again, and stays where more of it does not come", async () => {
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
