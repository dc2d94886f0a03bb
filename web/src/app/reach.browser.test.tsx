import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { widenOfferMs } from "@fava/wire/limits.ts";
import { t } from "#lib/i18n.ts";
import { probeServer } from "#lib/socket/connection.ts";
import { callState, openCall, openSearch } from "#testing/call-page.ts";
import { openDesk, openFirstCase } from "#testing/desk-steps.ts";
import type { FixtureWorld } from "#testing/fixture-world.ts";
import { ana, personOf } from "#testing/fixtures.ts";
import { conversationOf, Inbox } from "#testing/message-fixtures.ts";
import { connected, openMessages, openWith, panel } from "#testing/messages-steps.ts";
import { openPage, phone } from "#testing/open-page.tsx";
import { expectToast } from "#testing/page-steps.ts";
import { nobodyAnswers, peoplePage } from "#testing/people-fixtures.ts";
import { openOwnProfile } from "#testing/profile-steps.ts";
import { openPeoplePanel, peopleTab, rowOf } from "#testing/people-steps.ts";

const start = () => page.getByRole("button", { name: t("home.start") });
const online = () => page.getByRole("banner").getByText(/online$/);
/** The text of the connection bar; read from the document, because a dialog makes the bar inert. */
const line = () => document.querySelector("#reach p");
const heading = (key: Parameters<typeof t>[0]) => page.getByRole("heading", { name: t(key) });

/** The time within which the bar appears, with a reserve for a slow machine. */
const told = { timeout: 3_000 } as const;

async function expectLine(): Promise<void> {
  await expect.poll(() => line()?.textContent, told).toBe(t("offline.away"));
}

/** The line covers nothing, and nothing covers it. */
function expectOwnPlace(): void {
  const bar = line();
  if (!bar) throw new Error("no line");
  const { x, y, width, height } = bar.getBoundingClientRect();
  expect(bar.contains(document.elementFromPoint(x + width / 2, y + height / 2))).toBe(true);
}

async function expectBack(server: FixtureWorld): Promise<void> {
  server.comeBack();
  await expect.poll(line, { timeout: 10_000 }).toBeNull();
}

test("says so on a home screen without its server, shows no count and starts nothing, until it is back", async () => {
  const server = await openPage();
  await expect.element(online()).toBeVisible();
  server.goAway();
  // Starts the probe that a visitor's page, which has no socket, would send by itself later.
  await probeServer();
  await expectLine();
  await expect.element(online()).not.toBeInTheDocument();
  await expect.element(start()).toHaveAttribute("aria-disabled", "true");
  await expect.element(start()).toHaveAttribute("aria-describedby", "reach");
  await start().click({ force: true });
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  const before = server.asked("getLanguage").length;
  await expectBack(server);
  await expect.element(online()).toBeVisible();
  await expect.element(start()).not.toHaveAttribute("aria-disabled");
  // The page has loaded the settings again.
  await expect.poll(() => server.asked("getLanguage").length).toBe(before + 1);
});

test("shows a member the same when the socket is lost, and another text without a network", async () => {
  const server = await openPage({ as: ana });
  await connected(server);
  server.goAway();
  await expectLine();
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  window.dispatchEvent(new Event("offline"));
  await expect.poll(() => line()?.textContent).toBe(t("offline.text"));
  vi.restoreAllMocks();
  server.comeBack();
  window.dispatchEvent(new Event("online"));
  await expect.poll(line).toBeNull();
  await expect.element(start()).not.toHaveAttribute("aria-disabled");
});

test("[ERR-3] shows a toast for a change that does not reach the server, beside the line, which stays", async () => {
  const { server, sheet } = await openOwnProfile();
  await connected(server);
  await sheet.getByLabelText(t("profile.location")).fill("Bristol");
  server.goAway();
  await expectLine();
  await sheet.getByRole("button", { name: t("profile.save") }).click();
  await expectToast(t("error.server"));
  expect(line()?.textContent).toBe(t("offline.away"));
});

test("gives no reason in a search without its server, and continues by itself when it is back", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  const server = await openSearch();
  await connected(server);
  const asked = server.asked("matchStart").length;
  server.goAway();
  await expectLine();
  expectOwnPlace();
  await expect.element(heading("search.away")).toBeVisible();
  vi.advanceTimersByTime(widenOfferMs);
  await expect.element(page.getByText(t("search.few"))).not.toBeInTheDocument();
  await expect.element(heading("search.title")).not.toBeInTheDocument();
  expect(callState()).toBe("searching");
  await expectBack(server);
  await expect.element(heading("search.title")).toBeVisible();
  await expect.poll(() => server.asked("matchStart").length, { timeout: 10_000 }).toBeGreaterThan(asked);
  // The search has just started again: the hint that few users are free comes after ten seconds.
  await expect.element(page.getByText(t("search.few"))).not.toBeInTheDocument();
  vi.useRealTimers();
});

test("continues a call without its server, with one line over it", async () => {
  const { server } = await openCall({ window: phone });
  server.goAway();
  await expectLine();
  expectOwnPlace();
  expect(callState()).toBe("in-call");
  const top = () => document.querySelector("#call")?.getBoundingClientRect().top;
  await expect.poll(top).toBeGreaterThan(40);
  await expectBack(server);
  await expect.poll(top).toBe(0);
});

test("says so in messages, shows no presence, and loads them again afterwards", async () => {
  const inbox = new Inbox();
  inbox.add(conversationOf("Bo", { presence: "online" }), ["hello"]);
  const server = await openWith(inbox);
  await connected(server);
  await openMessages();
  const there = () => panel().element().querySelectorAll('[data-presence="online"]').length;
  await expect.poll(there).toBeGreaterThan(0);
  await page.viewport(phone.width, phone.height);
  server.goAway();
  await expectLine();
  expectOwnPlace();
  expect(there()).toBe(0);
  const before = server.asked("conversationList").length;
  await expectBack(server);
  await expect.poll(() => server.asked("conversationList").length).toBeGreaterThan(before);
  await expect.poll(there).toBeGreaterThan(0);
});

test("loads people by itself that could not be loaded meanwhile", async () => {
  const vera = personOf("Vera");
  const answers = { ...nobodyAnswers, followList: peoplePage([vera]), fansList: peoplePage([vera]) };
  const server = await openPage({ as: ana, answers });
  await connected(server);
  server.goAway();
  await expectLine();
  const dialog = await openPeoplePanel();
  await peopleTab("following").click();
  await page.viewport(phone.width, phone.height);
  await expect.element(dialog.getByRole("alert")).toBeVisible();
  expectOwnPlace();
  await expectBack(server);
  await expect.element(rowOf(dialog, "Vera").first()).toBeVisible();
});

test("blocks decisions on the desk until it is back, and loads the queue again", async () => {
  const server = await openDesk("/reportReview");
  await openFirstCase();
  await connected(server);
  server.goAway();
  await expectLine();
  expectOwnPlace();
  await expect.element(page.getByText(t("desk.closed.away"))).toBeVisible();
  for (const decision of page
    .getByRole("group", { name: t("desk.decide") })
    .getByRole("button")
    .elements()
    .slice(0, 4))
    expect(decision).toBeDisabled();
  const before = server.asked("adminReportList").length;
  await expectBack(server);
  await expect.poll(() => server.asked("adminReportList").length).toBeGreaterThan(before);
});
