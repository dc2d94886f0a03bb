import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { openDesk } from "#testing/desk-steps.ts";
import type { Answers, FixtureWorld } from "#testing/fixture-world.ts";
import { noticeDetailOf } from "#testing/notice-fixtures.ts";

const list = () => page.getByRole("navigation", { name: t("desk.tab.notices") });
const row = (no: string) => list().getByRole("button", { name: isolate(no) });
const choice = (id: string) => page.getByRole("listitem").filter({ hasText: id }).getByRole("checkbox");
const decided = (server: FixtureWorld) =>
  server.asked("adminNoticeOperate").map(({ id, operation, pictures, text }) => ({ id, operation, pictures, text }));
const openNotices = async (answers: Answers = {}) => {
  const server = await openDesk("/reportReview/notices", answers);
  await expect.element(row("N-7001")).toBeVisible();
  return server;
};

test("shows what the sender wrote, claims the opened notice, and upholds it with the named picture", async () => {
  const server = await openNotices();
  await row("N-7001").click();
  await expect.element(page.getByText(/ana@example\.com/)).toBeVisible();
  await expect.element(page.getByText("The one with the red chair.")).toBeVisible();
  await expect.poll(() => server.asked("adminClaim")).toMatchObject([{ item: "notice:7001", on: 1 }]);
  await expect.element(choice(t("desk.notice.named"))).toBeChecked();
  await expect.element(choice(t("desk.notice.copy", { bits: isolate("2") }))).not.toBeChecked();
  await userEvent.keyboard("1");
  await page.getByLabelText(t("desk.notice.reason")).fill("We removed it.");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect.element(page.getByText(t("desk.notice.did.1", { no: isolate("N-7001") }))).toBeVisible();
  await expect.element(row("N-7001")).not.toBeInTheDocument();
  await row("N-7003").click();
  await userEvent.keyboard("u");
  await expect.element(page.getByLabelText(t("desk.notice.reason"))).toHaveValue("We removed it.");
  expect(decided(server)).toEqual([]);
});

test("asks the sender a question, and removes no picture with it", async () => {
  const server = await openNotices();
  await row("N-7001").click();
  await page.getByRole("button", { name: new RegExp(`^${t("desk.notice.do.3")}`) }).click();
  await page.getByLabelText(t("desk.notice.question")).fill("Which one?");
  await page.getByRole("button", { name: new RegExp(`^${t("desk.appeal.send")}`) }).click();
  await row("N-7003").click();
  await userEvent.keyboard("2");
  await page.getByLabelText(t("desk.notice.reason")).fill("No.");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect.poll(() => decided(server)).toEqual([{ id: "7001", operation: 3, pictures: "", text: "Which one?" }]);
});

test("closes a notice that was decided meanwhile, and does not claim it", async () => {
  const server = await openNotices({ adminNotice: noticeDetailOf(Date.now(), { closed_because: "decided" }) });
  await row("N-7001").click();
  await expect.element(page.getByText(t("desk.closed.decided"))).toBeVisible();
  expect(server.asked("adminClaim")).toEqual([]);
});

test("closes a notice that another moderator has", async () => {
  await openNotices();
  await row("N-7002").click();
  await expect.element(page.getByText(t("desk.closed.claimed"))).toBeVisible();
  await expect.element(page.getByText(t("desk.notice.do.1")).element().closest("button")!).toBeDisabled();
});
