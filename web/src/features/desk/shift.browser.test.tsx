import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { ada } from "#testing/admin-fixtures.ts";
import { caseIdOf } from "#testing/desk-case-fixtures.ts";
import { deskAnswers, shiftAt } from "#testing/desk-fixtures.ts";
import { openDesk } from "#testing/desk-steps.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast } from "#testing/page-steps.ts";

const path = "/reportReview/shift";
const decisions = () =>
  page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ hasText: /R-|10\d{6}/ });
const reopen = () => page.getByRole("button", { name: new RegExp(`^${t("desk.reopen")}`) });

test("lists the decisions of today with the state of appeals, and reopens one after a confirmation", async () => {
  const server = await openDesk(path);
  await expect.element(page.getByRole("heading", { name: t("desk.decisions.mine") })).toBeVisible();
  await expect.element(decisions().filter({ hasText: t("desk.event.appeal_lifted") })).toBeVisible();
  expect(reopen().elements()).toHaveLength(1);
  await reopen().click();
  const asked = page.getByRole("alertdialog", { name: t("desk.reopen.title", { name: isolate("Omar") }) });
  await expect.element(asked.getByRole("button", { name: t("common.cancel") })).toHaveFocus();
  expect(server.asked("adminReportReopen")).toEqual([]);
  await asked.getByRole("button", { name: t("desk.reopen"), exact: true }).click();
  await expect.poll(() => server.asked("adminReportReopen")).toMatchObject([{ id: caseIdOf(4) }]);
  await expect.element(page.getByRole("navigation", { name: t("desk.tab.reports") })).toBeVisible();
  await expect.poll(() => server.asked("adminCase").map(({ id }) => id)).toContain(caseIdOf(4));
});

test("says why a decision can no longer be reopened, and loads the list again", async () => {
  const server = await openDesk(path, { adminReportReopen: new Refusal(406, { reason: "reopen_over" }) });
  await reopen().click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: t("desk.reopen"), exact: true })
    .click();
  await expectToast(t("desk.refused.reopen"));
  await expect.poll(() => server.asked("adminDecisionList")).toHaveLength(2);
});

test("offers the log of all decisions with its filters to administrators alone", async () => {
  const server = await openPage({ as: ada, path, answers: deskAnswers() });
  await page.getByRole("radio", { name: t("desk.filter.all") }).click();
  await expect.element(page.getByRole("heading", { name: t("desk.decisions.all") })).toBeVisible();
  await expect.element(decisions().filter({ hasText: "Vera" }).first()).toBeVisible();
  await page.getByRole("combobox", { name: t("desk.decisions") }).selectOptions("warn");
  await page.getByRole("combobox", { name: t("desk.figures.time") }).selectOptions("90");
  await page.getByRole("searchbox", { name: t("desk.decisions.by") }).fill("Vera");
  await userEvent.keyboard("{Enter}");
  await expect
    .poll(() => server.asked("adminDecisionList").at(-1))
    .toMatchObject({ scope: "all", kind: "warn", days: 90, by: "Vera" });
});

test("asks for no log of all for a moderator", async () => {
  const server = await openDesk(path);
  await expect.element(decisions().first()).toBeVisible();
  expect(page.getByRole("radio", { name: t("desk.filter.all") }).elements()).toEqual([]);
  expect(server.asked("adminDecisionList").map(({ scope }) => scope)).toEqual(["mine"]);
});

test("shows who is on shift and the handover notes, and saves the moderator's own note by Ctrl and Enter", async () => {
  const server = await openDesk(path);
  const shift = shiftAt(Date.now());
  await expect.element(page.getByText("R-20420 waits for a reply. Many adverts tonight.")).toBeVisible();
  await expect.element(page.getByText("Vera", { exact: true }).first()).toBeVisible();
  const own = page.getByRole("textbox", { name: t("desk.handover.own") });
  await expect.element(own).toHaveValue("All restricted cases are with Ada.");
  expect(page.getByRole("button", { name: t("common.save") }).elements()).toEqual([]);
  await own.fill("Nothing open.");
  server.answer({
    adminShift: { ...shift, notes: [{ name: "Mia", at: Date.now(), mine: true, text: "Nothing open." }] },
  });
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect.poll(() => server.asked("adminShiftWrite")).toMatchObject([{ what: "handover", text: "Nothing open." }]);
  await expect.element(page.getByRole("listitem").getByText("Nothing open.")).toBeVisible();
});

test("keeps what is typed while an own answer is being saved", async () => {
  let save = (): void => undefined;
  const saved = new Promise<object>((resolve) => {
    save = () => resolve({});
  });
  const server = await openDesk(path, { adminShiftWrite: () => saved });
  const second = page.getByRole("textbox", { name: t("desk.answers.number", { n: 2 }) });
  await second.fill("Please read");
  await page.getByRole("button", { name: t("common.save") }).click();
  await expect.poll(() => server.asked("adminShiftWrite")).toHaveLength(1);
  await second.fill("Please read rule 3.");
  server.answer({ adminShift: { ...shiftAt(Date.now()), answers: ["", "Please read", ""] } });
  save();
  await expect.poll(() => server.asked("adminShift")).toHaveLength(2);
  await expect.element(page.getByRole("textbox", { name: t("desk.answers.number", { n: 1 }) })).toHaveValue("");
  await expect.element(second).toHaveValue("Please read rule 3.");
});

test("keeps an own answer that the server rejects, to save it again", async () => {
  const server = await openDesk(path, { adminShiftWrite: new Refusal(429) });
  const second = page.getByRole("textbox", { name: t("desk.answers.number", { n: 2 }) });
  await second.fill("Please read rule 3.");
  await page.getByRole("button", { name: t("common.save") }).click();
  await expectToast(t("desk.refused.slow"));
  await expect.element(second).toHaveValue("Please read rule 3.");
  server.answer({ adminShiftWrite: {} });
  await page.getByRole("button", { name: t("common.save") }).click();
  await expect
    .poll(() => server.asked("adminShiftWrite").at(-1))
    .toMatchObject({ what: "answer2", text: "Please read rule 3." });
});

test("inserts an own answer into the answer to an appeal, by press and by Alt and its digit", async () => {
  await openDesk("/reportReview/appeals");
  await page.getByRole("navigation").getByRole("button", { name: "Noor" }).click();
  const answers = page.getByRole("group", { name: t("desk.answers") });
  await expect.element(answers.getByRole("button")).toBeDisabled();
  await userEvent.keyboard("1");
  const field = page.getByRole("textbox");
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard("Hello.{Alt>}1{/Alt}");
  await expect.element(field).toHaveValue("Hello. We read the whole chat of this call again.");
  await field.fill("");
  await answers.getByRole("button").click();
  await expect.element(field).toHaveValue("We read the whole chat of this call again.");
  await expect.element(field).toHaveFocus();
});

test("finds cases by their texts, with an excerpt, and says that there may be more", async () => {
  const server = await openDesk(path);
  await userEvent.keyboard("{Control>}k{/Control}");
  const sheet = page.getByRole("dialog", { name: t("desk.find.title") });
  await sheet.getByRole("radio", { name: t("desk.find.texts") }).click();
  const field = sheet.getByRole("searchbox");
  await field.fill("pa");
  await expect.element(sheet.getByRole("button", { name: t("desk.find.go") })).toBeDisabled();
  await field.fill("pay or");
  await userEvent.keyboard("{Enter}");
  await expect.element(sheet.getByText("…pay or your friends get it tonight")).toBeVisible();
  await expect.element(sheet.getByText(t("desk.find.partial"))).toBeVisible();
  expect(server.asked("adminFind")).toMatchObject([{ text: "pay or", of: "texts" }]);
  await sheet.getByRole("listitem").first().getByRole("button").click();
  await expect.poll(() => server.asked("adminCase").map(({ id }) => id)).toContain(caseIdOf(0));
});
