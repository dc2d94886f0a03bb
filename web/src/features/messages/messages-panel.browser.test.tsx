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

test("keeps the header beside the messages on a desktop, and offers a way back from each step on a phone", async () => {
  await openWith(new Inbox());
  await openThread("Fava");
  // Instead of the text field, the panel shows why the user cannot write.
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

test("marks the official account in list and thread, and says what Fava never asks for", async () => {
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

test("is usable by keyboard alone", async () => {
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

test("counts a new message until it was seen, and shows whether an answer was read", async () => {
  const inbox = new Inbox();
  const bo = conversationOf("Bo");
  inbox.add(bo, ["hello"]);
  const server = await openWith(inbox);
  await expect.element(messagesButton()).toHaveAccessibleName(t("home.messages"));
  await connected(server);
  inbox.receive(server, bo.externalId, "are you there?");
  await expect.element(messagesButton()).toHaveAccessibleName(/1 unread/);
  await expect.poll(() => document.title).toMatch(/^\(1\) /);
  // Neither the list nor another conversation marks the message as read.
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

test("shows a conversation with a former friend without letting the user write", async () => {
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

test("shows progress when the user retries to load more friends", async () => {
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

test("marks a failed message, keeps its text, and sends it once on a retry", async () => {
  const inbox = new Inbox();
  const bo = conversationOf("Bo");
  inbox.add(bo, ["hello"]);
  const { messageSend } = inbox.answers;
  const server = await openWith(inbox, { answers: { messageSend: silence } });
  await openThread("Bo");
  // Without a network the page shows the failure at once, otherwise after its retries.
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

test("reports lists and threads that failed to load, and loads them again on request", async () => {
  const inbox = new Inbox();
  inbox.add(conversationOf("Bo"), ["hello"]);
  const { conversationList, messageList } = inbox.answers;
  const gone = new Refusal(codes.forbidden);
  const server = await openWith(inbox, { answers: { conversationList: gone, messageList: gone } });
  await openMessages();
  // Wait for the socket: its first session loads the list again.
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

test("counts a waiting request too, and names it separately", async () => {
  const inbox = new Inbox();
  inbox.add(conversationOf("Cleo", { ...stranger, state: "request_in" }), ["hello"]);
  await openWith(inbox);
  await expect.element(messagesButton()).toHaveAccessibleName(/1 request$/);
  await expect.element(messagesButton()).toHaveTextContent("1");
  await expect.poll(() => document.title).toMatch(/^\(1\) /);
});

test("opens messages above the list of people or the profile from which they were opened", async () => {
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
