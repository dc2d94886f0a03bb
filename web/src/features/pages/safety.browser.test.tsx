import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { pushCodes } from "@fava/wire/pushes.ts";
import { t } from "#lib/i18n.ts";
import { ana, otherUserOf, personOf } from "#testing/fixtures.ts";
import { endComposing } from "#testing/keys.ts";
import { desktop, openPage, phone } from "#testing/open-page.tsx";
import { expectToast } from "#testing/page-steps.ts";
import { nobodyAnswers } from "#testing/people-fixtures.ts";
import { banNotice } from "#testing/session-fixtures.ts";

const report = () => page.getByRole("button", { name: t("safety.report") });
const reportTitle = () => page.getByRole("heading", { name: t("safety.reportTitle") });
const numberField = () => page.getByLabelText(t("safety.number"));
const send = () => page.getByRole("button", { name: t("safety.send") });
const leave = () => page.getByRole("link", { name: t("safety.leave") });

/** The body of the e-mail that a link starts. */
function letter(): string {
  const link = page.getByRole("link", { name: t("safety.write") }).element();
  const address = new URL(link.getAttribute("href") ?? "");
  expect(address.protocol).toBe("mailto:");
  return address.searchParams.get("body") ?? "";
}

async function giveNumber(number: string): Promise<void> {
  await numberField().fill(number);
  await send().click();
}

test("shows help against blackmail first: four steps in order and three actions, on the first screen", async () => {
  await openPage({ path: "/safety" });
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("Someone is threatening you?");
  const steps = page.getByRole("main").getByRole("list").first().getByRole("listitem");
  const heads = steps.all().map((step) => step.getByRole("heading").element().textContent);
  expect(heads).toEqual(["Don’t pay", "Stop answering", "Keep proof", "Tell us, then the police"]);
  await expect.element(page.getByRole("button", { name: t("safety.copy") })).toBeVisible();
  for (const { width, height } of [desktop, phone]) {
    await page.viewport(width, height);
    for (const part of [report(), leave(), steps.last()]) await expect.element(part).toBeInViewport({ ratio: 1 });
  }
});

test("reports by e-mail without a session, with the given number", async () => {
  await openPage({ path: "/safety" });
  await report().click();
  await expect.element(reportTitle()).toHaveFocus();
  await expect.element(send()).not.toBeInTheDocument();
  await numberField().fill("1234 5678 9");
  await expect.element(numberField()).toHaveValue("12345678");
  expect(letter()).toContain("12345678");
  await page.getByText(t("safety.showText"), { exact: true }).click();
  await expect.element(page.getByText("I have not paid")).toBeVisible();
});

test("does not leave the page on an Escape that belongs to an input method", async () => {
  await openPage({ path: "/safety" });
  await report().click();
  await numberField().fill("1234");
  endComposing(numberField(), "Escape");
  expect(location.pathname).toBe("/safety");
  await expect.element(numberField()).toHaveValue("1234");
});

test("copies the template and says so, or shows it on the page if the browser refuses", async () => {
  const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValueOnce();
  await openPage({ path: "/safety" });
  const copy = page.getByRole("button", { name: t("safety.copy") });
  const said = (text: string) => page.getByRole("status").filter({ hasText: text });
  await copy.click();
  await expect.element(said(t("safety.copied"))).toBeVisible();
  expect(write).toHaveBeenCalledOnce();
  const [copied] = write.mock.lastCall ?? [];
  expect(copied).toMatch(/^Someone I met on Fava is blackmailing me\.\n\n/);
  expect(copied).not.toContain("{");
  write.mockRejectedValueOnce(new DOMException("no", "NotAllowedError"));
  await copy.click();
  await expect.element(said(t("safety.notCopied"))).toBeVisible();
  await page.getByText(t("safety.showText"), { exact: true }).click();
  await expect.element(page.getByText("I have not paid")).toBeVisible();
});

test("starts a report with the recent people or a number when the user is signed in", async () => {
  const bo = otherUserOf("Bo", { user_no: "10482193" });
  const server = await openPage({
    path: "/safety",
    as: ana,
    answers: {
      ...nobodyAnswers,
      userSearch: ({ text }) => ({ rows: text === bo.user_no ? [personOf("Bo")] : [], next: null }),
      userInfo: bo,
      feedback: {},
    },
  });
  // Once the server has confirmed the session, the page offers to send the report.
  await expect.element(send()).toBeVisible();
  await report().click();
  await expect.element(page.getByRole("dialog", { name: t("people.title") })).toBeVisible();
  await expect
    .element(page.getByRole("tab", { name: t("people.tab.recent") }))
    .toHaveAttribute("aria-selected", "true");
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  expect(location.pathname).toBe("/safety");

  await giveNumber("1234");
  await expect.element(page.getByText(t("safety.numberShort"))).toBeVisible();
  await giveNumber(ana.user_no);
  await expect.element(page.getByText(t("safety.own"))).toBeVisible();
  expect(server.asked("userSearch")).toEqual([]);
  await giveNumber("99999999");
  await expect.element(page.getByText(t("safety.nobody"))).toBeVisible();
  expect(letter()).toContain("99999999");
  await giveNumber(bo.user_no);
  const sheet = page.getByRole("dialog", { name: t("report.title") });
  await expect.element(sheet).toHaveTextContent("Bo");
  await sheet.getByRole("radio", { name: t("reason.report.9") }).click();
  await sheet.getByRole("button", { name: t("report.send") }).click();
  await expectToast(t("report.sent"));
  expect(server.asked("feedback")).toMatchObject([{ id: 9, other_id: bo.user_id }]);
});

test("works while banned; the notice follows on the next page", async () => {
  const server = await openPage({ path: "/safety", as: ana });
  await expect.element(send()).toBeVisible();
  await expect.poll(() => server.hasSocket && server.socket.heard("hello").length).toBe(1);
  server.socket.push({ code: pushCodes.banned, ...banNotice(Date.now()) });
  await expect.element(page.getByText(t("safety.reportByMail"))).toBeVisible();
  await expect.element(page.getByRole("alertdialog")).not.toBeInTheDocument();
  await report().click();
  await expect.element(reportTitle()).toHaveFocus();
  await leave().click();
  await expect.element(page.getByRole("alertdialog", { name: t("ban.suspended") })).toBeVisible();
});

test("leaves the list out without help lines in the settings", async () => {
  await openPage({ path: "/safety" });
  // The settings are loaded: their e-mail address is shown.
  await expect.element(page.getByText(t("safety.mailAddress", { email: "help@fava.test" }))).toBeVisible();
  await expect.element(page.getByRole("heading", { name: t("safety.helpLines") })).not.toBeInTheDocument();
});
