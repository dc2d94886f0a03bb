import { afterEach, expect, test, vi } from "vitest";
import { type Locator, page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import type { MailChoice } from "@fava/wire/endpoints/mail.ts";
import { exportLinkMs } from "@fava/wire/limits.ts";
import { formatDate } from "#lib/format-date.ts";
import { formatSize } from "#lib/format-units.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { probeServer } from "#lib/socket/connection.ts";
import { readStored } from "#lib/storage.ts";
import { accountInfo, type DataExport, endedSignIn, readyCopy, signIn } from "#testing/account-fixtures.ts";
import { type Answers, Refusal, silence } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { chooseInMenu, expectToast } from "#testing/page-steps.ts";
import { serverTranslation } from "#testing/translating-browser.ts";

const nowMs = Date.now();
const dayMs = 86_400_000;

afterEach(() => void vi.useRealTimers());

/** Opens account and data of Ana, who has one sign-in and no copy of her data. */
async function openAccount(answers: Answers = {}) {
  const server = await openPage({
    as: ana,
    answers: { accountInfo: accountInfo(nowMs), userExport: { state: "none" }, ...answers },
  });
  await chooseInMenu("menu.account");
  const sheet = page.getByRole("dialog", { name: t("account.title") });
  await expect.element(sheet).toBeVisible();
  return { server, sheet };
}

const button = (place: Locator, key: Parameters<typeof t>[0]) =>
  place.getByRole("button", { name: t(key), exact: true });
const visitor = () => page.getByRole("button", { name: t("login.open") });

test("lists the current sign-in first, and earlier ones with the reason of their end", async () => {
  const earlier = [
    endedSignIn(nowMs - 3 * dayMs, "kicked", { source: 2, login_type: 3, country_name: "" }),
    endedSignIn(nowMs - 5 * dayMs, "expired", { browser: "", system: "" }),
  ];
  const { server, sheet } = await openAccount({
    accountInfo: accountInfo(nowMs, { sessions: [...earlier, signIn(nowMs - 60_000)] }),
  });
  const rows = sheet.getByRole("listitem").filter({ hasText: /Computer|Phone/ });
  await expect.element(rows.first()).toHaveTextContent("Computer, Chrome on Linux");
  await expect.element(rows.first()).toHaveTextContent(t("account.current"));
  await expect.element(rows.first()).toHaveTextContent("with Google");
  await expect.element(rows.nth(1)).toHaveTextContent("Phone, Chrome on Linux");
  await expect.element(rows.nth(1)).toHaveTextContent(t("account.end.kicked"));
  await expect.element(rows.nth(2)).toHaveTextContent(t("account.end.expired"));
  expect(rows.elements()).toHaveLength(3);
  expect(rows.getByRole("button").elements()).toHaveLength(1);
  await rows.first().getByRole("button").click();
  await expect.element(visitor()).toBeVisible();
  expect(server.asked("logout")).toHaveLength(1);
});

test("turns the offer to show covered lines off on this device", async () => {
  const { sheet } = await openAccount();
  const offer = sheet.getByRole("switch", { name: t("covered.settingShow") });
  await expect.element(offer).toBeChecked();
  await offer.click();
  await expect.element(offer).not.toBeChecked();
  expect(readStored("showCovered")).toBe(0);
  await offer.click();
  expect(readStored("showCovered")).toBe(1);
});

test("turns translation off on this device, and names the operator's translator", async () => {
  serverTranslation("Our translator");
  const { sheet } = await openAccount();
  const translates = sheet.getByRole("switch", { name: t("translate.settingOn") });
  const says = t("translate.settingServer", { name: isolate("Our translator") });
  await expect.element(translates).toHaveAccessibleDescription(says);
  await translates.click();
  await expect.element(translates).not.toBeChecked();
  expect(readStored("translateTexts")).toBe(0);
});

test("waits for the server to sign out everywhere, and says so", async () => {
  let answer = () => {};
  const { server, sheet } = await openAccount({
    logoutAll: () =>
      new Promise((resolve) => {
        answer = () => resolve({});
      }),
  });
  await sheet.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect.poll(() => server.asked("logoutAll").length).toBe(1);
  // Until the server responds there is no message, and the user stays signed in.
  await expect.element(sheet).toBeVisible();
  expect(localStorage.getItem("loginToken")).not.toBeNull();
  answer();
  await expectToast(t("account.allOut"));
  await expect.element(visitor()).toBeVisible();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  expect(localStorage.getItem("loginToken")).toBeNull();
});

test("keeps the user signed in when the server did not sign them out everywhere", async () => {
  const { sheet } = await openAccount({ logoutAll: silence });
  await sheet.getByRole("button", { name: "Sign out everywhere" }).click();
  await expectToast(t("error.server"));
  await expect.element(sheet).toBeVisible();
  expect(localStorage.getItem("loginToken")).not.toBeNull();
});

test("shows a copy of the data as none, in preparation with percent, ready with size and last day, or failed", async () => {
  let copy: DataExport = { state: "none" };
  const { server, sheet } = await openAccount({
    userExport: ({ begin }) => {
      if (begin === 1) copy = { state: "preparing", percent: 20 };
      return copy;
    },
  });
  await expect.element(sheet.getByText(t("account.copyNone"))).toBeVisible();
  await button(sheet, "account.copyBegin").click();
  await expect.element(sheet.getByText(t("account.copyPreparing", { percent: "20%" }))).toBeVisible();
  await expect.element(sheet.getByRole("progressbar")).toHaveAttribute("value", "20");
  copy = { state: "failed" };
  await expect.element(sheet.getByText(t("account.copyFailed"))).toBeVisible();
  await button(sheet, "common.retry").click();
  await expect.element(sheet.getByRole("progressbar")).toBeVisible();
  copy = readyCopy(nowMs);
  const link = sheet.getByRole("link", { name: t("account.download") });
  await expect.element(link).toHaveAttribute("href", "/media/export/copy.zip");
  const ready = t("account.copyReady", { size: formatSize(384_512), day: formatDate(nowMs + 6 * dayMs) });
  await expect.element(sheet.getByText(ready)).toBeVisible();
  expect(server.asked("userExport").filter(({ begin }) => begin === 1)).toHaveLength(2);
});

test("retries a failed load of the copy on a press before anything is known, by itself during the preparation", async () => {
  const { server, sheet } = await openAccount({ userExport: new Refusal(codes.serverError) });
  await button(sheet, "common.retry").click();
  await expect.poll(() => server.asked("userExport").length).toBe(2);
  let copy: DataExport = { state: "preparing", percent: 20 };
  server.answer({ userExport: () => copy });
  await button(sheet, "common.retry").click();
  await expect.element(sheet.getByRole("progressbar")).toHaveAttribute("value", "20");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"], shouldAdvanceTime: true });
  server.answer({ userExport: new Refusal(codes.serverError) });
  await expect.element(sheet.getByText(t("account.failed"))).toBeVisible();
  await expect.element(sheet.getByRole("progressbar")).toHaveAttribute("value", "20");
  copy = { state: "preparing", percent: 60 };
  server.answer({ userExport: () => copy });
  await vi.advanceTimersByTimeAsync(5_000);
  await expect.element(sheet.getByRole("progressbar")).toHaveAttribute("value", "60");
  await expect.element(sheet.getByText(t("account.failed"))).not.toBeInTheDocument();
});

test("loads the copy again when the server can be reached again", async () => {
  const { server, sheet } = await openAccount({ userExport: new Refusal(codes.serverError) });
  await expect.element(button(sheet, "common.retry")).toBeVisible();
  server.goAway();
  await probeServer();
  server.comeBack();
  server.answer({ userExport: { state: "none" } });
  await expect.element(sheet.getByText(t("account.copyNone"))).toBeVisible();
});

test("renews the address of the copy on an open page before it expires", async () => {
  let asked = 0;
  const { sheet } = await openAccount({
    userExport: ({ begin }) => {
      if (begin !== 1 && asked === 0) return { state: "none" };
      asked += 1;
      return { ...readyCopy(nowMs), url: `/media/export/${asked}.zip` };
    },
  });
  await expect.element(button(sheet, "account.copyBegin")).toBeVisible();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"], shouldAdvanceTime: true });
  await button(sheet, "account.copyBegin").click();
  const link = sheet.getByRole("link", { name: t("account.download") });
  await expect.element(link).toHaveAttribute("href", "/media/export/1.zip");
  await vi.advanceTimersByTimeAsync(exportLinkMs - 1);
  await expect.element(link).toHaveAttribute("href", "/media/export/2.zip");
});

test("rejects more copies than allowed a day, with a message", async () => {
  const { sheet } = await openAccount({
    userExport: ({ begin }) => (begin === 1 ? new Refusal(codes.slowDown) : { state: "none" }),
  });
  await button(sheet, "account.copyBegin").click();
  await expect.element(sheet.getByText(t("account.copyOften"))).toBeVisible();
});

test("names the losses before a deletion, asks for the account number, and puts the safe button first", async () => {
  const until = nowMs + 14 * dayMs;
  const { server, sheet } = await openAccount({
    accountInfo: accountInfo(nowMs, {
      deletion: { refunds: [{ beans: 10_000, price_minor: 999, currency_code: "USD" }], beans_lost: 700, until },
    }),
    accountDel: ({ user_no: number }) =>
      number === ana.user_no ? { until } : new Refusal(codes.refused, { reason: "wrong_number" }),
  });
  await button(sheet, "account.deleteOpen").click();
  const question = page.getByRole("alertdialog", { name: t("account.deleteTitle") });
  await expect.element(question.getByText("700")).toBeVisible();
  // The question says what the press will do, not what it has done.
  expect(question.element().textContent).not.toContain("You’re signed out");
  await expect.element(question.getByText("10,000 unused beans, $9.99")).toBeVisible();
  await expect.element(button(question, "account.keep")).toHaveFocus();
  const remove = button(question, "account.deleteOpen");
  await expect.element(remove).toHaveAttribute("aria-disabled", "true");
  await question.getByRole("textbox").fill(`${ana.user_no.slice(0, -1)}x`);
  await expect.element(remove).toHaveAttribute("aria-disabled", "true");
  (remove.element() as HTMLElement).click();
  expect(server.asked("accountDel")).toEqual([]);
  // The page prints the number with a space; the field accepts it so.
  await question.getByRole("textbox").fill(`${ana.user_no.slice(0, 4)} ${ana.user_no.slice(4)}`);
  await remove.click();
  const farewell = page.getByRole("alertdialog", { name: t("comeBack.goneTitle") });
  await expect.element(farewell.getByText(t("comeBack.goneText", { day: formatDate(until) }))).toBeVisible();
  await button(farewell, "common.ok").click();
  await expect.element(visitor()).toBeVisible();
  expect(localStorage.getItem("loginToken")).toBeNull();
  expect(server.asked("accountDel")).toMatchObject([{ user_no: ana.user_no }]);
});

test("shows why a deletion was rejected, and keeps the account", async () => {
  const { sheet } = await openAccount({ accountDel: new Refusal(codes.refused, { reason: "in_call" }) });
  await button(sheet, "account.deleteOpen").click();
  const question = page.getByRole("alertdialog", { name: t("account.deleteTitle") });
  await question.getByRole("textbox").fill(ana.user_no);
  await button(question, "account.deleteOpen").click();
  await expect.element(question.getByText(t("account.inCall"))).toBeVisible();
  await button(question, "account.keep").click();
  await expect.element(question).not.toBeInTheDocument();
  expect(localStorage.getItem("loginToken")).not.toBeNull();
});

const noMail: MailChoice = { on: true, email: null, pending: null, kinds: [] };
const mailPart = (sheet: Locator) => sheet.getByRole("region", { name: t("mail.title") });

test("hides mails at a site that sends none", async () => {
  const { sheet, server } = await openAccount();
  await expect.poll(() => server.asked("mailInfo").length).toBe(1);
  await expect.element(mailPart(sheet)).not.toBeInTheDocument();
});

test("[MAIL-1] sends a link to a typed address, rejects what is none, and shows it until it is confirmed", async () => {
  let choice = noMail;
  const { server, sheet } = await openAccount({
    mailInfo: () => choice,
    mailUpdate: ({ email = "" }) => (choice = { ...choice, pending: email === "" ? null : email }),
  });
  const part = mailPart(sheet);
  const field = part.getByRole("textbox", { name: t("mail.address") });
  await field.fill("ana@");
  await button(part, "mail.send").click();
  await expect.element(part.getByRole("alert")).toHaveTextContent(t("mail.wrong"));
  expect(server.asked("mailUpdate")).toEqual([]);
  expect(part.getByRole("switch").elements()).toEqual([]);
  await field.fill("ana@example.org");
  await button(part, "mail.send").click();
  await expect.element(part.getByRole("status")).toHaveTextContent("ana@example.org");
  await expect.element(field).not.toBeInTheDocument();
  await button(part, "mail.change").click();
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveValue("");
  await button(part, "mail.send").click();
  await expect.element(field).toHaveAccessibleDescription(t("mail.wrong"));
  await expect.element(field).toBeInvalid();
  await button(part, "common.cancel").click();
  await expect.element(button(part, "mail.change")).toHaveFocus();
  await expect.element(part.getByRole("alert")).not.toBeInTheDocument();
});

test("[MAIL-2] turns each kind of mail on and off, and removes the address", async () => {
  let choice: MailChoice = { ...noMail, email: "ana@example.org", kinds: [1] };
  const { server, sheet } = await openAccount({
    mailInfo: () => choice,
    mailUpdate: ({ email, kinds }) => {
      if (email === "") choice = noMail;
      if (kinds) choice = { ...choice, kinds };
      return choice;
    },
  });
  const part = mailPart(sheet);
  const receipts = part.getByRole("switch", { name: t("mail.receipts") });
  await expect.element(receipts).not.toBeChecked();
  await receipts.click();
  await expect.element(receipts).toBeChecked();
  await expect.poll(() => choice.kinds).toEqual([1, 0]);
  server.answer({ mailUpdate: new Refusal(codes.serverError) });
  await part.getByRole("switch", { name: t("mail.missed") }).click();
  await expect.element(part.getByRole("alert")).toHaveTextContent(t("account.failed"));
  await expect.element(part.getByRole("switch", { name: t("mail.missed") })).not.toBeChecked();
  server.answer({ mailUpdate: () => (choice = noMail) });
  await button(part, "mail.remove").click();
  await expect.element(part.getByRole("textbox", { name: t("mail.address") })).toBeVisible();
});
