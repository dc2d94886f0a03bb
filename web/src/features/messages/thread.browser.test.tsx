import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { messageLengthMax } from "@fava/wire/limits.ts";
import { formatNumber } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { endComposing } from "#testing/keys.ts";
import { conversationOf, Inbox, type Line, stranger } from "#testing/message-fixtures.ts";
import {
  bubbles,
  chooseAbout,
  connected,
  expectBubbles,
  field,
  log,
  messagesButton,
  openMessages,
  openThread,
  openWith,
  panel,
  row,
  write,
} from "#testing/messages-steps.ts";
import { desktop, phone } from "#testing/open-page.tsx";
import { expectToast } from "#testing/page-steps.ts";
import { relationAnswers } from "#testing/people-fixtures.ts";

const bo = conversationOf("Bo");

test("inserts older messages above without a jump, and offers a new one below instead of scrolling to it", async () => {
  const inbox = new Inbox();
  const lines = Array.from({ length: 36 }, (_, index): Line => {
    const text = `line ${index + 1}`;
    return index % 2 === 0 ? text : ["me", text];
  });
  inbox.add(bo, lines);
  let sendOlder = () => {};
  const older = new Promise<void>((resolve) => {
    sendOlder = resolve;
  });
  const { messageList } = inbox.answers;
  if (typeof messageList !== "function") throw new Error("no answer");
  const server = await openWith(inbox, {
    answers: {
      messageList: async (input) => {
        if (input.cursor !== undefined) await older;
        return messageList(input);
      },
    },
  });
  await openThread("Bo");
  await expect.element(log().getByText("line 36", { exact: true })).toBeInViewport();
  await expect.poll(() => bubbles().length).toBe(30);

  const read = log().getByText("line 9", { exact: true });
  const place = () => read.element().getBoundingClientRect().top;
  log().element().scrollTop = 60;
  const before = place();
  await expect.poll(() => server.asked("messageList").length).toBe(2);
  await expect.element(log().getByText(t("msg.olderLoading"))).toBeVisible();
  expect(Math.abs(place() - before)).toBeLessThanOrEqual(2);
  sendOlder();
  await expect.poll(() => bubbles().length).toBe(36);
  expect(Math.abs(place() - before)).toBeLessThanOrEqual(2);
  expect(log().getByText(t("msg.olderLoading")).query()).toBeNull();

  inbox.receive(server, bo.externalId, "are you still up there?");
  const offered = panel()
    .getByRole("button", { name: t("msg.newBelow") })
    .last();
  await expect.element(log().getByText("are you still up there?")).toBeInTheDocument();
  await expect.element(offered).toBeVisible();
  expect(Math.abs(place() - before)).toBeLessThanOrEqual(2);
  // The new message is below the visible part, so the page has not marked it as read.
  expect(server.asked("messageRead")).toEqual([]);
  await offered.click();
  await expect.element(log().getByText("are you still up there?")).toBeInViewport();
  await expect.poll(() => server.asked("messageRead").length).toBe(1);
});

test("shows the only message of a request and an answer instead of the field; both write once it is accepted", async () => {
  const inbox = new Inbox();
  const asks = conversationOf("Cleo", { ...stranger, state: "request_in", unreadCount: 1 });
  inbox.add(asks, [["met", 240], "shall I send the name of that bakery?"]);
  const server = await openWith(inbox);
  // A request has its own badge text.
  await expect.element(messagesButton()).toHaveAccessibleName(/^Messages · 1 request$/);
  await openMessages();
  await panel()
    .getByRole("button", { name: new RegExp(`^${t("msg.requests")}`) })
    .click();
  await row("Cleo").click();
  await expectBubbles("shall I send the name of that bakery?");
  await expect.element(log().getByText(t("msg.met", { span: "4 min" }))).toBeVisible();
  await expect.element(field()).not.toBeInTheDocument();
  await panel()
    .getByRole("button", { name: t("msg.ask.accept") })
    .click();
  await expectToast(t("msg.ask.accepted"));
  expect(server.asked("conversationAnswer")).toMatchObject([{ externalId: asks.externalId, accept: 1 }]);
  await write("please do");
  await expectBubbles("shall I send the name of that bakery?", "please do");
  inbox.receive(server, asks.externalId, "it is called Levain");
  await expectBubbles("shall I send the name of that bakery?", "please do", "it is called Levain");
});

test("removes a declined request, and says that its sender is not told", async () => {
  const inbox = new Inbox();
  inbox.add(conversationOf("Cleo", { ...stranger, state: "request_in" }), ["hello again"]);
  const server = await openWith(inbox);
  await openMessages();
  const requests = panel().getByRole("button", { name: new RegExp(`^${t("msg.requests")}`) });
  await requests.click();
  await row("Cleo").click();
  await panel()
    .getByRole("button", { name: t("msg.ask.decline") })
    .click();
  await expectToast(t("msg.ask.declined", { name: "Cleo" }));
  await expect.element(log()).not.toBeInTheDocument();
  await expect.element(row("Fava")).toBeVisible();
  await expect.element(row("Cleo")).not.toBeInTheDocument();
  await expect.element(requests).not.toBeInTheDocument();
  expect(server.asked("conversationAnswer")).toMatchObject([{ accept: 0 }]);
});

/** Declines Cleo's request, without a response of the server yet. */
async function declineSlowly(): Promise<() => Promise<void>> {
  const inbox = new Inbox();
  inbox.add(conversationOf("Cleo", { ...stranger, state: "request_in" }), ["hello again"]);
  inbox.add(bo, ["one"]);
  const declined = heldAnswer<{ conversation: null }>();
  const server = await openWith(inbox, { answers: { conversationAnswer: () => declined.answer } });
  await openMessages();
  await panel()
    .getByRole("button", { name: new RegExp(`^${t("msg.requests")}`) })
    .click();
  await row("Cleo").click();
  await panel()
    .getByRole("button", { name: t("msg.ask.decline") })
    .click();
  await expect.poll(() => server.asked("conversationAnswer")).toHaveLength(1);
  return async () => {
    declined.give({ conversation: null });
    await expectToast(t("msg.ask.declined", { name: "Cleo" }));
  };
}

test("keeps the conversation that is open when the response to Decline is late", async () => {
  const giveAnswer = await declineSlowly();
  await panel()
    .getByRole("button", { name: t("common.back") })
    .first()
    .click();
  await openThread("Bo");
  await field().fill("half a line");
  await giveAnswer();
  await expect.element(field()).toHaveValue("half a line");
});

test("does not open the messages again when the response to Decline is late", async () => {
  const giveAnswer = await declineSlowly();
  await panel()
    .getByRole("button", { name: t("msg.close") })
    .first()
    .click();
  await expect.element(panel()).not.toBeInTheDocument();
  await giveAnswer();
  await expect.element(panel()).not.toBeInTheDocument();
});

test("keeps the current draft when a rejected message is edited", async () => {
  const inbox = new Inbox();
  inbox.add(bo, ["hello"]);
  const { messageSend } = inbox.answers;
  const refused = new Refusal(codes.refused, { reason: "abusive_text" });
  const server = await openWith(inbox, { answers: { messageSend: refused } });
  await openThread("Bo");
  await write("the first");
  const edit = log().getByRole("button", { name: t("msg.edit") });
  await expect.element(edit).toBeVisible();
  await field().fill("the second");
  await edit.click();
  await expect.element(field()).toHaveValue("the first\nthe second");
  await expect.element(edit).not.toBeInTheDocument();
  await expect.element(field()).toHaveFocus();
  if (messageSend) server.answer({ messageSend });
  await userEvent.keyboard("{Enter}");
  await expect.element(log().getByText(/^Sent/)).toBeVisible();
});

test("does not send a message without visible characters, and says so", async () => {
  const inbox = new Inbox();
  inbox.add(bo, ["hello"]);
  const server = await openWith(inbox);
  await openThread("Bo");
  await field().fill("\u2800");
  await expect.element(page.getByText(t("refused.invisible_text"))).toBeVisible();
  await userEvent.keyboard("{Enter}");
  expect(server.asked("messageSend")).toEqual([]);
  await expect.element(field()).toHaveValue("\u2800");
});

test("neither sends nor closes on keys that belong to an input method", async () => {
  const inbox = new Inbox();
  inbox.add(bo, ["hello"]);
  await openWith(inbox, { window: phone });
  await openThread("Bo");
  await field().fill("にほん");
  endComposing(field(), "Enter");
  endComposing(field(), "Escape");
  await expect.element(field()).toHaveValue("にほん");
  await expectBubbles("hello");
});

/** Bo and Cleo are friends of Ana, who has typed half a line to Bo. */
async function openWritten(): Promise<Inbox> {
  const inbox = new Inbox();
  inbox.add(bo, ["hello"]);
  inbox.add(conversationOf("Cleo"), ["hi"]);
  await openWith(inbox, { answers: relationAnswers() });
  await openThread("Bo");
  await field().fill("half a line");
  return inbox;
}

test("restores a draft with its conversation, and in no other", async () => {
  await openWritten();
  await openThread("Cleo");
  await expect.element(field()).toHaveValue("");
  await openThread("Bo");
  await expect.element(field()).toHaveValue("half a line");
  await panel()
    .getByRole("button", { name: t("msg.close") })
    .first()
    .click();
  await expect.element(panel()).not.toBeInTheDocument();
  await openThread("Bo");
  await expect.element(field()).toHaveValue("half a line");
});

test("does not restore what was sent", async () => {
  await openWritten();
  await write("a whole line");
  await openThread("Cleo");
  await openThread("Bo");
  await expect.element(field()).toHaveValue("");
});

test("drops a draft on a block, even if that is undone", async () => {
  const inbox = await openWritten();
  inbox.remove(bo.externalId);
  await chooseAbout("Bo", "msg.block");
  await expect.element(log()).not.toBeInTheDocument();
  // The two are friends again before the undo.
  inbox.add(bo, ["hello"]);
  await page.getByText(t("people.undo"), { exact: true }).click();
  await expect.element(row("Bo")).toBeVisible();
  await openThread("Bo");
  await expect.element(field()).toHaveValue("");
});

test("moves a rejected message beside the draft into the field even if both are too long, and sends it once it fits", async () => {
  const inbox = new Inbox();
  inbox.add(bo, ["hello"]);
  const { messageSend } = inbox.answers;
  const refused = new Refusal(codes.refused, { reason: "abusive_text" });
  const server = await openWith(inbox, { answers: { messageSend: refused } });
  await openThread("Bo");
  const [first, second] = ["a".repeat(600), "b".repeat(600)];
  await write(first);
  const edit = log().getByRole("button", { name: t("msg.edit") });
  await expect.element(edit).toBeVisible();
  await field().fill(second);
  await edit.click();
  await expect.element(field()).toHaveValue(`${first}\n${second}`);
  const over = first.length + 1 + second.length - messageLengthMax;
  const lettersLeft = t("msg.lettersLeft", { n: -over, count: formatNumber(-over) });
  await expect.element(panel().getByText(lettersLeft)).toBeVisible();
  if (messageSend) server.answer({ messageSend });
  await userEvent.keyboard("{Enter}");
  await expect.element(field()).toHaveValue(`${first}\n${second}`);
  await write(second);
  await expect.element(log().getByText(/^Sent/)).toBeVisible();
  await expectBubbles("hello", second);
});

test("keeps the text of a rejected message where the user can no longer write, without an edit", async () => {
  const inbox = new Inbox();
  inbox.add(bo, ["hello"]);
  const refused = new Refusal(codes.refused, { reason: "not_friends" });
  await openWith(inbox, { answers: { messageSend: refused } });
  await openThread("Bo");
  inbox.change(bo.externalId, { state: "closed" });
  await field().fill("are we friends still?");
  await userEvent.keyboard("{Enter}");
  await expect.element(panel().getByText(t("msg.closed", { name: "Bo" }))).toBeVisible();
  await expect.element(log().getByRole("button", { name: t("msg.discard") })).toBeVisible();
  await expect.element(log().getByRole("button", { name: t("msg.edit") })).not.toBeInTheDocument();
  await expectBubbles("hello", "are we friends still?");
});

test("lets the user send one message to a user they met, shown as sent until it is accepted", async () => {
  const inbox = new Inbox();
  const met = conversationOf("Cleo", { ...stranger, state: "request_out" });
  inbox.add(met, [["me", "hello again"]]);
  await openWith(inbox);
  await openThread("Cleo");
  await expectBubbles("hello again");
  await expect.element(log().getByText(/^Sent/)).toBeVisible();
  await expect.element(panel().getByText(t("msg.requestOut", { name: "Cleo" }))).toBeVisible();
  await expect.element(field()).not.toBeInTheDocument();
});

test("[CALL-13] closes the chat session of a phone with the page, and loses nothing meanwhile", async () => {
  const inbox = new Inbox();
  inbox.add(bo, ["one"]);
  const server = await openWith(inbox, { window: phone });
  await openThread("Bo");
  await expectBubbles("one");
  const { socket } = server;
  show(false);
  await expect.poll(() => socket.isClosed).toBe(true);
  inbox.add(bo, ["one", "two", "three"]);
  // The tab has released its lock, so that another tab can take it.
  const held = async () => (await navigator.locks.query()).held?.map(({ name }) => name) ?? [];
  await expect.poll(held).not.toContain("fava-page");
  expect(bubbles()).toEqual(["one"]);
  show(true);
  await expectBubbles("one", "two", "three");
  expect(server.socket).not.toBe(socket);
  expect(server.socket.heard("hello")).toHaveLength(1);
  await page.viewport(desktop.width, desktop.height);
  // On a desktop another window may cover this one: the session stays.
  const told = server.asked("active").length;
  show(false);
  await expect.poll(() => server.asked("active").length).toBe(told + 1);
  expect(server.socket.isClosed).toBe(false);
  show(true);
});

/**
 * What the browser reports when another app comes to the front and when this one returns; an automated page always
 * counts as visible.
 */
function show(isShown: boolean): void {
  if (isShown) {
    Reflect.deleteProperty(document, "hidden");
    Reflect.deleteProperty(document, "visibilityState");
  } else {
    Object.defineProperty(document, "hidden", { configurable: true, value: true });
    Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
  }
  document.dispatchEvent(new Event("visibilitychange"));
}

test("reacts to a message of a friend by a menu, takes it back, and shows a friend's reaction to the own message", async () => {
  const inbox = new Inbox();
  inbox.add(bo, ["hello", ["me", "how are you?"]]);
  const server = await openWith(inbox, { answers: { messageReact: {} } });
  await openThread("Bo");
  await connected(server);
  const react = () => log().getByRole("button", { name: t("call.react") });
  expect(react().elements()).toHaveLength(1);
  const choose = async (reaction: "heart" | "wow") => {
    (react().element() as HTMLElement).focus();
    await userEvent.keyboard("{Enter}");
    await page.getByRole("menuitemcheckbox", { name: t(`reaction.${reaction}`) }).click();
  };
  const shown = (name: string, reaction: "heart" | "wow") =>
    log().getByText(t("call.reacted", { name, reaction: t(`reaction.${reaction}`) }));
  await choose("heart");
  await expect.element(shown(t("call.you"), "heart")).toBeInTheDocument();
  await choose("heart");
  await expect.element(shown(t("call.you"), "heart")).not.toBeInTheDocument();
  const asked = server.asked("messageReact");
  expect(asked).toMatchObject([{ externalId: bo.externalId, reaction: "heart" }, { externalId: bo.externalId }]);
  expect(asked[1]).not.toHaveProperty("reaction");
  const messageId = inbox.messagesOf(bo.externalId)[1]!.id;
  server.socket.social({ kind: "reaction", externalId: bo.externalId, messageId, reaction: "wow" });
  await expect.element(shown("Bo", "wow")).toBeInTheDocument();
  server.answer({ messageReact: new Refusal(codes.slowDown) });
  await choose("wow");
  await expectToast(t("people.tooFast"));
  await expect.element(shown(t("call.you"), "wow")).not.toBeInTheDocument();
});
