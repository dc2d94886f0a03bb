import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { t } from "#lib/i18n.ts";
import { accountInfo, newPasskey, passkeyInfo, recoveryCodes } from "#testing/account-fixtures.ts";
import { type Answers, Refusal } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { chooseInMenu, expectToast } from "#testing/page-steps.ts";

const nowMs = Date.now();

async function openPasskeys(answers: Answers = {}) {
  const account: Answers = { accountInfo: accountInfo(nowMs), userExport: { state: "none" } };
  const server = await openPage({ as: ana, answers: { ...account, passkeyPrepare: newPasskey, ...answers } });
  await chooseInMenu("menu.account");
  const part = page.getByRole("region", { name: t("passkeys.title") });
  await expect.element(part).toBeVisible();
  return { server, part };
}

async function openLogin(answers: Answers) {
  const server = await openPage({ answers });
  await page.getByRole("button", { name: t("login.open"), exact: true }).click();
  return server;
}

const failsWith = (name: string) => () => Promise.reject(new DOMException("refused", name));

test("lists passkeys with their device and last use, and removes one", async () => {
  const { server, part } = await openPasskeys({ passkeyInfo: passkeyInfo(nowMs, 7), passkeyDel: {} });
  const rows = part.getByRole("listitem");
  await expect.element(rows.first()).toHaveTextContent("Chrome on Android");
  await expect.element(rows.nth(1)).toHaveTextContent(t("passkeys.unknown"));
  await expect.element(part.getByText(t("passkeys.codesLeft", { n: 7 }))).toBeVisible();
  server.answer({ passkeyInfo: { passkeys: [], codes_left: 7 } });
  await rows.first().getByRole("button").click();
  await expect.element(rows).not.toBeInTheDocument();
  expect(server.asked("passkeyDel")).toMatchObject([{ id: "passkey-of-a-phone" }]);
});

test("says that the device has a passkey already, and nothing when its dialog was closed", async () => {
  const create = vi.spyOn(navigator.credentials, "create").mockImplementation(failsWith("InvalidStateError"));
  const { server, part } = await openPasskeys();
  const add = part.getByRole("button", { name: t("passkeys.add") });
  await add.click();
  await expect.element(part.getByRole("alert")).toHaveTextContent(t("passkeys.exists"));
  create.mockImplementation(failsWith("NotAllowedError"));
  await add.click();
  await expect.element(part.getByRole("alert")).not.toBeInTheDocument();
  create.mockImplementation(failsWith("UnknownError"));
  await add.click();
  await expect.element(part.getByRole("alert")).toHaveTextContent(t("account.failed"));
  expect(server.asked("passkeyAdd")).toEqual([]);
  expect(create.mock.calls[0]?.[0]?.publicKey?.authenticatorSelection).toMatchObject({ residentKey: "required" });
});

test("shows new recovery codes once, and copies them", async () => {
  const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const { server, part } = await openPasskeys({ recoveryCodes: new Refusal(codes.serverError) });
  const make = part.getByRole("button", { name: t("passkeys.codesMake") });
  await make.click();
  await expect.element(part.getByRole("alert")).toHaveTextContent(t("account.failed"));
  server.answer({ recoveryCodes: { codes: [...recoveryCodes] } });
  await make.click();
  await expect.element(part.getByRole("heading", { name: t("passkeys.codes") })).toHaveFocus();
  expect(part.getByRole("listitem").elements()).toHaveLength(10);
  await part.getByRole("button", { name: t("common.copy") }).click();
  await expectToast(t("common.copied"));
  expect(write).toHaveBeenCalledWith(recoveryCodes.join("\n"));
  await userEvent.keyboard("{Escape}");
  server.answer({ passkeyInfo: { passkeys: [], codes_left: 10 } });
  await chooseInMenu("menu.account");
  await expect.element(part.getByText(t("passkeys.codesLeft", { n: 10 }))).toBeVisible();
  expect(part.getByRole("listitem").elements()).toEqual([]);
});

test("reports a passkey that does not work, and stays silent when its dialog was closed", async () => {
  const get = vi.spyOn(navigator.credentials, "get").mockImplementation(failsWith("NotAllowedError"));
  const options = {
    challenge: "Y2hhbGxlbmdl",
    rpId: "localhost",
    timeout: 300_000,
    userVerification: "required",
  } as const;
  await openLogin({ passkeyLoginPrepare: options });
  const button = page.getByRole("button", { name: t("passkeys.signIn") });
  await button.click();
  await expect.poll(() => get.mock.calls.length).toBe(1);
  await expect.element(button).not.toHaveAttribute("aria-busy", "true");
  expect(page.getByText(t("passkeys.signInFailed")).elements()).toEqual([]);
  get.mockImplementation(failsWith("UnknownError"));
  await button.click();
  await expectToast(t("passkeys.signInFailed"));
});

test("asks for account number and recovery code, and says why a code did not work", async () => {
  const server = await openLogin({ recoveryLogin: new Refusal(codes.badInput) });
  const link = page.getByRole("button", { name: t("passkeys.codesUse") });
  await link.click();
  const form = page.getByRole("dialog", { name: t("passkeys.codesUse") });
  const send = form.getByRole("button", { name: t("login.open"), exact: true });
  await send.click();
  await expect.element(form.getByRole("alert")).toHaveTextContent(t("passkeys.codesWrong"));
  expect(server.asked("recoveryLogin")).toEqual([]);
  await form.getByLabelText(t("menu.accountNumber")).fill(" 1234 5678 ");
  await form.getByLabelText(t("passkeys.code")).fill("abcd-efgh-jkmn-pqrs");
  await send.click();
  await expect
    .poll(() => server.asked("recoveryLogin"))
    .toMatchObject([{ user_no: "1234 5678", code: "abcd-efgh-jkmn-pqrs" }]);
  await expect.element(form.getByRole("alert")).toHaveTextContent(t("passkeys.codesWrong"));
  server.answer({ recoveryLogin: new Refusal(codes.slowDown) });
  await send.click();
  await expect.element(form.getByRole("alert")).toHaveTextContent(t("passkeys.codesOften"));
  await form.getByRole("button", { name: t("common.back") }).click();
  await expect.element(link).toHaveFocus();
});
