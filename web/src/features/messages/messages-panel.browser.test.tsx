import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { t } from "#lib/i18n.ts";
import { Refusal, silence } from "#testing/fixture-world.ts";
import { otherUserOf, personOf } from "#testing/fixtures.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { conversationOf, Inbox, stranger } from "#testing/message-fixtures.ts";
import {
  connected,
  expectBubbles,
  field,
  goOffline,
  log,
  messagesButton,
  openMessages,
  openThread,
  openWith,
  panel,
  row,
  write,
} from "#testing/messages-steps.ts";
import { phone } from "#testing/open-page.tsx";
import { nobodyAnswers, peoplePage } from "#testing/people-fixtures.ts";
import { openPeoplePanel, peopleTab, profileOf, rowOf } from "#testing/people-steps.ts";

test("on a desk the header stays beside the messages; on a phone each step has its way back", async () => {
  await openWith(new Inbox());
  await openThread("Fava");
  // The reason stands in place of the field.
  await expect.element(panel().getByText(t("msg.official"))).toBeVisible();
  await expect.element(field()).not.toBeInTheDocument();
  await expect.element(page.getByRole("banner")).toBeVisible();
  expect(page.getByRole("banner").element()).not.toHaveAttribute("inert");
  await messagesButton().click();
  await expect.element(panel().getByText(t("msg.empty.title")).last()).toBeVisible();

  await page.viewport(phone.width, phone.height);
  await row("Fava").click();
  await expect.element(row("Fava")).not.toBeInTheDocument();
  expect(document.querySelector("header")).toHaveAttribute("inert", "");
  await panel()
    .getByRole("button", { name: t("msg.back") })
    .click();
  await expect.element(row("Fava")).toBeVisible();
  await panel()
    .getByRole("button", { name: t("common.back") })
    .click();
  await expect.element(panel()).not.toBeInTheDocument();
  await expect.element(messagesButton()).toHaveFocus();
});

test("the official account bears its mark in list and thread, and says what Fava never asks for", async () => {
  const inbox = new Inbox();
  inbox.add(conversationOf("Bo"), ["hello"]);
  await openWith(inbox);
  await openThread("Fava");
  const marks = () => panel().getByText(t("other.official"), { exact: true });
  await expect.poll(() => marks().elements().length).toBe(2);
  await expect.element(row("Fava")).toHaveAccessibleName(new RegExp(t("other.official"), "u"));
  await expect.element(panel().getByText(t("other.officialNever"))).toBeVisible();
  await openThread("Bo");
  await expect.element(panel().getByText(t("other.officialNever"))).not.toBeInTheDocument();
  expect(marks().elements()).toHaveLength(1);
});

test("the messages are used with keys alone", async () => {
  const inbox = new Inbox();
  inbox.add(conversationOf("Bo"), [["me", "to bo"]], 3);
  inbox.add(conversationOf("Cleo"), [["me", "to cleo"]], 2);
  await openWith(inbox);
  await openThread("Cleo");
  await expect.element(field()).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(row("Cleo")).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(row("Bo")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expectBubbles("to bo");
  await expect.element(field()).toHaveFocus();
  await userEvent.keyboard("first{Shift>}{Enter}{/Shift}second{Enter}");
  await expectBubbles("to bo", "first\nsecond");
  await userEvent.keyboard("{Escape}");
  await expect.element(row("Bo")).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(log()).not.toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.element(panel()).not.toBeInTheDocument();
  await expect.element(messagesButton()).toHaveFocus();
});

test("what arrives is counted until it is looked at, and the answer says whether it was read", async () => {
  const inbox = new Inbox();
  const bo = conversationOf("Bo");
  inbox.add(bo, ["hello"]);
  const server = await openWith(inbox);
  await expect.element(messagesButton()).toHaveAccessibleName(t("home.messages"));
  await connected(server);
  inbox.receive(server, bo.externalId, "are you there?");
  await expect.element(messagesButton()).toHaveAccessibleName(/1 unread/);
  await expect.poll(() => document.title).toMatch(/^\(1\) /);
  // Neither the list nor another conversation is a look at it.
  await openThread("Fava");
  await expect.element(panel().getByText(t("msg.official"))).toBeVisible();
  await expect.element(row("Bo")).toHaveAccessibleName(/1 unread/);
  expect(server.asked("messageRead")).toEqual([]);
  await openThread("Bo");
  await expectBubbles("hello", "are you there?");
  await expect.poll(() => server.asked("messageRead").length).toBe(1);
  await expect.poll(() => document.title).toMatch(/^[^(]/);

  server.socket.say({ type: "typing", externalId: bo.externalId });
  await expect.element(log().getByRole("img", { name: t("msg.isTyping", { name: "Bo" }) })).toBeVisible();
  await write("yes");
  await expect.element(log().getByText(/^Sent/)).toBeVisible();
  inbox.readByOther(server, bo.externalId);
  await expect.element(log().getByText(t("msg.read"))).toBeVisible();
  expect(server.socket.heard("typing").map(({ externalId }) => externalId)).toContain(bo.externalId);
});

test("who is no friend any more, and was not met, can be read and not written to", async () => {
  const inbox = new Inbox();
  const no = { isContact: false, followStatus: 0, presence: null, state: "closed" } as const;
  inbox.add(conversationOf("Bo", no), ["hello"]);
  inbox.add(conversationOf("Cleo", no));
  await openWith(inbox, {
    answers: { friendList: peoplePage([personOf("Cleo", { followStatus: 2 })]) },
  });
  await openThread("Bo");
  await expect.element(panel().getByText(t("msg.closed", { name: "Bo" }))).toBeVisible();
  await expect.element(field()).not.toBeInTheDocument();
  await panel()
    .getByRole("button", { name: t("msg.new") })
    .first()
    .click();
  await panel().getByRole("button", { name: /^Cleo/ }).click();
  await expect.element(panel().getByText(t("msg.closedNew", { name: "Cleo" }))).toBeVisible();
  await expect.element(field()).not.toBeInTheDocument();
});

test("who asks again for more friends to write to sees that something goes on", async () => {
  const bo = personOf("Bo", { followStatus: 2 });
  const server = await openWith(new Inbox(), { answers: { friendList: peoplePage([bo], { next: "more" }) } });
  await openMessages();
  await panel()
    .getByRole("button", { name: t("msg.new") })
    .first()
    .click();
  const failed = panel().getByText(t("msg.pick.failed"));
  server.answer({ friendList: new Refusal(codes.serverError) });
  await panel()
    .getByRole("button", { name: t("msg.more") })
    .click();
  await expect.element(failed).toBeVisible();
  const cleo = heldAnswer<ReturnType<typeof peoplePage>>();
  server.answer({ friendList: () => cleo.answer });
  await panel()
    .getByRole("button", { name: t("common.retry") })
    .click();
  await expect.element(failed).not.toBeInTheDocument();
  cleo.give(peoplePage([personOf("Cleo", { followStatus: 2 })]));
  await expect.element(panel().getByRole("button", { name: /^Cleo/ })).toBeVisible();
  await expect.element(panel().getByRole("button", { name: /^Bo/ })).toBeVisible();
});

test("a message that is not sent says so, keeps its text, and goes out once when it is tried again", async () => {
  const inbox = new Inbox();
  const bo = conversationOf("Bo");
  inbox.add(bo, ["hello"]);
  const { messageSend } = inbox.answers;
  const server = await openWith(inbox, { answers: { messageSend: silence } });
  await openThread("Bo");
  // Without a network the person is told at once; with one, after the tries that may still help.
  const comeBack = goOffline();
  await write("through the tunnel");
  const failed = log().getByText(t("msg.notSent"));
  await expect.element(failed).toBeVisible();
  await expectBubbles("hello", "through the tunnel");
  comeBack();
  if (messageSend) server.answer({ messageSend });
  await log()
    .getByRole("button", { name: t("common.retry") })
    .click();
  await expect.element(log().getByText(/^Sent/)).toBeVisible();
  await expectBubbles("hello", "through the tunnel");
  const ids = server.asked("messageSend").map(({ client_id: clientId }) => clientId);
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(1);
  expect(inbox.messagesOf(bo.externalId).map(({ text }) => text)).toEqual(["hello", "through the tunnel"]);
});

test("lists and threads that do not come say so and can be asked for again", async () => {
  const inbox = new Inbox();
  inbox.add(conversationOf("Bo"), ["hello"]);
  const { conversationList, messageList } = inbox.answers;
  const gone = new Refusal(codes.forbidden);
  const server = await openWith(inbox, { answers: { conversationList: gone, messageList: gone } });
  await openMessages();
  // The session of the socket has the list fetched anew.
  await connected(server);
  await expect.element(panel().getByText(t("msg.listFailed"))).toBeVisible();
  if (conversationList) server.answer({ conversationList });
  await panel()
    .getByRole("button", { name: t("common.retry") })
    .click();
  await row("Bo").click();
  await expect.element(panel().getByText(t("msg.loadFailed"))).toBeVisible();
  if (messageList) server.answer({ messageList });
  await panel()
    .getByRole("button", { name: t("common.retry") })
    .click();
  await expectBubbles("hello");
});

test("a request that waits is counted too, and named apart", async () => {
  const inbox = new Inbox();
  inbox.add(conversationOf("Cleo", { ...stranger, state: "request_in" }), ["hello"]);
  await openWith(inbox);
  await expect.element(messagesButton()).toHaveAccessibleName(/1 request$/);
  await expect.element(messagesButton()).toHaveTextContent("1");
  await expect.poll(() => document.title).toMatch(/^\(1\) /);
});

test("messages that are opened from the people or a profile stand before those", async () => {
  const inbox = new Inbox();
  const bo = conversationOf("Bo");
  inbox.add(bo, ["hello"]);
  const friend = personOf("Bo", { followStatus: 2 });
  await openWith(inbox, {
    answers: { ...nobodyAnswers, friendList: peoplePage([friend]), userInfo: otherUserOf("Bo", { followStatus: 2 }) },
  });
  const people = await openPeoplePanel();
  await peopleTab("friends").click();
  await rowOf(people, "Bo")
    .getByRole("button", { name: profileOf("Bo") })
    .click();
  await page
    .getByRole("dialog", { name: "Bo" })
    .getByRole("button", { name: t("other.message") })
    .click();
  await expect.element(people).not.toBeInTheDocument();
  await expectBubbles("hello");
  expect(page.getByRole("dialog").elements()).toEqual([]);
  await field().click();
  await expect.element(field()).toHaveFocus();
});
