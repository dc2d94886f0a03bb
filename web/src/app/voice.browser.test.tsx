import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { lowBeansNoticeMs } from "@fava/wire/limits.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { t } from "#lib/i18n.ts";
import { expectCallState, meet, openCall, openSearch } from "#testing/call-page.ts";
import { ana } from "#testing/fixtures.ts";
import { match } from "#testing/match.ts";
import { conversationOf, Inbox } from "#testing/message-fixtures.ts";
import { testMeter } from "#testing/meter-fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { tillOf } from "#testing/shop-fixtures.ts";
import { watchAnnouncements } from "#testing/announcements.ts";

const shown = "polite: Picture checked and shown";
const hidden = "polite: Hidden for your safety. Our check is unsure about this picture. Sound and chat still work.";

beforeEach(() => void vi.useRealTimers());

test("announces a search, the partner, the state of the video and the partner's leaving once each", async () => {
  const said = watchAnnouncements();
  const server = await openSearch();
  const roomId = await match(server, window.remotePerson);
  await expectCallState("in-call");
  const tell = (other: "clear" | "hidden") => server.socket.say({ type: "shield", roomId, other, own: "clear" });
  const begun = ["polite: Looking for someone", "polite: Matched with Bo, Brazil", "polite: Checking picture"];
  await expect.poll(() => said).toEqual(begun);
  tell("clear");
  await expect.poll(() => said.slice(begun.length)).toEqual([shown]);
  tell("hidden");
  await expect.poll(() => said.slice(begun.length)).toEqual([shown, hidden]);
  tell("clear");
  await expect.poll(() => said.slice(begun.length)).toEqual([shown, hidden, shown]);
  server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "left" });
  await expectCallState("searching");
  const left = "polite: Bo left. Looking for the next person";
  await expect.poll(() => said.slice(begun.length)).toEqual([shown, hidden, shown, left]);
  // No other live region of the page repeats it.
  const speaking = '[role="status"], [role="alert"], output';
  expect(document.querySelector("[data-match-state]")?.querySelector(speaking)).toBeNull();
});

test("announces nothing for a video that was cleared before it was visible", async () => {
  const said = watchAnnouncements();
  const server = await openSearch();
  const roomId = await match(server, window.remotePerson);
  server.socket.say({ type: "shield", roomId, other: "clear", own: "clear" });
  await expectCallState("in-call");
  await expect.poll(() => said).toContain("polite: Matched with Bo, Brazil");
  expect(said).not.toContain(shown);
});

test("announces low beans at the start and the end of the countdown, and not every second", async () => {
  const said = watchAnnouncements();
  const payer = { ...ana, credit5: 1_600 };
  const server = await openSearch({ as: payer, answers: tillOf(payer).answers });
  const roomId = await meet(server, { remote: { price: 1_600 } });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], shouldAdvanceTime: true });
  const meter = testMeter({ balance: 800, left_ms: 40_000 });
  server.socket.push({ code: pushCodes.callMessage, roomId, type: 1, is_enough: 0, meter });
  const countdowns = () => said.filter((line) => line.startsWith("polite: Video ends in"));
  await expect.poll(() => document.querySelector("[data-match-state]")?.textContent).not.toContain("Free call");
  vi.advanceTimersByTime(lowBeansNoticeMs);
  await expect.poll(countdowns).toHaveLength(1);
  // The seconds of the visible countdown add no announcements.
  const bar = page.getByText(/^Video ends in \d+ seconds/).first();
  const first = bar.element().textContent;
  await expect.element(bar).not.toHaveTextContent(first);
  expect(countdowns()).toHaveLength(1);
  vi.advanceTimersByTime(20_000);
  await expect.poll(countdowns).toEqual([expect.anything(), "polite: Video ends in 10 seconds unless you top up"]);
});

test("announces the sender of a message, unless the open log announces it", async () => {
  const said = watchAnnouncements();
  const inbox = new Inbox();
  const { externalId } = inbox.add(conversationOf("Bo"), ["hello"]);
  const server = await openPage({ as: ana, answers: inbox.answers });
  const messages = page.getByRole("button", { name: new RegExp(`^${t("home.messages")}`) });
  await expect.element(messages).toBeVisible();
  await expect.poll(() => server.hasSocket && server.socket.heard("hello").length).toBe(1);
  inbox.receive(server, externalId, "hello one");
  await expect.poll(() => said).toEqual(["polite: New message from Bo"]);
  await messages.click();
  await page.getByRole("main").getByRole("navigation").getByRole("button", { name: "Bo" }).click();
  await expect.element(page.getByRole("log")).toBeVisible();
  inbox.receive(server, externalId, "hello two");
  await expect.element(page.getByRole("log").getByText("hello two")).toBeVisible();
  expect(said).toEqual(["polite: New message from Bo"]);
});

test("announces a lost connection and its return once each", async () => {
  const said = watchAnnouncements();
  await openCall();
  const about = () => said.filter((line) => /lost|again/.test(line));
  window.remotePerson.stall();
  await expectText(t("reconnect.title"));
  await expect.poll(about).toEqual([`polite: ${t("reconnect.title")}`]);
  window.remotePerson.flow();
  await expect.poll(about).toEqual([`polite: ${t("reconnect.title")}`, `polite: ${t("reconnect.back")}`]);
});

async function expectText(text: string): Promise<void> {
  await expect.element(page.getByRole("heading", { name: text })).toBeVisible();
}
