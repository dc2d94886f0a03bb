import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { pushAskAgainMs } from "@fava/wire/limits.ts";
import type { NotificationChoice } from "@fava/wire/notifications.ts";
import { toBase64Url } from "#lib/api/hex.ts";
import { t } from "#lib/i18n.ts";
import { setCallShown } from "#lib/call-shown.ts";
import { currentUser, signOut } from "#lib/session.ts";
import { readStored, writeStored } from "#lib/storage.ts";
import { accountInfo } from "#testing/account-fixtures.ts";
import { appealToken } from "#testing/appeal-fixtures.ts";
import { afterEachTest } from "#testing/test-cleanup.ts";
import { type Answers, Refusal } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { chooseInMenu, expectToast } from "#testing/page-steps.ts";
import { fakePush, pushKey, pushKeyBytes } from "#testing/push-browser.ts";
import { setFollow } from "#features/people/relation-actions.ts";
import { declineAsking } from "./ask.ts";
import { followSession } from "./follow-session.ts";
import { quietTimes } from "./quiet-times.ts";
import { offsetMin, renewSubscription, subscribeUser } from "./push-subscription.ts";

const otherKey = toBase64Url(new Uint8Array(pushKeyBytes.map((byte) => byte ^ 1)));
const chosen: NotificationChoice = { kinds: [0], names: 0, quiet: 1, offset_min: 0 };

let visit = new AbortController();
afterEachTest(() => {
  visit.abort();
  visit = new AbortController();
});

/** Ana's page before a server with a key and this choice for her browser. */
function open(choice: NotificationChoice | null = null, answers: Answers = {}) {
  let now = choice;
  return openPage({
    as: ana,
    answers: {
      accountInfo: accountInfo(Date.now()),
      userExport: { state: "none" },
      pushInfo: () => ({ key: pushKey, choice: now }),
      pushAdd: ({ kinds, names, quiet, offset_min }) => (now = { kinds, names, quiet, offset_min }),
      pushDel: {},
      follow: { followStatus: 2 },
      ...answers,
    },
  });
}

async function openSettings() {
  await chooseInMenu("menu.account");
  return page.getByRole("region", { name: t("notify.title") });
}

const switches = (name: string) => page.getByRole("switch", { name });
const messages = () => switches(t("notify.messages"));
const names = () => switches(t("notify.names"));
const quiet = () => switches(t("notify.quiet", quietTimes()));
const question = () => page.getByRole("dialog", { name: t("notify.ask") });
const inQuestion = (name: "notify.later" | "notify.turnOn") => question().getByRole("button", { name: t(name) });
async function befriend(): Promise<void> {
  await expect.poll(currentUser).not.toBeNull();
  await setFollow({ userId: 70, nickname: "Bo" }, true);
}

test("[NOTIFY-1] notifies and asks nothing before a press; then without names and with quiet nights", async () => {
  const fake = fakePush({ permission: "default" });
  const server = await open();
  await openSettings();
  await expect.element(messages()).not.toBeChecked();
  await expect.element(names()).not.toBeInTheDocument();
  expect(fake.asked()).toBe(0);
  await messages().click();
  await expect.element(quiet()).toBeChecked();
  await expect.element(names()).not.toBeChecked();
  expect(fake.asked()).toBe(1);
  expect(server.asked("pushAdd")).toMatchObject([
    {
      kinds: [0],
      names: 0,
      quiet: 1,
      offset_min: offsetMin(),
      endpoint: expect.stringContaining("fcm.googleapis.com"),
    },
  ]);
});

test("[NOTIFY-1] changes and removes what this browser notifies of", async () => {
  const fake = fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  const server = await open(chosen);
  await openSettings();
  await expect.element(messages()).toBeChecked();
  await names().click();
  await expect.element(names()).toBeChecked();
  await expect.poll(() => server.asked("pushAdd").at(-1)).toMatchObject({ names: 1, quiet: 1 });
  await quiet().click();
  await expect.poll(() => server.asked("pushAdd").at(-1)).toMatchObject({ names: 1, quiet: 0 });
  await messages().click();
  await expect.poll(() => server.asked("pushDel")).toHaveLength(1);
  await expect.element(messages()).not.toBeChecked();
  expect(fake.isSubscribed()).toBe(false);
});

test("sends a press that comes during a request after it", async () => {
  fakePush({ permission: "granted" });
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  const pushAdd = async ({ kinds, names: named, quiet: calm, offset_min }: NotificationChoice) => {
    await held;
    return { kinds, names: named, quiet: calm, offset_min };
  };
  const server = await open(null, { pushAdd });
  await openSettings();
  await messages().click();
  await expect.poll(() => server.asked("pushAdd")).toMatchObject([{ kinds: [0] }]);
  await switches(t("notify.fit")).click();
  await names().click();
  for (const one of [messages(), switches(t("notify.fit")), names()]) await expect.element(one).toBeChecked();
  expect(server.asked("pushAdd")).toHaveLength(1);
  answer();
  await expect.poll(() => server.asked("pushAdd").at(-1)).toMatchObject({ kinds: [0, 1], names: 1 });
  expect(server.asked("pushAdd")).toHaveLength(2);
});

test("has a switch for each kind, and removes everything with the last one", async () => {
  const fake = fakePush({ permission: "granted" });
  const server = await open();
  await openSettings();
  await switches(t("notify.fit")).click();
  await expect.poll(() => server.asked("pushAdd").at(-1)).toMatchObject({ kinds: [1], names: 0, quiet: 1 });
  await expect.element(messages()).not.toBeChecked();
  // The switch for names is gone, because a notification about a matching person contains none.
  await expect.element(names()).not.toBeInTheDocument();
  await messages().click();
  await expect.poll(() => server.asked("pushAdd").at(-1)).toMatchObject({ kinds: [1, 0] });
  await switches(t("notify.fit")).click();
  await expect.poll(() => server.asked("pushAdd").at(-1)).toMatchObject({ kinds: [0] });
  expect([server.asked("pushDel"), fake.isSubscribed()]).toEqual([[], true]);
  await messages().click();
  await expect.poll(() => server.asked("pushDel")).toHaveLength(1);
  expect(fake.isSubscribed()).toBe(false);
});

test("[NOTIFY-1] reverts what the server did not store, with a message", async () => {
  fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  const server = await open(chosen);
  await openSettings();
  await expect.element(names()).not.toBeChecked();
  server.answer({ pushAdd: new Refusal(codes.slowDown, { retry_after: 60 }) });
  await names().click();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t("notify.failed"));
  await expect.element(names()).not.toBeChecked();
});

test("[NOTIFY-1] stays off in this browser when neither request reached the server", async () => {
  const fake = fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  const refused = new Refusal(codes.slowDown, { retry_after: 60 });
  await open(chosen, { pushAdd: refused, pushDel: refused });
  await openSettings();
  await messages().click();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t("notify.failed"));
  await expect.element(messages()).not.toBeChecked();
  expect(fake.isSubscribed()).toBe(false);
  await switches(t("notify.fit")).click();
  await expect.element(switches(t("notify.fit"))).not.toBeChecked();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t("notify.failed"));
  await expect.element(messages()).not.toBeChecked();
});

test("keeps the notifications of an appeal when the user turns the others off, reached or not", async () => {
  const fake = fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  const server = await open(chosen);
  writeStored("appealTold", appealToken);
  await openSettings();
  await messages().click();
  await expect.poll(() => server.asked("pushDel")).toHaveLength(1);
  await expect.element(messages()).not.toBeChecked();
  expect([fake.isSubscribed(), readStored("appealTold")]).toEqual([true, appealToken]);
  await messages().click();
  await expect.poll(() => server.asked("pushAdd")).toHaveLength(1);
  server.answer({ pushDel: new Refusal(codes.slowDown, { retry_after: 60 }) });
  await messages().click();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t("notify.failed"));
  await expect.element(messages()).not.toBeChecked();
  expect(fake.isSubscribed()).toBe(false);
});

test("reports an unavailable push service", async () => {
  fakePush({ permission: "granted", isAway: true });
  await open();
  await openSettings();
  await messages().click();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t("notify.failed"));
  await expect.element(messages()).not.toBeChecked();
});

test("explains a denied permission, and never asks", async () => {
  const fake = fakePush({ permission: "denied" });
  const server = await open();
  const part = await openSettings();
  await expect.element(part.getByText(t("notify.denied"))).toBeVisible();
  await befriend();
  await expect.poll(() => server.asked("follow")).toHaveLength(1);
  await expect.element(question()).not.toBeInTheDocument();
  expect(fake.asked()).toBe(0);
});

test("notifies nobody and says so when the operator has no keys", async () => {
  fakePush({ permission: "default" });
  await open(null, { pushInfo: { key: null, choice: null } });
  const part = await openSettings();
  await expect.element(part.getByText(t("notify.none"))).toBeVisible();
});

test("asks our own question after befriending, and the browser's only after a press", async () => {
  const fake = fakePush({ permission: "default" });
  const server = await open();
  await befriend();
  await expect.element(question()).toBeVisible();
  expect(fake.asked()).toBe(0);
  await inQuestion("notify.turnOn").click();
  await expectToast(t("notify.done"));
  expect(fake.asked()).toBe(1);
  expect(server.asked("pushAdd")).toMatchObject([{ kinds: [0], names: 0, quiet: 1 }]);
  await befriend();
  await expect.element(question()).not.toBeInTheDocument();
});

test("delays the question until a call is over", async () => {
  fakePush({ permission: "default" });
  const server = await open();
  setCallShown(true);
  await befriend();
  await expect.poll(() => server.asked("follow")).toHaveLength(1);
  expect(server.asked("pushInfo")).toEqual([]);
  setCallShown(false);
  await expect.element(question()).toBeVisible();
});

test("explains how to change a denied permission, and keeps one button", async () => {
  fakePush({ permission: "default", answer: "denied" });
  await open();
  await befriend();
  await inQuestion("notify.turnOn").click();
  await expect.element(question().getByRole("alert")).toHaveTextContent(t("notify.denied"));
  await expect.element(inQuestion("notify.turnOn")).not.toBeInTheDocument();
});

test("does not ask for 30 days after 'not now'", async () => {
  fakePush({ permission: "default" });
  const server = await open();
  await befriend();
  await inQuestion("notify.later").click();
  await expect.element(question()).not.toBeInTheDocument();
  const asked = server.asked("pushInfo").length;
  await befriend();
  await expect.poll(() => server.asked("follow")).toHaveLength(2);
  expect(server.asked("pushInfo")).toHaveLength(asked);
  vi.spyOn(Date, "now").mockReturnValue(Date.now() - pushAskAgainMs);
  declineAsking();
  vi.mocked(Date.now).mockRestore();
  await befriend();
  await expect.element(question()).toBeVisible();
});

test("sends the time zone on a visit, and subscribes again for another key", async () => {
  fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  const server = await open(null, { pushInfo: { key: otherKey, choice: { ...chosen, offset_min: -600 } } });
  followSession(visit.signal);
  await expect.poll(() => server.asked("pushDel")).toMatchObject([{ endpoint: expect.stringMatching(/\/1$/) }]);
  expect(server.asked("pushAdd")).toMatchObject([
    { endpoint: expect.stringMatching(/\/2$/), kinds: [0], offset_min: offsetMin() },
  ]);
});

test("ends the previous user's notifications when the next user wants none", async () => {
  const fake = fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  const server = await open(null);
  followSession(visit.signal);
  await expect.poll(() => fake.isSubscribed()).toBe(false);
  expect(server.asked("pushAdd")).toEqual([]);
});

test("keeps the notifications of an appeal for any next user", async () => {
  const fake = fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  const server = await open(null);
  await expect.poll(currentUser).not.toBeNull();
  writeStored("appealTold", appealToken);
  await renewSubscription(ana.user_id);
  expect([server.asked("pushInfo").length, fake.isSubscribed()]).toEqual([1, true]);
});

test("keeps what the user turns on while the server is asked for their choice", async () => {
  const fake = fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  const pushInfo = async () => {
    await held;
    return { key: pushKey, choice: null };
  };
  const server = await open(null, { pushInfo });
  await expect.poll(currentUser).not.toBeNull();
  const renewal = renewSubscription(ana.user_id);
  await expect.poll(() => server.asked("pushInfo")).toHaveLength(1);
  await subscribeUser(ana.user_id, { key: pushKey, choice: chosen });
  answer();
  await renewal;
  expect([server.asked("pushAdd").length, fake.isSubscribed()]).toEqual([1, true]);
});

test("[NOTIFY-6] unsubscribes the browser after sign-out", async () => {
  const fake = fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  await open(chosen);
  followSession(visit.signal);
  expect(fake.isSubscribed()).toBe(true);
  await signOut();
  await expect.poll(() => fake.isSubscribed()).toBe(false);
});
