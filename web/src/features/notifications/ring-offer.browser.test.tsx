import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { pushAskAgainMs } from "@fava/wire/limits.ts";
import { type NotificationChoice, notificationKinds } from "@fava/wire/notifications.ts";
import { t } from "#lib/i18n.ts";
import { readStored } from "#lib/storage.ts";
import { accountInfo } from "#testing/account-fixtures.ts";
import type { FakePushOptions } from "#testing/fake-push.ts";
import { conversationOf, Inbox, type Line } from "#testing/message-fixtures.ts";
import { log, openMessages, openWith, row } from "#testing/messages-steps.ts";
import { chooseInMenu, expectToast } from "#testing/page-steps.ts";
import { fakePush, pushKey, pushKeyBytes } from "#testing/push-browser.ts";

const [message, ring] = [notificationKinds.indexOf("message"), notificationKinds.indexOf("ring")];
const missed: readonly Line[] = ["hello", ["missed", "other"], "I rang", ["missed", "other"], ["missed", "me"]];

/** Ana's messages with Bo's conversation open, before a server with this choice for her browser. */
async function openThread(
  owner: FakePushOptions,
  {
    choice = null,
    lines = missed,
    stored = {},
  }: { choice?: NotificationChoice | null; lines?: readonly Line[]; stored?: Record<string, string> } = {},
) {
  fakePush(owner);
  const inbox = new Inbox();
  inbox.add(conversationOf("Bo"), [...lines]);
  const answers = {
    accountInfo: accountInfo(Date.now()),
    userExport: { state: "none" as const },
    pushInfo: { key: pushKey, choice },
    pushAdd: ({ kinds, names, quiet, offset_min }: NotificationChoice) => ({ kinds, names, quiet, offset_min }),
  };
  const server = await openWith(inbox, { answers, stored });
  await openMessages();
  await row("Bo").click();
  await expect.element(log().getByText("hello")).toBeVisible();
  return server;
}

const offer = () => log().getByRole("button", { name: t("notify.ringOffer") });
const question = () => page.getByRole("dialog", { name: t("notify.ringAsk") });
const press = (name: "notify.later" | "notify.turnOn") =>
  question()
    .getByRole("button", { name: t(name) })
    .click();

test("offers it once beside a friend's newest missed call, and turns it on by our own question", async () => {
  const server = await openThread(
    { permission: "default" },
    { choice: { kinds: [message], names: 1, quiet: 0, offset_min: 0 } },
  );
  await expect.element(offer()).toBeVisible();
  expect(offer().elements()).toHaveLength(1);
  await offer().click();
  await press("notify.turnOn");
  await expectToast(t("notify.ringDone"));
  expect(server.asked("pushAdd")).toMatchObject([{ kinds: [message, ring], names: 1, quiet: 0 }]);
  await expect.element(offer()).not.toBeInTheDocument();
});

test("does not offer it for 30 days after 'not now', independent of messages", async () => {
  const server = await openThread({ permission: "default" });
  await offer().click();
  await press("notify.later");
  await expect.element(question()).not.toBeInTheDocument();
  await expect.element(offer()).not.toBeInTheDocument();
  expect([server.asked("pushAdd"), readStored("notifyDeclined")]).toEqual([[], null]);
  expect(readStored("ringsDeclined")).not.toBeNull();
});

test("offers it again 30 days after it was declined", async () => {
  await openThread({ permission: "default" }, { stored: { ringsDeclined: String(Date.now() - pushAskAgainMs) } });
  await expect.element(offer()).toBeVisible();
});

test.each([
  ["the permission is denied", { permission: "denied" }, {}],
  [
    "the user declined a minute ago",
    { permission: "default" },
    { stored: { ringsDeclined: String(Date.now() - 60_000) } },
  ],
  [
    "the notification is on",
    { permission: "granted", subscribedWith: pushKeyBytes },
    { choice: { kinds: [ring], names: 0, quiet: 1, offset_min: 0 } },
  ],
  ["only the user's own calls were missed", { permission: "default" }, { lines: ["hello", ["missed", "me"]] }],
] as const)("offers no notification of rings if %s", async (_why, owner, about) => {
  await openThread({ ...owner, ...("subscribedWith" in owner && { subscribedWith: pushKeyBytes }) }, about as never);
  await expect
    .element(
      log()
        .getByText(t("msg.notTaken", { name: "Bo" }))
        .first(),
    )
    .toBeVisible();
  await expect.element(offer()).not.toBeInTheDocument();
});

test("has a switch for our decisions, without names", async () => {
  const server = await openThread({ permission: "granted" });
  await page
    .getByRole("button", { name: t("common.close") })
    .first()
    .click();
  await chooseInMenu("menu.account");
  await page.getByRole("switch", { name: t("notify.decisions") }).click();
  const decision = notificationKinds.indexOf("decision");
  await expect.poll(() => server.asked("pushAdd").at(-1)).toMatchObject({ kinds: [decision], names: 0, quiet: 1 });
  await expect.element(page.getByRole("switch", { name: t("notify.names") })).not.toBeInTheDocument();
});

test("has a switch for friends' rings, without names until they are turned on", async () => {
  const server = await openThread({ permission: "granted" });
  await page
    .getByRole("button", { name: t("common.close") })
    .first()
    .click();
  await chooseInMenu("menu.account");
  await page.getByRole("switch", { name: t("notify.rings") }).click();
  await expect.poll(() => server.asked("pushAdd").at(-1)).toMatchObject({ kinds: [ring], names: 0, quiet: 1 });
  await page.getByRole("switch", { name: t("notify.names") }).click();
  await expect.poll(() => server.asked("pushAdd").at(-1)).toMatchObject({ kinds: [ring], names: 1, quiet: 1 });
});
