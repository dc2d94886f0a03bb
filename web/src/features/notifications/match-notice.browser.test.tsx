import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { pushAskAgainMs, widenOfferMs } from "@fava/wire/limits.ts";
import { type NotificationChoice, notificationKinds } from "@fava/wire/notifications.ts";
import { formatTime } from "#lib/format-date.ts";
import { t } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { readStored, writeStored } from "#lib/storage.ts";
import { callState, openSearch } from "#testing/call-page.ts";
import { type Answers, Refusal } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast } from "#testing/page-steps.ts";
import { fakePush, pushKey, pushKeyBytes } from "#testing/push-browser.ts";
import { quietTimes } from "./quiet-times.ts";

const [message, fits] = [notificationKinds.indexOf("message"), notificationKinds.indexOf("fits")];
const chosen: NotificationChoice = { kinds: [message], names: 1, quiet: 0, offset_min: 0 };
const untilMs = Date.UTC(2026, 10, 27, 10);

/** The responses of a server that has stored this choice for the browser. */
function answersWith(choice: NotificationChoice | null = null): Answers {
  return {
    pushInfo: { key: pushKey, choice },
    pushAdd: ({ kinds, names, quiet, offset_min }) => ({ kinds, names, quiet, offset_min }),
    matchSubscription: ({ on }) => ({ until: on === 1 ? untilMs : null }),
  };
}

/** Opens Ana's page with the dialog that says that nobody is there. */
async function openEmpty(answers = answersWith(), stored: Readonly<Record<string, string>> = {}) {
  const server = await openPage({ as: ana, answers, stored: { filterGender: "2", ...stored } });
  await expect.element(page.getByRole("button", { name: t("home.start") })).toBeVisible();
  void openOverlay("no-profiles");
  await expect.element(empty()).toBeVisible();
  return server;
}

const empty = () => page.getByRole("dialog", { name: t("notice.noProfilesTitle") });
const offer = () => page.getByRole("button", { name: t("notify.tell") });
const question = () => page.getByRole("dialog", { name: t("notify.tellAsk") });
const inQuestion = (name: "notify.later" | "notify.turnOn") => question().getByRole("button", { name: t(name) });
const told = () => page.getByText(t("notify.tellUntil", { time: formatTime(untilMs) }));

test("asks our own question on a press, then the browser's, then requests the notification", async () => {
  const fake = fakePush({ permission: "default" });
  const server = await openEmpty();
  await offer().click();
  await expect.element(question().getByText(t("notify.tellLead", quietTimes()))).toBeVisible();
  expect([fake.asked(), server.asked("matchSubscription")]).toEqual([0, []]);
  await inQuestion("notify.turnOn").click();
  await expect.element(told()).toBeVisible();
  expect(fake.asked()).toBe(1);
  expect(server.asked("pushAdd")).toMatchObject([{ kinds: [fits], names: 0, quiet: 1 }]);
  expect(server.asked("matchSubscription")).toMatchObject([{ sex: 2, country: -1, on: 1 }]);
  await page.getByRole("button", { name: t("notify.tellStop") }).click();
  await expect.element(offer()).toBeVisible();
  expect(server.asked("matchSubscription").at(-1)).toMatchObject({ on: 0 });
});

test("shows an earlier request and lets the user withdraw it, even in a browser without notifications", async () => {
  fakePush({ permission: "denied" });
  const server = await openEmpty({
    ...answersWith(),
    matchSubscriptionInfo: { wish: { sex: 2, country: -1, until: untilMs } },
  });
  await expect.element(told()).toBeVisible();
  await expect.element(offer()).not.toBeInTheDocument();
  await page.getByRole("button", { name: t("notify.tellStop") }).click();
  await expect.element(told()).not.toBeInTheDocument();
  expect(server.asked("matchSubscription")).toMatchObject([{ sex: 2, country: -1, on: 0 }]);
});

test("no longer shows a request that was fulfilled, and offers one for other filters", async () => {
  fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  const answers = answersWith({ ...chosen, kinds: [fits] });
  const server = await openEmpty({
    ...answers,
    matchSubscriptionInfo: { wish: { sex: 2, country: 0, until: untilMs } },
  });
  await expect.element(offer()).toBeVisible();
  await offer().click();
  await expect.element(told()).toBeVisible();
  closeOverlay("no-profiles");
  await expect.element(empty()).not.toBeInTheDocument();
  server.answer({ matchSubscriptionInfo: { wish: null } });
  void openOverlay("no-profiles");
  await expect.element(offer()).toBeVisible();
});

test("keeps notifying of messages, and asks nothing if the browser notifies of matches already", async () => {
  fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  const server = await openEmpty(answersWith(chosen));
  await offer().click();
  await inQuestion("notify.turnOn").click();
  await expect.element(told()).toBeVisible();
  expect(server.asked("pushAdd")).toMatchObject([{ kinds: [message, fits], names: 1, quiet: 0 }]);
  server.answer({ pushInfo: { key: pushKey, choice: { ...chosen, kinds: [message, fits] } } });
  await page.getByRole("button", { name: t("notify.tellStop") }).click();
  await offer().click();
  await expect.element(told()).toBeVisible();
  expect(server.asked("pushAdd")).toHaveLength(1);
});

test("does not offer it for 30 days after 'not now', independent of friends' messages", async () => {
  fakePush({ permission: "default" });
  const server = await openEmpty();
  await offer().click();
  await inQuestion("notify.later").click();
  await expect.element(question()).not.toBeInTheDocument();
  await expect.element(offer()).not.toBeInTheDocument();
  expect([server.asked("matchSubscription"), readStored("notifyDeclined")]).toEqual([[], null]);
  expect(readStored("tellDeclined")).not.toBeNull();
});

test("does not offer it a minute after it was declined, and does 30 days after", async () => {
  fakePush({ permission: "default" });
  await openEmpty(answersWith(), { tellDeclined: String(Date.now() - 60_000) });
  await expect.element(offer()).not.toBeInTheDocument();
  closeOverlay("no-profiles");
  await expect.element(empty()).not.toBeInTheDocument();
  writeStored("tellDeclined", Date.now() - pushAskAgainMs);
  void openOverlay("no-profiles");
  await expect.element(offer()).toBeVisible();
});

test("does not offer it with a denied permission, and sends no request", async () => {
  fakePush({ permission: "denied" });
  const server = await openEmpty();
  await expect.element(offer()).not.toBeInTheDocument();
  expect(server.asked("pushInfo")).toEqual([]);
});

test("reports what the server rejects, which can be pressed again", async () => {
  fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  const server = await openEmpty(answersWith({ ...chosen, kinds: [fits] }));
  server.answer({ matchSubscription: new Refusal(codes.slowDown, { retry_after: 60 }) });
  await offer().click();
  await expectToast(t("notify.failed"));
  server.answer(answersWith({ ...chosen, kinds: [fits] }));
  await offer().click();
  await expect.element(told()).toBeVisible();
});

test("offers it after 10 s of searching, and shows how many users were told of the search", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  fakePush({ permission: "default" });
  const server = await openSearch({ answers: answersWith() });
  server.socket.say({ type: "told", count: 2 });
  await expect.element(page.getByText(t("search.told", { count: 2 }))).toBeVisible();
  await expect.element(offer()).not.toBeInTheDocument();
  vi.advanceTimersByTime(widenOfferMs);
  await expect.element(offer()).toBeVisible();
  server.socket.say({ type: "told", count: 1 });
  await expect.element(page.getByText(t("search.told", { count: 3 }))).toBeVisible();
  expect(callState()).toBe("searching");
});
