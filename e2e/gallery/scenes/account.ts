import { codes } from "@fava/wire/codes.ts";
import {
  accountInfo,
  endedSignIn,
  passkeyInfo,
  readyCopy,
  recoveryCodes,
  signIn,
} from "@fava/web/testing/account-fixtures.ts";
import { type FakePushOptions, installFakePush } from "@fava/web/testing/fake-push.ts";
import { type Answers, Refusal } from "@fava/web/testing/fixture-world.ts";
import { ana, galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { peopleAnswers, relationAnswers } from "@fava/web/testing/people-fixtures.ts";
import type { Locator, Page } from "@playwright/test";
import { chooseAna, openProvider } from "../../support/provider-window.ts";
import type { Words } from "../../support/words.ts";
import { chooseInMenu, openPeople, startOf } from "../people-steps.ts";
import { type Scene, scene } from "../scene.ts";
import { pushKey, notificationAnswers } from "../notification-steps.ts";

const nowMs = galleryNowMs;
const dayMs = 86_400_000;
const until = nowMs + 14 * dayMs;
const never = () => new Promise<never>(() => undefined);
const broken = new Refusal(codes.serverError);

const reasons = ["kicked", "expired", "signed_out", "banned", "deleted", null] as const;
/** A user with many sign-ins who has bought beans. */
const busy = accountInfo(nowMs, {
  sessions: [
    signIn(nowMs - 3_600_000),
    ...reasons.map((reason, index) =>
      endedSignIn(nowMs - (index + 2) * dayMs, reason, {
        source: index % 2 === 0 ? 2 : 1,
        browser: index === 3 ? "" : "Firefox",
        system: index > 2 ? "" : "Android",
        country_name: index === 1 ? "" : "Brazil",
      }),
    ),
  ],
  deletion: {
    refunds: [
      { beans: 10_000, price_minor: 999, currency_code: "USD" },
      { beans: 52_000, price_minor: 4_999, currency_code: "USD" },
    ],
    beans_lost: 48_200,
    until,
  },
});

const plain: Answers = { accountInfo: accountInfo(nowMs), userExport: { state: "none" } };

async function openAccount(page: Page, said: Words): Promise<Locator> {
  await chooseInMenu(page, said, "menu.account");
  const sheet = page.getByRole("dialog", { name: said("account.title") });
  await sheet.waitFor();
  return sheet;
}

/** Asks for the deletion; returns the question. */
async function askToDelete(page: Page, said: Words): Promise<Locator> {
  await page.getByRole("button", { name: said("account.deleteOpen") }).click();
  const question = page.getByRole("alertdialog", { name: said("account.deleteTitle") });
  await question.waitFor();
  return question;
}

async function confirm(question: Locator, said: Words): Promise<void> {
  await question.getByRole("textbox").fill(ana.user_no);
  await question.getByRole("button", { name: said("account.deleteOpen") }).click();
}

const pushAnswers: Answers = {
  ...plain,
  ...peopleAnswers(nowMs),
  ...relationAnswers(),
  follow: { followStatus: 2 },
  pushInfo: {
    key: Buffer.from(pushKey).toString("base64url"),
    choice: { kinds: [0, 1], names: 0, quiet: 1, offset_min: 0 },
  },
  pushAdd: broken,
};

const unasked: Answers = { ...pushAnswers, ...notificationAnswers, pushAdd: broken };

/** Opens the settings of a subscribed browser with this permission. */
async function openNotifications({ page, said }: { page: Page; said: Words }, permission: NotificationPermission) {
  await page.evaluate(installFakePush, { permission, subscribedWith: pushKey });
  const sheet = await openAccount(page, said);
  const part = sheet.getByRole("region", { name: said("notify.title") });
  await part.getByText(said(permission === "denied" ? "notify.denied" : "notify.messages")).waitFor();
  await part.scrollIntoViewIfNeeded();
  return part;
}

const mailChoice = { on: true, email: "ana@example.org", pending: null, kinds: [0] };
const mailAnswers: Answers = { ...plain, mailInfo: mailChoice };

export const accountScenes: readonly Scene[] = [
  scene("the mail address of an account", { as: ana, answers: mailAnswers }, async ({ page, said, show, world }) => {
    const sheet = await openAccount(page, said);
    const part = sheet.getByRole("region", { name: said("mail.title") });
    await part.getByRole("switch", { name: said("mail.receipts") }).waitFor();
    await part.scrollIntoViewIfNeeded();
    await show("account-mail");
    world.server.answer({ mailUpdate: new Refusal(codes.badInput, { field: "email" }) });
    await part.getByRole("button", { name: said("mail.change") }).click();
    await part.getByRole("textbox").fill("ana@fava");
    await part.getByRole("button", { name: said("mail.send") }).click();
    await part.getByRole("alert").scrollIntoViewIfNeeded();
    await show("account-mail-wrong");
  }),
  scene("the notification settings of a browser", { as: ana, answers: pushAnswers }, async ({ page, said, show }) => {
    const part = await openNotifications({ page, said }, "granted");
    await show("account-notifications");
    await part.getByRole("switch", { name: said("notify.names") }).click();
    await part.getByRole("alert").waitFor();
    await show("account-notifications-failed");
  }),
  scene("a browser that denies notifications", { as: ana, answers: pushAnswers }, async ({ page, said, show }) => {
    await openNotifications({ page, said }, "denied");
    await show("account-notifications-denied");
  }),
  scene("the notification prompt after befriending", { as: ana, answers: unasked }, async ({ page, said, show }) => {
    const owner: FakePushOptions = { permission: "default", answer: "denied" };
    await page.evaluate(installFakePush, owner);
    const panel = await openPeople(page, said, "fans");
    await panel
      .getByRole("button", { name: startOf(said, "people.followBack") })
      .first()
      .click();
    const question = page.getByRole("dialog", { name: said("notify.ask") });
    await question.waitFor();
    await show("notify");
    await question.getByRole("button", { name: said("notify.turnOn") }).click();
    await question.getByRole("alert").waitFor();
    await show("notify-denied");
  }),
  scene("account and data", { as: ana, answers: plain }, async ({ page, said, show, world }) => {
    const sheet = await openAccount(page, said);
    await sheet.getByText(said("account.current"), { exact: true }).waitFor();
    await sheet.getByText(said("account.copyNone")).waitFor();
    await show("account");
    const begin = sheet.getByRole("button", { name: said("account.copyBegin") });
    world.server.answer({ userExport: new Refusal(codes.slowDown) });
    await begin.click();
    await sheet.getByText(said("account.copyOften")).waitFor();
    await show("account-copy-too-often");
    world.server.answer({ userExport: { state: "preparing", percent: 40 } });
    await begin.click();
    await sheet.getByRole("progressbar").waitFor();
    await show("account-copy-preparing");
    world.server.answer({ userExport: { state: "failed" } });
    await sheet.getByText(said("account.copyFailed")).waitFor();
    await show("account-copy-failed");
  }),
  scene(
    "account and data of a user with many sign-ins",
    { as: ana, answers: { accountInfo: busy, userExport: readyCopy(nowMs) } },
    async ({ page, said, show }) => {
      const sheet = await openAccount(page, said);
      await sheet.getByRole("link", { name: said("account.download") }).waitFor();
      await show("account-ready");
      await sheet.locator("ul + button").click();
      await sheet.getByText(new RegExp(said("account.end.banned").source.slice(1, -1), "u")).waitFor();
      await show("account-all-sign-ins");
      const question = await askToDelete(page, said);
      await question.getByRole("button", { name: said("account.keep") }).waitFor();
      await show("account-delete-refunds");
    },
  ),
  scene(
    "account and data while loading",
    { as: ana, answers: { accountInfo: never, userExport: never } },
    async ({ page, said, show, world }) => {
      const sheet = await openAccount(page, said);
      await sheet.getByText(said("account.signInsText")).waitFor();
      await show("account-loading");
      await askToDelete(page, said);
      await show("account-delete-loading");
      world.server.answer({ accountInfo: broken, userExport: broken });
      await page.reload();
      await openAccount(page, said);
      await sheet
        .getByRole("button", { name: said("common.retry") })
        .nth(2)
        .waitFor();
      await show("account-load-failed");
      await askToDelete(page, said);
      await show("account-delete-load-failed");
    },
  ),
  scene("an account that is deleted", { as: ana, answers: plain }, async ({ page, said, show, world }) => {
    await openAccount(page, said);
    const question = await askToDelete(page, said);
    await question.getByText(said("account.refundNone")).waitFor();
    await show("account-delete");
    world.server.answer({ accountDel: new Refusal(codes.refused, { reason: "in_call" }) });
    await confirm(question, said);
    await question.getByText(said("account.inCall")).waitFor();
    await show("account-delete-in-call");
    world.server.answer({ accountDel: { until } });
    await confirm(question, said);
    await page.getByRole("alertdialog", { name: said("comeBack.goneTitle") }).waitFor();
    await show("account-gone");
  }),
  scene(
    "a deleted account that is restored",
    {
      answers: {
        login: new Refusal(codes.forbidden, { reason: "account_deleted", until, restore_token: "restore" }),
        accountRestore: new Refusal(codes.forbidden),
      },
    },
    async ({ page, said, show }) => {
      await chooseAna(await openProvider(page, "Google", said));
      const question = page.getByRole("alertdialog", { name: said("comeBack.title") });
      await question.waitFor();
      await show("account-come-back");
      await question.getByRole("button", { name: said("comeBack.yes") }).click();
      await question.getByText(said("comeBack.tooLate")).waitFor();
      await show("account-come-back-failed");
    },
  ),
  scene(
    "passkeys and recovery codes",
    {
      as: ana,
      answers: { ...plain, passkeyInfo: passkeyInfo(nowMs, 7), recoveryCodes: { codes: [...recoveryCodes] } },
    },
    async ({ page, said, show }) => {
      const sheet = await openAccount(page, said);
      const part = sheet.getByRole("region", { name: said("passkeys.title") });
      await part.getByRole("listitem").nth(1).waitFor();
      await part.scrollIntoViewIfNeeded();
      await show("account-passkeys");
      await part.getByRole("button", { name: said("passkeys.codesAgain") }).click();
      await part.getByText(said("passkeys.codesOnce")).waitFor();
      await show("account-recovery-codes");
    },
  ),
  scene("contact us for a member", { as: ana }, async ({ page, said, show }) => {
    await chooseInMenu(page, said, "menu.contact");
    const contact = page.getByRole("dialog", { name: said("login.contact") });
    await contact.getByRole("button", { name: said("contact.write") }).waitFor();
    await show("account-contact");
  }),
];
