import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { pushAskAgainMs } from "@fava/wire/limits.ts";
import { notifiedAppealPath } from "@fava/wire/notifications.ts";
import {
  appealOf,
  appealStatusOf,
  appealToken,
  banFactsOf,
  banPush,
  decidedStatusOf,
} from "#testing/appeal-fixtures.ts";
import { goTo } from "#lib/address.ts";
import { t } from "#lib/i18n.ts";
import { banSession, signOut } from "#lib/session.ts";
import { readStored, writeStored } from "#lib/storage.ts";
import { followSession } from "#features/notifications/follow-session.ts";
import { quietTimes } from "#features/notifications/quiet-times.ts";
import { offsetMin } from "#features/notifications/push-subscription.ts";
import { afterEachTest } from "#testing/test-cleanup.ts";
import { type Answers, Refusal } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast } from "#testing/page-steps.ts";
import { fakePush, pushKey, pushKeyBytes } from "#testing/push-browser.ts";

const nowMs = Date.now();
const waiting = appealStatusOf(nowMs, { appeal: appealOf(nowMs) });
const lifted = decidedStatusOf(nowMs, { state: "lifted" });
const away = new Refusal(codes.slowDown, { retry_after: 60 });

let visit = new AbortController();
afterEachTest(() => {
  visit.abort();
  visit = new AbortController();
});

/** Opens the page of an appeal that waits for its answer; the server has a push key, and notifies one browser. */
function open(answers: Answers = {}, { path = `/appeal#${appealToken}`, stored = {} } = {}) {
  let told: string | null = null;
  return openPage({
    path,
    stored,
    answers: {
      appealStatus: waiting,
      appealPushInfo: ({ endpoint }) => ({ key: pushKey, on: endpoint !== undefined && endpoint === told }),
      appealPushAdd: ({ endpoint }) => {
        told = endpoint;
        return { on: true };
      },
      appealPushDel: () => {
        told = null;
        return {};
      },
      ...answers,
    },
  });
}

const offer = () => page.getByRole("button", { name: t("appeal.tell") });
const question = () => page.getByRole("dialog", { name: t("notify.answerAsk") });
const inQuestion = (name: "notify.later" | "notify.turnOn") => question().getByRole("button", { name: t(name) });
const tells = () => page.getByRole("main").getByText(t("appeal.tells"));
const stop = () => page.getByRole("button", { name: t("notify.tellStop") });

async function turnOn(): Promise<void> {
  await offer().click();
  await inQuestion("notify.turnOn").click();
  await expect.element(tells()).toBeVisible();
}

test("offers it for a waiting appeal: asks our own question first, then the browser's, then notifies", async () => {
  const fake = fakePush({ permission: "default" });
  const server = await open();
  await offer().click();
  await expect.element(question().getByText(t("notify.answerLead", { ...quietTimes() }))).toBeVisible();
  expect([fake.asked(), server.asked("appealPushAdd")]).toEqual([0, []]);
  await inQuestion("notify.turnOn").click();
  await expect.element(tells()).toBeVisible();
  await expect.element(offer()).not.toBeInTheDocument();
  expect(fake.asked()).toBe(1);
  expect(server.asked("appealPushAdd")).toMatchObject([
    { appeal_token: appealToken, endpoint: expect.stringContaining("fcm.googleapis.com"), offset_min: offsetMin() },
  ]);
  expect(readStored("appealTold")).toBe(appealToken);
});

test("withdraws it in that browser, and offers it again", async () => {
  const fake = fakePush({ permission: "granted" });
  const server = await open();
  await turnOn();
  await stop().click();
  await expect.element(offer()).toBeVisible();
  expect(server.asked("appealPushDel")).toMatchObject([{ appeal_token: appealToken }]);
  expect([fake.isSubscribed(), readStored("appealTold")]).toEqual([false, null]);
});

test("does not offer it for 30 days after 'not now', independent of other questions", async () => {
  const fake = fakePush({ permission: "default" });
  const server = await open();
  await offer().click();
  await inQuestion("notify.later").click();
  await expect.element(question()).not.toBeInTheDocument();
  await expect.element(offer()).not.toBeInTheDocument();
  expect([fake.asked(), server.asked("appealPushAdd"), readStored("notifyDeclined")]).toEqual([0, [], null]);
  expect(readStored("answerDeclined")).not.toBeNull();
});

test("offers it again 30 days after it was declined", async () => {
  fakePush({ permission: "default" });
  await open({}, { stored: { answerDeclined: String(Date.now() - pushAskAgainMs) } });
  await expect.element(offer()).toBeVisible();
});

test.each([
  ["the user declined a minute ago", {}, { answerDeclined: String(nowMs - 60_000) }],
  ["the server has no key", { appealPushInfo: { key: null, on: false } }, {}],
  ["the server is unavailable", { appealPushInfo: away }, {}],
  ["there is no appeal", { appealStatus: appealStatusOf(nowMs) }, {}],
  ["the appeal was answered", { appealStatus: lifted }, {}],
] as const)("offers no notification if %s", async (_why, answers, stored) => {
  fakePush({ permission: "default" });
  const server = await open(answers, { stored });
  await expect.element(page.getByRole("complementary", { name: t("appeal.decision") })).toBeVisible();
  await expect.poll(() => server.asked("appealStatus")).toHaveLength(1);
  await expect.element(offer()).not.toBeInTheDocument();
  await expect.element(tells()).not.toBeInTheDocument();
});

test("shows the answer to an appeal that was answered meanwhile", async () => {
  const fake = fakePush({ permission: "granted" });
  const server = await open({ appealPushAdd: { on: false } });
  await offer().click();
  server.answer({ appealStatus: lifted });
  await inQuestion("notify.turnOn").click();
  await expect.element(page.getByText(t("appeal.lifted"))).toBeVisible();
  expect([readStored("appealTold"), fake.asked()]).toEqual([null, 1]);
});

test("explains a denied permission, and never asks", async () => {
  const fake = fakePush({ permission: "denied" });
  await open();
  await expect.element(page.getByText(t("notify.denied"))).toBeVisible();
  await expect.element(offer()).not.toBeInTheDocument();
  expect(fake.asked()).toBe(0);
});

test("explains how to change a denied permission, in the question and after it", async () => {
  fakePush({ permission: "default", answer: "denied" });
  const server = await open();
  await offer().click();
  await inQuestion("notify.turnOn").click();
  await expect.element(question().getByRole("alert")).toHaveTextContent(t("notify.denied"));
  await expect.element(inQuestion("notify.turnOn")).not.toBeInTheDocument();
  await inQuestion("notify.later").click();
  await expect.element(question()).not.toBeInTheDocument();
  await expect.element(page.getByText(t("notify.denied"))).toBeVisible();
  expect(server.asked("appealPushAdd")).toEqual([]);
});

test("explains a browser that cannot notify, such as an iPhone before the page is installed", async () => {
  fakePush({ permission: "default" });
  const before = Object.getOwnPropertyDescriptor(window, "PushManager")!;
  Reflect.deleteProperty(window, "PushManager");
  try {
    await open();
    await expect.element(page.getByText(t("notify.cannot"))).toBeVisible();
    await expect.element(offer()).not.toBeInTheDocument();
  } finally {
    Object.defineProperty(window, "PushManager", before);
  }
});

test.each([
  ["the server", {}, { appealPushAdd: away }],
  ["the push service", { isAway: true }, {}],
] as const)("shows an error if %s is unavailable, and lets the user retry", async (_who, owner, answers) => {
  fakePush({ permission: "granted", ...owner });
  await open(answers);
  await offer().click();
  await inQuestion("notify.turnOn").click();
  await expect.element(question().getByRole("alert")).toHaveTextContent(t("notify.failed"));
  await expect.element(inQuestion("notify.turnOn")).toBeEnabled();
  expect(readStored("appealTold")).toBeNull();
});

test("keeps what could not be withdrawn, and says so", async () => {
  const fake = fakePush({ permission: "granted" });
  const server = await open();
  await turnOn();
  server.answer({ appealPushDel: away });
  await stop().click();
  await expectToast(t("notify.failed"));
  await expect.element(tells()).toBeVisible();
  expect([fake.isSubscribed(), readStored("appealTold")]).toEqual([true, appealToken]);
});

test("opens the appeal from the notification by the stored token, which is removed once the answer was read", async () => {
  const fake = fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  const server = await open(
    { appealStatus: lifted },
    { path: notifiedAppealPath, stored: { appealTold: appealToken } },
  );
  await expect.element(page.getByText(t("appeal.lifted"))).toBeVisible();
  expect(server.asked("appealStatus")).toMatchObject([{ appeal_token: appealToken }]);
  // The address has the token, so that a reload and a copied link work.
  expect(location.hash).toBe(`#${appealToken}`);
  await expect.poll(() => [readStored("appealTold"), fake.isSubscribed()]).toEqual([null, false]);
});

test("keeps the token of a waiting appeal, and keeps notifying", async () => {
  fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  await open(
    { appealPushInfo: { key: pushKey, on: true } },
    { path: notifiedAppealPath, stored: { appealTold: appealToken } },
  );
  await expect.element(tells()).toBeVisible();
  expect(readStored("appealTold")).toBe(appealToken);
});

test("loads an open page again", async () => {
  fakePush({ permission: "granted" });
  const server = await open();
  await turnOn();
  server.answer({ appealStatus: lifted });
  goTo(notifiedAppealPath);
  await expect.element(page.getByText(t("appeal.lifted"))).toBeVisible();
  expect(location.hash).toBe(`#${appealToken}`);
});

test.each([{}, { appealTold: "no token" }])(
  "explains the page in a browser without a token: %o",
  async (stored: Record<string, string>) => {
    fakePush({ permission: "granted" });
    const server = await open({}, { path: notifiedAppealPath, stored });
    await expect.element(page.getByRole("heading", { name: t("appeal.noneTitle") })).toBeVisible();
    expect(server.asked("appealStatus")).toEqual([]);
  },
);

test("notifies a user who reads the ban notice again", async () => {
  const fake = fakePush({ permission: "granted" });
  await open();
  await turnOn();
  followSession(visit.signal);
  banSession(banPush(banFactsOf(nowMs)), "push");
  await expect.element(page.getByRole("alertdialog", { name: t("ban.suspended") })).toBeVisible();
  expect([fake.isSubscribed(), readStored("appealTold")]).toEqual([true, appealToken]);
});

test("ends the notification of an appeal at sign-out", async () => {
  const fake = fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  await openPage({ as: ana });
  await expect.element(page.getByRole("button", { name: t("home.account") })).toBeVisible();
  followSession(visit.signal);
  writeStored("appealTold", appealToken);
  await signOut();
  await expect.poll(() => [fake.isSubscribed(), readStored("appealTold")]).toEqual([false, null]);
});
