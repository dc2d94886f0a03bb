import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Conversation, SocialEvent } from "@fava/wire/messages.ts";
import { t } from "#lib/i18n.ts";
import { expectCallState, expectHome } from "#testing/call-page.ts";
import type { Answers } from "#testing/fixture-world.ts";
import { ana, otherUserOf, personOf } from "#testing/fixtures.ts";
import { conversationOf, Inbox, stranger } from "#testing/message-fixtures.ts";
import {
  chooseAbout,
  expectBubbles,
  field,
  log,
  openMessages,
  openThread,
  openWith,
  panel,
  row,
} from "#testing/messages-steps.ts";
import { expectToast, startOf } from "#testing/page-steps.ts";
import { recentRow, type RecentRow, relationAnswers } from "#testing/people-fixtures.ts";

const bo = personOf("Bo");
const { user_id: userId, externalId, nickname, avatar } = bo;

const meetButton = (key: "people.meet" | "people.asked" | "people.both" | "people.waits") =>
  panel().getByRole("button", { name: startOf(key) });

const ringButton = () => panel().getByRole("button", { name: t("ring.callName", { name: "Bo" }) });

/** The server's event about the wish to meet Bo again. */
function told(state: "both" | "waiting" | "over"): SocialEvent {
  return { kind: "meet", userId, externalId, nickname, avatar, state };
}

/** Opens Ana's conversation with Bo, a friend with whom she had a call an hour ago. */
async function openWithBo(meet: RecentRow["meet"], answers: Answers = {}, change: Partial<Conversation> = {}) {
  const inbox = new Inbox();
  inbox.add(conversationOf("Bo", change), ["hello", ["me", "hi"], "something rude", ["me", "no"]]);
  const server = await openWith(inbox, {
    stored: { neverShowRule: "1" },
    answers: {
      ...relationAnswers(),
      recentList: { rows: [recentRow(bo, Date.now(), { meet })], next: null },
      meetAgain: ({ on }) => ({ meet: on === 1 ? "asked" : "none" }),
      userInfo: otherUserOf("Bo"),
      ...answers,
    },
  });
  await openThread("Bo");
  return { server, inbox };
}

test("offers to meet again after a recent call: secretly, green once both want to, and tells who waits", async () => {
  const { server } = await openWithBo("none");
  expect(server.asked("recentList")).toMatchObject([{ other_id: userId }]);
  await chooseAbout("Bo", "people.meet");
  await expect.poll(() => server.asked("meetAgain")).toMatchObject([{ other_id: userId, on: 1 }]);
  server.socket.social(told("both"));
  await expect.element(meetButton("people.both")).toBeVisible();
  // Start is the better way to a call now.
  await expect.element(ringButton()).not.toBeInTheDocument();
  await expectToast(t("people.bothToast", { name: "Bo" }));
  server.socket.social(told("waiting"));
  await meetButton("people.waits").click();
  await expect.element(page.getByRole("heading", { name: t("search.waitingFor", { name: "Bo" }) })).toBeVisible();
  await expectCallState("searching");
  await expect.poll(() => server.asked("matchStart")[0]).toMatchObject({ with_user_id: userId });
});

test("offers a stranger of a recent call to meet again in place of a ring", async () => {
  const { server } = await openWithBo("none", {}, { ...stranger, likeStatus: 0, state: "request_out" });
  await meetButton("people.meet").click();
  await expect.element(meetButton("people.asked")).toHaveAttribute("aria-pressed", "true");
  await expect.element(ringButton()).not.toBeInTheDocument();
  await panel()
    .getByRole("button", { name: t("msg.menu", { name: "Bo" }) })
    .click();
  await expect.element(page.getByRole("menuitem", { name: t("msg.meetNo") })).not.toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  server.socket.social(told("both"));
  await expect.element(meetButton("people.both")).toBeVisible();
});

test("offers no second meeting to friends without a recent call", async () => {
  const { server } = await openWithBo("none", { recentList: { rows: [], next: null } });
  await expect.poll(() => server.asked("recentList").length).toBe(1);
  await expect.element(panel().getByRole("button", { name: t("msg.menu", { name: "Bo" }) })).toBeVisible();
  await expect.element(ringButton()).toBeVisible();
  await panel()
    .getByRole("button", { name: t("msg.menu", { name: "Bo" }) })
    .click();
  await expect.element(page.getByRole("menuitem", { name: t("msg.profile") })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: t("people.meet") })).not.toBeInTheDocument();
});

test("withdraws a mutual wish, and tells the waiting user when the partner did so", async () => {
  const { server } = await openWithBo("both");
  await expect.element(meetButton("people.both")).toBeVisible();
  await chooseAbout("Bo", "msg.meetNo");
  await expect.element(ringButton()).toBeVisible();
  expect(server.asked("meetAgain")).toMatchObject([{ other_id: userId, on: 0 }]);

  await chooseAbout("Bo", "people.meet");
  await expect.poll(() => server.asked("meetAgain").length).toBe(2);
  server.socket.social(told("both"));
  await meetButton("people.both").click();
  await expect.element(page.getByRole("heading", { name: t("search.waitingFor", { name: "Bo" }) })).toBeVisible();
  server.answer({ recentList: { rows: [recentRow(bo, Date.now(), { meet: "asked" })], next: null } });
  server.socket.social(told("over"));
  await expectToast(t("search.meetOver"));
  await expectHome();
  // A search closes the messages panel, whose animation takes a moment.
  await expect.element(panel()).not.toBeInTheDocument();
  await openThread("Bo");
  await expect.element(ringButton()).toBeVisible();
  // The own wish stays.
  await panel()
    .getByRole("button", { name: t("msg.menu", { name: "Bo" }) })
    .click();
  await expect.element(page.getByRole("menuitem", { name: t("msg.meetNo") })).toBeVisible();
});

test("names the partner's newest message in a report from a conversation", async () => {
  const { server, inbox } = await openWithBo("none", { chatReport: {} });
  await expectBubbles("hello", "hi", "something rude", "no");
  await chooseAbout("Bo", "msg.report");
  const sheet = page.getByRole("dialog", { name: t("report.title") });
  await sheet.getByRole("radio", { name: startOf("reason.report.5") }).click();
  await sheet.getByRole("button", { name: t("report.send") }).click();
  await expectToast(t("report.sent"));
  await expect.element(sheet).not.toBeInTheDocument();
  const message_id = inbox.messagesOf(externalId).find(({ text }) => text === "something rude")?.id;
  expect(server.asked("chatReport")).toMatchObject([{ id: 5, user_id: ana.user_id, other_id: userId, message_id }]);
  await expect.element(row("Bo")).toBeVisible();
});

test("hides a blocked conversation at once, for both, until the block is undone", async () => {
  const { server, inbox } = await openWithBo("none");
  await expect.element(field()).toBeVisible();
  inbox.remove(externalId);
  await chooseAbout("Bo", "msg.block");
  await expectToast(t("people.blockedToast", { name: "Bo" }));
  await expect.element(row("Bo")).not.toBeInTheDocument();
  await expect.element(log()).not.toBeInTheDocument();
  expect(server.asked("block")).toMatchObject([{ other_id: userId }]);
  // After an undo the server lists the conversation again, but the two are no longer friends.
  inbox.add(conversationOf("Bo", { state: "closed", isContact: false, followStatus: 0, presence: null }), ["hello"]);
  await page.getByText(t("people.undo"), { exact: true }).click();
  await expect.element(row("Bo")).toBeVisible();
  await row("Bo").click();
  await expect.element(panel().getByText(t("msg.closed", { name: "Bo" }))).toBeVisible();
  await expect.element(field()).not.toBeInTheDocument();

  // As when the partner has blocked the user: the conversation disappears without a message.
  inbox.remove(externalId);
  server.socket.social({ kind: "hidden", userId, externalId, unread_total: 0 });
  await expect.element(row("Bo")).not.toBeInTheDocument();
  await expect.element(log()).not.toBeInTheDocument();
});

test("follows and likes from the menu, which the profile that it opens shows", async () => {
  const { server } = await openWithBo("none", { userInfo: otherUserOf("Bo", { followStatus: 2, likeStatus: 1 }) });
  await chooseAbout("Bo", "msg.like");
  await expect.poll(() => server.asked("like")).toMatchObject([{ likeUserId: userId, on: 1 }]);
  await chooseAbout("Bo", "msg.profile");
  const profile = page.getByRole("dialog", { name: "Bo" });
  const like = profile.getByRole("button", { name: t("people.likeName", { name: "Bo" }) });
  await expect.element(like).toHaveAttribute("aria-pressed", "true");
  await profile.getByRole("button", { name: startOf("people.friends") }).click();
  await expect.element(profile.getByRole("button", { name: startOf("people.follow") })).toBeVisible();
  // Once the profile is closed, the panel below shows the same follow and like.
  await profile.getByRole("button", { name: t("common.close") }).click();
  await expect.element(profile).not.toBeInTheDocument();
  await openMenuOf("Bo");
  await expect.element(page.getByRole("menuitem", { name: t("msg.follow") })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: t("msg.unlike") })).toBeVisible();
});

async function openMenuOf(name: string): Promise<void> {
  if (panel().query() === null) await openMessages();
  await panel()
    .getByRole("button", { name: t("msg.menu", { name }) })
    .click();
}
