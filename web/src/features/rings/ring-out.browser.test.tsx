import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { ringMs } from "@fava/wire/limits.ts";
import { t } from "#lib/i18n.ts";
import { callState, expectHome, meet } from "#testing/call-page.ts";
import { type Answers, Refusal, silence } from "#testing/fixture-world.ts";
import { ana, otherUserOf, personOf, remoteOf } from "#testing/fixtures.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { conversationOf, Inbox } from "#testing/message-fixtures.ts";
import { openMessages, openThread, panel as messages } from "#testing/messages-steps.ts";
import { openPage, type PageOptions } from "#testing/open-page.tsx";
import { expectToast, startOf } from "#testing/page-steps.ts";
import { nobodyAnswers, peoplePage, relationAnswers } from "#testing/people-fixtures.ts";
import { openPeoplePanel, peopleTab, profileOf, rowOf } from "#testing/people-steps.ts";
import { installRemotePerson } from "#testing/remote-person.ts";

const bo = personOf("Bo", { followStatus: 2, presence: "online" });
const vera = personOf("Vera", { followStatus: 1 });
const ringing = (id: string) => ({ state: "ringing", id, until: Date.now() + ringMs }) as const;
const call = () => ({ name: t("ring.callName", { name: "Bo" }) });
const calling = () => page.getByRole("heading", { name: t("ring.calling", { name: "Bo" }) });
const notTaken = () => page.getByRole("dialog", { name: t("ring.notTaken", { name: "Bo" }) });
const cancel = () => page.getByRole("button", { name: t("common.cancel") }).click();

/** Ana, a friend of Bo's, has pressed Call in her list of friends. */
async function callBo(answers: Answers, options: PageOptions = {}) {
  installRemotePerson();
  const inbox = new Inbox();
  inbox.add(conversationOf("Bo"), ["hello", ["missed", "other"], ["missed", "me"]]);
  const server = await openPage({
    as: ana,
    stored: { neverShowRule: "1" },
    answers: {
      ...nobodyAnswers,
      ...relationAnswers(),
      ...inbox.answers,
      followList: peoplePage([vera, bo]),
      friendList: peoplePage([bo]),
      ringCancel: {},
      matchStop: {},
      userInfo: otherUserOf("Bo", { followStatus: 2 }),
      ...answers,
    },
    ...options,
  });
  const panel = await openPeoplePanel();
  await peopleTab("following").click();
  await expect.element(rowOf(panel, "Bo").getByRole("button", call())).toBeVisible();
  expect(
    rowOf(panel, "Vera")
      .getByRole("button", { name: t("ring.callName", { name: "Vera" }) })
      .query(),
  ).toBeNull();
  await peopleTab("friends").click();
  await rowOf(panel, "Bo").getByRole("button", call()).click();
  return server;
}

test("calls a friend from the list of friends, with an offer, and connects", async () => {
  const server = await callBo({ ring: () => ringing("ring-1") });
  await expect.element(calling()).toBeVisible();
  await expect.poll(() => server.asked("ring")).toMatchObject([{ other_id: bo.user_id, offer: expect.any(String) }]);
  await meet(server);
  expect(server.asked("ringCancel")).toEqual([]);
});

test("calls a friend from their conversation and their profile", async () => {
  const server = await callBo({ ring: { state: "unavailable" } });
  await page.getByRole("button", { name: t("common.ok") }).click();
  await openMessages();
  await openThread("Bo");
  await messages().getByRole("button", call()).click();
  await page.getByRole("button", { name: t("common.ok") }).click();
  const panel = await openPeoplePanel();
  await peopleTab("friends").click();
  await panel.getByRole("button", { name: profileOf("Bo") }).click();
  await page
    .getByRole("dialog", { name: "Bo" })
    .getByRole("button", { name: startOf("ring.call") })
    .click();
  await expect.element(notTaken()).toBeVisible();
  expect(server.asked("ring")).toHaveLength(3);
});

test("shows the same for friends who decline and who cannot be rung, offers a message, and lists missed rings", async () => {
  const server = await callBo({ ring: { state: "unavailable" } });
  await expect.element(notTaken()).toBeVisible();
  await page.getByRole("button", { name: t("people.messageName", { name: "Bo" }) }).click();
  await expect.element(messages().getByRole("log").getByText(t("msg.missed"))).toBeVisible();
  await expect
    .element(
      messages()
        .getByRole("log")
        .getByText(t("msg.notTaken", { name: "Bo" })),
    )
    .toBeVisible();
  server.answer({ ring: ringing("ring-1") });
  await messages().getByRole("button", call()).click();
  await expect.element(calling()).toBeVisible();
  await expect.poll(() => server.asked("ring").length).toBe(2);
  server.socket.social({ kind: "ring_over", id: "ring-1", why: "declined" });
  await expect.element(notTaken()).toBeVisible();
  expect(callState()).toBeNull();
});

test("cancels a ring as soon as the server has given it an id", async () => {
  let name: (answer: ReturnType<typeof ringing>) => void = () => undefined;
  const server = await callBo({ ring: () => new Promise((resolve) => (name = resolve)) });
  await expect.element(calling()).toBeVisible();
  await expect.poll(() => server.asked("ring").length).toBe(1);
  await cancel();
  await expectHome();
  expect(server.asked("ringCancel")).toEqual([]);
  name(ringing("ring-1"));
  await expect.poll(() => server.asked("ringCancel")).toMatchObject([{ id: "ring-1" }]);
});

test("leaves a ring that has become a call when it is cancelled as a call", async () => {
  const server = await callBo({ ring: () => ringing("ring-1") });
  await expect.element(calling()).toBeVisible();
  await expect.poll(() => server.asked("ring").length).toBe(1);
  await cancel();
  await expect.poll(() => server.asked("matchStop").length).toBe(1);
  expect(server.asked("ringCancel")).toHaveLength(1);
});

test("ends a ring when its time is over, with and without a server", async () => {
  const server = await callBo({ ring: () => ({ ...ringing("ring-1"), until: Date.now() + 500 }) });
  await expect.element(notTaken()).toBeVisible();
  await expect.poll(() => server.asked("ringCancel")).toMatchObject([{ id: "ring-1" }]);
  await page.getByRole("button", { name: t("common.ok") }).click();
  const panel = await openPeoplePanel();
  await peopleTab("friends").click();
  server.answer({ ring: () => ({ ...ringing("ring-2"), until: Date.now() + 1_000 }) });
  await rowOf(panel, "Bo").getByRole("button", call()).click();
  await expect.poll(() => server.asked("ring").length).toBe(2);
  server.goAway();
  await expect.element(notTaken()).toBeVisible();
  expect(callState()).toBeNull();
});

test("rings for the usual time from a device whose clock is two minutes ahead", async () => {
  const until = () => Date.now() - 120_000 + ringMs;
  const server = await callBo({ ring: () => ({ ...ringing("ring-1"), until: until() }) }, { serverAheadMs: -120_000 });
  await expect.element(calling()).toBeVisible();
  await expect.poll(() => server.asked("ring").length).toBe(1);
  await meet(server);
  expect(server.asked("ringCancel")).toEqual([]);
});

test("sends an offer when two rings cross and this side is the offerer, because the ring's offer was not sent", async () => {
  const server = await callBo({ ring: () => ({ ...ringing("ring-1"), state: "connected" }) });
  await expect.poll(() => server.asked("ring").length).toBe(1);
  await expect.element(calling()).toBeVisible();
  const { user_id: user_Id, externalId } = bo;
  server.socket.push(matchedPush("both-rang", { remote: remoteOf("Bo"), user_Id, externalId }));
  await expect.poll(() => server.socket.heard("signal").map(({ signal }) => signal.type)).toContain("offer");
});

test("ends an unanswered ring, one too many, and one to a former friend at once, with a message", async () => {
  const server = await callBo({ ring: silence });
  await expectToast(t("error.server"));
  await expectHome();
  const callAgain = async () => {
    const panel = await openPeoplePanel();
    await peopleTab("friends").click();
    await rowOf(panel, "Bo").getByRole("button", call()).click();
  };
  server.answer({ ring: new Refusal(codes.slowDown) });
  await callAgain();
  await expectToast(t("ring.tooOften"));
  await expectHome();
  server.answer({ ring: new Refusal(codes.forbidden, { reason: "not_met" }) });
  await callAgain();
  await expect.element(page.getByRole("alertdialog", { name: t("refused.title") })).toBeVisible();
  expect(callState()).toBeNull();
  expect(notTaken().query()).toBeNull();
});
