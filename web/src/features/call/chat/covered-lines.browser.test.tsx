import { undoMs } from "@fava/wire/limits.ts";
import { coverMask } from "@fava/wire/messages.ts";
import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { callState, expectHome, openCall } from "#testing/call-page.ts";
import { type Answers, silence } from "#testing/fixture-world.ts";
import { ana, remoteOf } from "#testing/fixtures.ts";
import { phone } from "#testing/open-page.tsx";

const answers: Answers = { feedback: {}, block: {}, textDispute: {} };
const insult = "you are a waste of air";
const log = () => page.getByRole("log", { name: t("call.chat") });
const press = (key: Parameters<typeof t>[0]): Locator => log().getByRole("button", { name: t(key), exact: true });
const bo = remoteOf("Bo").user_id;

const openCoveredCall = () => openCall({ answers }, { push: { id: "the-call" } });

async function write(text: string): Promise<void> {
  await page.getByRole("textbox", { name: t("call.placeholder") }).fill(text);
  await userEvent.keyboard("{Enter}");
}

test("shows a sign in place of removed letters, with words for screen readers", async () => {
  const { server, roomId } = await openCoveredCall();
  const text = `my number is ${coverMask}, call me`;
  server.socket.chat(roomId, text, { hidden: [{ start: 13, end: 16, finding: "phone" }] });
  const line = log().getByRole("paragraph");
  await expect.element(line).toHaveTextContent(/^my number is .+, call me$/);
  expect(line.element().textContent).not.toContain(coverMask);
  await expect.element(line.getByTitle(t("covered.hiddenBy"))).toBeVisible();
  const [word] = [...line.element().querySelectorAll("[aria-hidden]")].filter((one) => one.textContent !== "");
  expect(word?.textContent).toBe(t("covered.hidden"));
  await expect.element(line.getByText(t("covered.hiddenBy"), { exact: true })).toBeInTheDocument();
});

test("keeps a hurtful line covered until Show is pressed, and covers it again", async () => {
  const { server, roomId } = await openCoveredCall();
  server.socket.coveredChat(roomId, insult);
  await expect.element(log().getByText(t("covered.hurts"), { exact: true })).toBeVisible();
  expect(log().element().textContent).not.toContain(insult);
  expect(log().element().textContent).not.toContain(coverMask);
  // What a screen reader announces when the line arrives.
  await expect.element(log().getByText(t("covered.spoken"), { exact: true })).toBeInTheDocument();
  await press("covered.show").click();
  await expect.element(log().getByText(insult)).toBeVisible();
  await expect.element(press("covered.hide")).toHaveFocus();
  await press("covered.hide").click();
  expect(log().element().textContent).not.toContain(insult);
});

test("reports a covered line by one press, which leaves it covered", async () => {
  const { server, roomId } = await openCoveredCall();
  const lineId = server.socket.coveredChat(roomId, insult);
  await press("covered.show").click();
  await press("covered.reportLine").click();
  await expect.element(press("covered.reported")).toHaveFocus();
  expect(log().element().textContent).not.toContain(insult);
  const told = { user_id: ana.user_id, other_id: bo, call_id: "the-call", line_id: lineId };
  expect(server.asked("feedback")).toMatchObject([{ ...told, id: 5 }]);
  await press("covered.reported").click({ force: true });
  expect(server.asked("feedback")).toHaveLength(1);
  const asking = server.socket.coveredChat(roomId, "show me more", "solicitation");
  await log()
    .getByRole("button", { name: t("covered.reportLine") })
    .click();
  await expect.poll(() => server.asked("feedback").at(-1)).toMatchObject({ ...told, line_id: asking, id: 4 });
});

test("offers the report again when the server did not store it", async () => {
  const { server, roomId } = await openCall({ answers: { ...answers, feedback: silence } });
  server.socket.coveredChat(roomId, insult);
  await press("covered.reportLine").click();
  await expect.poll(() => server.asked("feedback")).toHaveLength(1);
  await expect.element(press("covered.reportLine")).toBeVisible();
  server.answer({ feedback: {} });
  await press("covered.reportLine").click();
  await expect.element(press("covered.reported")).toBeVisible();
});

test("offers no Show for a threat, but help, and an exit that blocks and reports that line", async () => {
  const { server, roomId } = await openCoveredCall();
  const lineId = server.socket.coveredChat(roomId, "pay or I post your video", "threat");
  await expect.element(log().getByText(t("covered.threatHelp"))).toBeVisible();
  // Screen readers read the same words.
  expect(log().getByText(t("covered.threat")).element().closest("[aria-hidden]")).toBeNull();
  await expect.element(press("covered.show")).not.toBeInTheDocument();
  await press("covered.leave").click();
  await expect.element(page.getByRole("heading", { name: t("panic.title") })).toHaveFocus();
  expect(callState()).toBeNull();
  // Leaving the page sends both at once.
  await page.getByRole("button", { name: t("panic.home") }).click();
  await expect.poll(() => server.asked("block"), { timeout: undoMs }).toHaveLength(1);
  expect(server.asked("feedback")).toMatchObject([{ id: 5, call_id: "the-call", line_id: lineId }]);
});

test("folds covered lines from the third on into one, with End and Report", async () => {
  const { server, roomId } = await openCoveredCall();
  server.socket.coveredChat(roomId, "one");
  server.socket.coveredChat(roomId, "two");
  await expect
    .poll(() =>
      log()
        .getByRole("button", { name: t("covered.show") })
        .elements(),
    )
    .toHaveLength(2);
  const newest = server.socket.coveredChat(roomId, "three", "hate");
  const says = t("covered.lines", { n: 3, count: "3" });
  await expect.element(log().getByText(says).first()).toBeVisible();
  await expect.element(press("covered.show")).not.toBeInTheDocument();
  await press("covered.reportLine").click();
  await expect.element(press("covered.reported")).toBeVisible();
  expect(server.asked("feedback")).toMatchObject([{ id: 5, line_id: newest }]);
  await press("call.end").click();
  await expectHome();
});

test("moves the focus to the log when a focused covered line is folded", async () => {
  const { server, roomId } = await openCoveredCall();
  server.socket.coveredChat(roomId, "one");
  await expect.element(press("covered.show")).toBeVisible();
  (press("covered.show").element() as HTMLElement).focus();
  server.socket.coveredChat(roomId, "two");
  server.socket.coveredChat(roomId, "three");
  await expect.element(press("call.end")).toBeVisible();
  await expect.element(log()).toHaveFocus();
});

test("opens the menu of a line right below its button", async () => {
  const { server, roomId } = await openCoveredCall();
  server.socket.chat(roomId, "hello");
  const button = log().getByRole("button", { name: t("covered.menu") });
  await button.click();
  const box = (of: Locator) => of.element().getBoundingClientRect();
  await expect.poll(() => box(page.getByRole("menu")).top - box(button).bottom).toBeCloseTo(8, 0);
  expect(box(page.getByRole("menu")).right).toBeCloseTo(box(button).right, 0);
});

test("shows help for folded lines with a threat among them", async () => {
  const { server, roomId } = await openCoveredCall();
  server.socket.coveredChat(roomId, "pay me", "threat");
  server.socket.coveredChat(roomId, "two");
  server.socket.coveredChat(roomId, "three");
  await expect
    .element(
      log()
        .getByText(t("covered.lines", { n: 3, count: "3" }))
        .first(),
    )
    .toBeVisible();
  await expect.element(log().getByText(t("covered.threatHelp"))).toBeVisible();
  await expect.element(press("covered.leave")).toBeVisible();
  await expect.element(press("call.end")).not.toBeInTheDocument();
});

test("lets the writer see what was hidden in a line and object to that", async () => {
  const { server, roomId } = await openCoveredCall();
  server.socket.answerLine = ({ clientId }) => ({
    type: "chat-stored",
    roomId,
    clientId,
    findings: ["phone"],
    spans: [{ start: 3, end: 11, finding: "phone" }],
  });
  await write("at 555 0100 tonight");
  const found = log().getByRole("mark");
  await expect.element(found).toHaveTextContent(/^555 0100/);
  // Otherwise the digit groups change places in Arabic.
  await expect.element(found).toHaveAttribute("dir", "ltr");
  await expect.element(log().getByText(t("covered.onlyDetails"))).toBeVisible();
  await press("covered.notMeant").click();
  await expect.element(press("covered.noted")).toHaveFocus();
  const [{ clientId } = { clientId: "" }] = server.socket.heard("chat");
  expect(server.asked("textDispute")).toMatchObject([
    { user_id: ana.user_id, place: "call", text: "at 555 0100 tonight", client_id: clientId },
  ]);
});

test("says nothing of delivered words when the whole line was hidden", async () => {
  const { server, roomId } = await openCoveredCall();
  server.socket.answerLine = ({ clientId }) => ({
    type: "chat-stored",
    roomId,
    clientId,
    findings: ["phone"],
    spans: [{ start: 0, end: 8, finding: "phone" }],
  });
  await write("555 0100");
  await expect.element(log().getByText(t("covered.hiddenBy"), { exact: true })).toBeVisible();
  await expect.element(log().getByText(t("covered.onlyDetails"))).not.toBeInTheDocument();
});

test("lets the writer of a covered or rejected line object to that", async () => {
  const { server, roomId } = await openCoveredCall();
  server.socket.answerLine = ({ clientId }) => ({ type: "chat-stored", roomId, clientId, findings: ["abuse"] });
  await write("a rude word");
  await expect.element(log().getByText(t("covered.own"))).toBeVisible();
  await press("covered.notMeant").click();
  await expect.element(press("covered.noted")).toBeVisible();
  server.socket.answerLine = ({ clientId }) => ({ type: "error", code: 406, reason: "abusive", clientId });
  await write("a worse one");
  await expect.element(log().getByText(t("call.line.abusive"))).toBeVisible();
  await press("covered.notMeant").click();
  await expect.poll(() => server.asked("textDispute").map(({ text }) => text)).toEqual(["a rude word", "a worse one"]);
});

test("reports any line of the partner from its menu, by keyboard", async () => {
  const { server, roomId } = await openCoveredCall();
  const first = server.socket.chat(roomId, "hello");
  server.socket.chat(roomId, "there");
  const menus = log().getByRole("button", { name: t("covered.menu") });
  await expect.poll(() => menus.elements()).toHaveLength(2);
  // One Tab stop, whatever the number of lines.
  expect(menus.elements().map((menu) => (menu as HTMLElement).tabIndex)).toEqual([-1, 0]);
  (menus.last().element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowUp}");
  await expect.element(menus.first()).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}");
  expect(callState()).toBe("in-call");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("menu")).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await expect.element(log().getByText(t("covered.reported"))).toBeVisible();
  await expect.element(log()).toHaveFocus();
  expect(server.asked("feedback")).toMatchObject([{ id: 7, other_id: bo, line_id: first }]);
  await expect.poll(() => menus.elements()).toHaveLength(1);
});

test("reaches the menu of another line by Tab once the newest is reported", async () => {
  const { server, roomId } = await openCoveredCall();
  server.socket.chat(roomId, "hello");
  server.socket.chat(roomId, "there");
  const menus = log().getByRole("button", { name: t("covered.menu") });
  await expect.poll(() => menus.elements()).toHaveLength(2);
  await menus.last().click();
  await page.getByRole("menuitem", { name: t("covered.reportLine") }).click();
  await expect.poll(() => menus.elements().map((menu) => (menu as HTMLElement).tabIndex)).toEqual([0]);
});

test("lets a line be reported by touch while it is shown over the video", async () => {
  const { server, roomId } = await openCall({ answers, window: phone });
  server.socket.chat(roomId, "hello");
  await log()
    .getByRole("button", { name: t("covered.menu") })
    .click();
  await page.getByRole("menuitem", { name: t("covered.reportLine") }).click();
  await expect.poll(() => server.asked("feedback")).toHaveLength(1);
});

test("offers no Show when that is turned off on this device", async () => {
  const { server, roomId } = await openCall({ answers, stored: { showCovered: "0" } });
  server.socket.coveredChat(roomId, insult);
  await expect.element(press("covered.reportLine")).toBeVisible();
  await expect.element(press("covered.show")).not.toBeInTheDocument();
  // A name in the page shows that the line was drawn.
  await expect.element(log().getByText(t("covered.spoken"))).toBeInTheDocument();
  expect(log().element().textContent).not.toContain(isolate(insult));
});
