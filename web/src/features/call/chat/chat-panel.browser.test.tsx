import { chatMessageLengthMax } from "@fava/wire/limits.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { signLanguage, spokenLanguages } from "@fava/wire/talk.ts";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { formatSoon } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { readStored } from "#lib/storage.ts";
import { callState, expectCallState, meet, openCall, openSearch } from "#testing/call-page.ts";
import { remoteOf } from "#testing/fixtures.ts";
import { endComposing } from "#testing/keys.ts";
import { phone } from "#testing/open-page.tsx";
import { icebreakersMs } from "./icebreakers.ts";

const field = () => page.getByRole("textbox", { name: t("call.placeholder") });
/** Delivery state of the newest own line. */
const lineState = () =>
  [...document.querySelectorAll('[role="log"] [data-from="me"] p')].at(-1)?.getAttribute("data-state");

async function write(text: string): Promise<void> {
  await field().fill(text);
  await userEvent.keyboard("{Enter}");
}

test("sends a line and clears the field on Enter, and starts a new line on Shift+Enter", async () => {
  const { server, roomId } = await openCall();
  await field().click();
  await userEvent.keyboard("one{Shift>}{Enter}{/Shift}two");
  await expect.element(field()).toHaveValue("one\ntwo");
  expect(server.socket.heard("chat")).toEqual([]);
  await userEvent.keyboard("{Enter}");
  await expect.element(field()).toHaveValue("");
  expect(server.socket.heard("chat")).toMatchObject([{ roomId, text: "one\ntwo" }]);
  await expect.poll(lineState).toBe("sent");
  await userEvent.keyboard("   {Enter}");
  expect(server.socket.heard("chat")).toHaveLength(1);
});

test("makes the chat a stop of the Tab key only once it has a line", async () => {
  const { server, roomId } = await openCall();
  const log = page.getByRole("log", { name: t("call.chat") });
  await expect.element(log).toHaveAttribute("tabindex", "-1");
  server.socket.chat(roomId, "Hello!");
  await expect.element(log).toHaveAttribute("tabindex", "0");
});

test("does not send a line without visible characters, and says so", async () => {
  const { server } = await openCall();
  await write("\u3164\u200b");
  await expect.element(page.getByText(t("refused.invisible_text"))).toBeVisible();
  expect(server.socket.heard("chat")).toEqual([]);
  await write("\u3164hello");
  await expect.poll(lineState).toBe("sent");
  await expect.element(page.getByText(t("refused.invisible_text"))).not.toBeInTheDocument();
});

test("keeps a line of stacked accents in its bubble", async () => {
  const { server, roomId } = await openCall();
  server.socket.chat(roomId, `a${"\u0301".repeat(300)}`);
  const line = page.getByRole("log").getByRole("paragraph").last();
  await expect.element(line).toHaveStyle({ overflowY: "clip" });
});

test("sends no line on the Enter that accepts a suggestion of an input method", async () => {
  const { server } = await openCall();
  await field().fill("にほん");
  endComposing(field(), "Enter");
  await expect.element(field()).toHaveValue("にほん");
  expect(server.socket.heard("chat")).toEqual([]);
});

test("limits a line to the maximum length, and shows when few letters are left", async () => {
  await openCall();
  await field().fill("a".repeat(chatMessageLengthMax - 2));
  await expect.element(page.getByText(t("call.lettersLeft", { n: 2, count: "2" }))).toBeVisible();
  await userEvent.keyboard("bcd");
  await expect.element(field()).toHaveValue(`${"a".repeat(chatMessageLengthMax - 2)}bc`);
});

test("tells the writer what was hidden or covered in a line", async () => {
  const { server } = await openCall();
  for (const [finding, told] of [
    ["phone", "covered.onlyDetails"],
    ["abuse", "covered.own"],
  ] as const) {
    server.socket.answerLine = ({ roomId, clientId }) => ({
      type: "chat-stored",
      roomId,
      clientId,
      findings: [finding],
    });
    await write(`a line with ${finding}`);
    await expect.element(page.getByText(t(told))).toBeVisible();
    expect(lineState()).toBe("sent");
  }
});

test("rejects an abusive line, and one of a muted user, with its reason, without a retry", async () => {
  const { server } = await openCall();
  const until = Date.UTC(2026, 10, 21, 15);
  for (const [reason, told, about] of [
    ["abusive", t("call.line.abusive"), {}],
    ["muted", t("call.line.mutedUntil", { time: formatSoon(until) }), { until }],
  ] as const) {
    server.socket.answerLine = ({ clientId }) => ({ type: "error", code: 406, reason, clientId, ...about });
    await write(`a line of the ${reason}`);
    await expect.element(page.getByText(told)).toBeVisible();
    expect(lineState()).toBe("refused");
  }
  await expect.element(page.getByRole("button", { name: t("common.retry") })).not.toBeInTheDocument();
});

test("lets a muted user ask a moderator to look, once for all lines, and says by when", async () => {
  const { server } = await openCall();
  const until = Date.now() + 3_600_000;
  server.socket.answerLine = ({ clientId }) => ({ type: "error", code: 406, reason: "muted", clientId, until });
  await write("one");
  await write("two");
  const press = page.getByRole("button", { name: t("asked.mutePress") });
  await expect.element(press.nth(1)).toBeVisible();
  const due_at = Date.now() + 1_800_000;
  server.answer({ muteAsk: { due_at } });
  await press.first().click();
  await expect.element(page.getByText(t("asked.mutePromised", { time: formatSoon(due_at) })).first()).toBeVisible();
  await expect.element(press).not.toBeInTheDocument();
  await expect.element(page.getByRole("log", { name: t("call.chat") })).toHaveFocus();
  expect(server.asked("muteAsk")).toHaveLength(1);
});

test("marks a line that was not delivered, and sends it again on a press", async () => {
  const { server } = await openCall();
  const stored = server.socket.answerLine;
  server.socket.answerLine = ({ clientId }) => ({ type: "error", code: 400, reason: "refused", clientId });
  await write("not at first");
  await expect.element(page.getByText(t("call.line.failed"))).toBeVisible();
  server.socket.answerLine = stored;
  await page.getByRole("button", { name: t("common.retry") }).click();
  await expect.poll(lineState).toBe("sent");
  await expect.element(page.getByRole("log", { name: t("call.chat") })).toHaveFocus();
  const [first, again] = server.socket.heard("chat");
  expect(again).toEqual(first);
});

/** The offered questions, in the order of the screen. */
const questions = () => page.getByRole("group", { name: t("call.askTitle") });
const question = (at: number) => questions().getByRole("button").nth(at);
const nameOf = async (button: ReturnType<typeof question>) => {
  await expect.element(button).toBeVisible();
  return button.element().textContent;
};

test("offers three questions in an empty chat; a press puts one into the field and sends nothing", async () => {
  const { server } = await openCall();
  const [second, third] = [await nameOf(question(1)), await nameOf(question(2))];
  await question(1).click();
  await expect.element(field()).toHaveValue(second);
  await expect.element(field()).toHaveFocus();
  await question(2).click();
  await expect.element(field()).toHaveValue(third);
  expect(server.socket.heard("chat")).toEqual([]);
  // A picked question must not replace text that the user wrote.
  await userEvent.keyboard(" And you?");
  await expect.element(questions()).not.toBeInTheDocument();
  await userEvent.keyboard("{Enter}");
  await expect.poll(lineState).toBe("sent");
  await expect.element(questions()).not.toBeInTheDocument();
});

test("hides the questions after half a minute", async () => {
  const server = await openSearch();
  const set = window.setTimeout.bind(window);
  const late: (() => void)[] = [];
  const timeout = (run: () => void, delayMs = 0) =>
    delayMs > icebreakersMs - 5_000 && delayMs <= icebreakersMs ? late.push(run) : set(run, delayMs);
  vi.spyOn(window, "setTimeout").mockImplementation(timeout as never);
  await meet(server);
  await expect.element(questions()).toBeVisible();
  for (const run of late) run();
  await expect.element(questions()).not.toBeInTheDocument();
  expect(callState()).toBe("in-call");
});

test("keeps the video of a phone free of questions until the user asks for them", async () => {
  await openCall({ window: phone }, { remote: { shared: { languages: [], interests: [7] } } });
  await expect.element(field()).toBeVisible();
  expect(questions().elements()).toEqual([]);
  await page.getByRole("button", { name: t("call.reactAsk") }).click();
  const name = await nameOf(question(0));
  expect(name).toBe(t("ask.cycling"));
  await question(0).click();
  await expect.element(field()).toHaveValue(name);
  expect(questions().elements()).toEqual([]);
});

test("asks about shared interests first", async () => {
  await openCall({}, { remote: { shared: { languages: [], interests: [7] } } });
  await expect.element(questions()).toBeVisible();
  expect(await nameOf(question(0))).toBe(t("ask.cycling"));
});

test("shows new questions on a press or by I after the chat has begun, and closes them first on Escape", async () => {
  const { server, roomId } = await openCall();
  const before = await nameOf(question(0));
  server.socket.chat(roomId, "hello");
  await expect.element(questions()).not.toBeInTheDocument();
  await field().fill("I wonder:");
  await userEvent.keyboard("{Escape}i");
  await expect.element(question(0)).toHaveFocus();
  expect(await nameOf(question(0))).not.toBe(before);
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowUp}");
  await expect.element(question(1)).toHaveFocus();
  // The arrow that means Next outside of the questions does not mean it here.
  await userEvent.keyboard("{ArrowRight}");
  expect(callState()).toBe("in-call");
  const second = await nameOf(question(1));
  await userEvent.keyboard("{Enter}");
  await expect.element(field()).toHaveValue(`I wonder: ${second}`);
  await expect.element(questions()).not.toBeInTheDocument();
  expect(server.socket.heard("chat")).toEqual([]);

  await page.getByRole("button", { name: t("call.askOpen") }).click();
  await expect.element(question(0)).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(questions()).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: t("call.askOpen") })).toHaveFocus();
  expect(callState()).toBe("in-call");
});

test("turns the questions off for this call and later ones on one press, and on again", async () => {
  const first = await openCall();
  await questions()
    .getByRole("button", { name: t("call.askOff") })
    .click();
  await expect.element(questions()).not.toBeInTheDocument();
  expect(localStorage.getItem("noQuestions")).toBe("1");
  first.server.socket.push({ code: pushCodes.otherLeft, roomId: first.roomId, reason: "left" });
  await expectCallState("searching");
  await meet(first.server);
  await expect.element(field()).toBeVisible();
  expect(questions().elements()).toEqual([]);
  await page.getByRole("button", { name: t("call.askOpen") }).click();
  await questions()
    .getByRole("button", { name: t("call.askOn") })
    .click();
  expect(localStorage.getItem("noQuestions")).toBe("0");
  await expect.element(questions()).toBeVisible();
});

test("tells the partner that the user types, at most every three seconds, until a line arrives", async () => {
  const { server, roomId } = await openCall();
  const words = page.getByText(t("msg.isTyping", { name: isolate("Bo") }));
  const other = remoteOf("Bo").external_id;
  await field().fill("one");
  await field().fill("one two");
  expect(server.socket.heard("typing")).toEqual([{ type: "typing", externalId: other }]);
  server.socket.say({ type: "typing", externalId: "another-user" });
  server.socket.say({ type: "typing", externalId: other });
  await expect.element(words).toBeVisible();
  server.socket.chat(roomId, "here I am");
  await expect.element(page.getByText("here I am")).toBeVisible();
  await expect.element(words).not.toBeInTheDocument();
});

test("shows what the two users have in common until one of them writes", async () => {
  const { server, roomId } = await openCall({}, { remote: { shared: { languages: [12], interests: [7] } } });
  const shared = page.getByText("You both speak Portuguese and like cycling");
  await expect.element(shared).toBeVisible();
  server.socket.chat(roomId, "hello");
  await expect.element(shared).not.toBeInTheDocument();
});

test("offers to sign when both chose a sign language, and stores the choice on this device", async () => {
  const shared = { languages: [spokenLanguages.indexOf(signLanguage)], interests: [] };
  const { server, roomId } = await openCall({}, { remote: { shared } });
  const signs = page.getByRole("switch", { name: t("options.signs") });
  await expect.element(signs).not.toBeChecked();
  await signs.click();
  await expect.element(signs).toBeChecked();
  expect(readStored("mediaOptions")).toMatchObject({ signs: true });
  server.socket.chat(roomId, "hello");
  await expect.element(signs).not.toBeInTheDocument();
});

test("does not offer to sign when the shared language is a spoken one", async () => {
  await openCall({}, { remote: { shared: { languages: [12], interests: [7] } } });
  await expect.element(page.getByText("You both speak Portuguese and like cycling")).toBeVisible();
  expect(page.getByRole("switch").query()).toBeNull();
});

test("shows no such sentence when they have nothing in common", async () => {
  await openCall();
  await expect.element(field()).toBeVisible();
  expect(page.getByText(/You both/).query()).toBeNull();
});
