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

/** A server that tells this browser so far what is named. */
function answersWith(choice: NotificationChoice | null = null): Answers {
  return {
    pushInfo: { key: pushKey, choice },
    pushAdd: ({ kinds, names, quiet, offset_min }) => ({ kinds, names, quiet, offset_min }),
    matchTell: ({ on }) => ({ until: on === 1 ? untilMs : null }),
  };
}

/** Ana's page before the word that nobody is there. */
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

test("where nobody is there, a press asks our own question, then the browser's, and then to be told", async () => {
  const fake = fakePush({ permission: "default" });
  const server = await openEmpty();
  await offer().click();
  await expect.element(question().getByText(t("notify.tellLead", quietTimes()))).toBeVisible();
  expect([fake.asked(), server.asked("matchTell")]).toEqual([0, []]);
  await inQuestion("notify.turnOn").click();
  await expect.element(told()).toBeVisible();
  expect(fake.asked()).toBe(1);
  expect(server.asked("pushAdd")).toMatchObject([{ kinds: [fits], names: 0, quiet: 1 }]);
  expect(server.asked("matchTell")).toMatchObject([{ sex: 2, country: -1, on: 1 }]);
  await page.getByRole("button", { name: t("notify.tellStop") }).click();
  await expect.element(offer()).toBeVisible();
  expect(server.asked("matchTell").at(-1)).toMatchObject({ on: 0 });
});

test("what was asked for before the page was loaded stands there and can be taken back, also where this browser tells nothing", async () => {
  fakePush({ permission: "denied" });
  const server = await openEmpty({
    ...answersWith(),
    matchTellInfo: { wish: { sex: 2, country: -1, until: untilMs } },
  });
  await expect.element(told()).toBeVisible();
  await expect.element(offer()).not.toBeInTheDocument();
  await page.getByRole("button", { name: t("notify.tellStop") }).click();
  await expect.element(told()).not.toBeInTheDocument();
  expect(server.asked("matchTell")).toMatchObject([{ sex: 2, country: -1, on: 0 }]);
});

test("what was told meanwhile stands no more, and what was asked for with other filters is offered for these", async () => {
  fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  const answers = answersWith({ ...chosen, kinds: [fits] });
  const server = await openEmpty({ ...answers, matchTellInfo: { wish: { sex: 2, country: 0, until: untilMs } } });
  await expect.element(offer()).toBeVisible();
  await offer().click();
  await expect.element(told()).toBeVisible();
  closeOverlay("no-profiles");
  await expect.element(empty()).not.toBeInTheDocument();
  server.answer({ matchTellInfo: { wish: null } });
  void openOverlay("no-profiles");
  await expect.element(offer()).toBeVisible();
});

test("a browser that tells of messages keeps doing so as it did; one that tells of people who come asks nothing", async () => {
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

test("after 'not now' it is not offered for 30 days, and friends' messages are another matter", async () => {
  fakePush({ permission: "default" });
  const server = await openEmpty();
  await offer().click();
  await inQuestion("notify.later").click();
  await expect.element(question()).not.toBeInTheDocument();
  await expect.element(offer()).not.toBeInTheDocument();
  expect([server.asked("matchTell"), readStored("notifyDeclined")]).toEqual([[], null]);
  expect(readStored("tellDeclined")).not.toBeNull();
});

test("a minute after it was declined it is not offered, and 30 days after it is", async () => {
  fakePush({ permission: "default" });
  await openEmpty(answersWith(), { tellDeclined: String(Date.now() - 60_000) });
  await expect.element(offer()).not.toBeInTheDocument();
  closeOverlay("no-profiles");
  await expect.element(empty()).not.toBeInTheDocument();
  writeStored("tellDeclined", Date.now() - pushAskAgainMs);
  void openOverlay("no-profiles");
  await expect.element(offer()).toBeVisible();
});

test("it is not offered where the browser was told no, and the server is not asked", async () => {
  fakePush({ permission: "denied" });
  const server = await openEmpty();
  await expect.element(offer()).not.toBeInTheDocument();
  expect(server.asked("pushInfo")).toEqual([]);
});

test("what the server does not take is said, and can be pressed again", async () => {
  fakePush({ permission: "granted", subscribedWith: pushKeyBytes });
  const server = await openEmpty(answersWith({ ...chosen, kinds: [fits] }));
  server.answer({ matchTell: new Refusal(codes.slowDown, { retry_after: 60 }) });
  await offer().click();
  await expectToast(t("notify.failed"));
  server.answer(answersWith({ ...chosen, kinds: [fits] }));
  await offer().click();
  await expect.element(told()).toBeVisible();
});

test("whoever searches is offered it after 10 s, and reads how many were told that they wait", async () => {
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
