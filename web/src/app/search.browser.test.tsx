import { countryBalanced, countryGlobal } from "@fava/wire/beans.ts";
import { codes } from "@fava/wire/codes.ts";
import { waitEstimateIntervalMs, widenOfferMs } from "@fava/wire/limits.ts";
import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { callRuntime } from "#app/call-runtime.ts";
import { formatTime } from "#lib/format-date.ts";
import { formatSpan } from "#lib/format.ts";
import { activateLanguage, t } from "#lib/i18n.ts";
import { isOverlayOpen } from "#lib/overlays.ts";
import { callState, expectCallState, expectHome, meet, openSearch, searchesBegun } from "#testing/call-page.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { ana, countryOf, otherUserOf, settings } from "#testing/fixtures.ts";
import { openPage, phone } from "#testing/open-page.tsx";
import { watchAnnouncements } from "#testing/announcements.ts";

const japan = countryOf("JP").country_id;
const start = () => page.getByRole("button", { name: t("home.start") });
const heading = (key: Parameters<typeof t>[0]) => page.getByRole("heading", { name: t(key) });

beforeEach(() => void vi.useRealTimers());

/** Lets the test decide when ten seconds without a match have passed. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
}

test("[MATCH-7] says after 10 s without filters that few users are free, and searches on", async () => {
  holdTimers();
  const server = await openSearch();
  await expect.element(heading("search.title")).toBeVisible();
  await expect.element(page.getByText(t("search.few"))).not.toBeInTheDocument();
  vi.advanceTimersByTime(widenOfferMs);
  await expect.element(page.getByRole("main").last().getByText(t("search.few"))).toBeVisible();
  await expect.element(heading("search.widen")).not.toBeInTheDocument();
  expect(callState()).toBe("searching");
  expect(server.asked("matchStop")).toEqual([]);
});

test("[MATCH-7] offers wider searches with their prices after 10 s, and starts one only when the user presses", async () => {
  holdTimers();
  const filterCountry = JSON.stringify({ mode: "country", id: japan });
  const server = await openSearch({ stored: { filterGender: "2", filterCountry } });
  vi.advanceTimersByTime(widenOfferMs);
  await expect.element(heading("search.widen")).toBeVisible();
  const choices = page.getByRole("region").or(page.getByRole("main")).getByRole("button", { name: /, / });
  await expect.element(choices.first()).toBeVisible();
  expect(choices.elements().map((choice) => choice.textContent)).toEqual([
    expect.stringMatching(/^Women, any country.*1,600/),
    expect.stringMatching(/^Everyone, Japan.*800/),
    expect.stringMatching(/^Everyone, any country.*Free/),
  ]);
  // A free choice does not have the colour of prices.
  const [paid, free] = [/min$/, /Free$/].map((words) => {
    const price = [...document.querySelectorAll("#call button small")].find(({ textContent }) =>
      words.test(textContent),
    );
    return price && getComputedStyle(price).color;
  });
  expect(paid).toBeDefined();
  expect(free).toBeDefined();
  expect(free).not.toBe(paid);
  // The page widens no filter, paid or free, by itself.
  expect(server.asked("matchStart").every(({ sex, country }) => sex === 2 && country === japan)).toBe(true);
  await choices.last().click();
  await expect.poll(() => server.asked("matchStart").at(-1)).toMatchObject({ sex: 0, country: countryBalanced });
  await expectCallState("searching");
  await expect.element(heading("search.title")).toBeVisible();
});

test("[MATCH-7] searches on with the same filters for a user who keeps waiting", async () => {
  holdTimers();
  const server = await openSearch({ stored: { filterGender: "2" } });
  vi.advanceTimersByTime(widenOfferMs);
  await page.getByRole("button", { name: t("search.wait") }).click();
  await expect.element(page.getByText(t("search.widen"))).toBeVisible();
  await expect.element(page.getByRole("button", { name: t("search.wait") })).not.toBeInTheDocument();
  expect(callState()).toBe("searching");
  expect(server.asked("matchStart").every(({ sex }) => sex === 2)).toBe(true);
});

test("suggests a question to begin with, and another one on a press", async () => {
  const server = await openSearch({ window: phone });
  const opener = page.getByRole("region", { name: t("search.tips") });
  const question = () => opener.element().querySelector("b")?.textContent;
  await expect.element(opener).toBeVisible();
  const first = question();
  const said = watchAnnouncements();
  await opener.getByRole("button", { name: t("call.bothAgain") }).click();
  await expect.poll(question).not.toBe(first);
  await expect.poll(() => said).toEqual([`polite: ${question()}`]);
  await meet(server);
  await expect.element(opener).not.toBeInTheDocument();
});

/** A search whose filters are being changed from everybody to women. */
async function openChange() {
  const server = await openSearch();
  await page.getByRole("button", { name: t("search.change") }).click();
  const sheet = page.getByRole("dialog", { name: t("pref.title") });
  await sheet.getByRole("radio", { name: new RegExp(`^${t("pref.women")}`) }).click();
  return { server, sheet, save: () => sheet.getByRole("button", { name: t("common.save") }).click() };
}

test("applies changed filters to the running search", async () => {
  const { server, save } = await openChange();
  await save();
  await expect.poll(() => server.asked("matchStart").at(-1)).toMatchObject({ sex: 2 });
  await expectCallState("searching");
});

test("keeps a match that was found during the change, and uses the filters from Next on", async () => {
  const { server, sheet, save } = await openChange();
  await meet(server);
  await save();
  await expect.element(sheet).not.toBeInTheDocument();
  expect([callState(), searchesBegun(server)]).toEqual(["in-call", 1]);
  const skipped = () => {
    // Next does nothing in the first moment of a match.
    callRuntime.nextCall();
    return server.asked("matchStart").at(-1);
  };
  await expect.poll(skipped).toMatchObject({ sex: 2 });
});

test("does not restart a search that is over by then", async () => {
  const { server, sheet, save } = await openChange();
  callRuntime.stopCall();
  await expect.poll(callState).toBeNull();
  await save();
  await expect.element(sheet).not.toBeInTheDocument();
  expect([callState(), searchesBegun(server)]).toEqual([null, 1]);
  await expect.element(page.getByRole("radio", { name: new RegExp(`^${t("pref.women")}`) })).toBeChecked();
});

test("shows the expected duration, of wider searches if there are few, and updates it every fifteen seconds", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const server = await openSearch({ stored: { filterGender: "2" } });
  const shown = () => document.querySelector("#call")?.textContent;
  await expect.poll(shown).toContain(t("search.outlook", { time: formatSpan(10) }));
  const before = server.asked("matchWaitEstimate").length;
  const next = (estimate: { seconds: number | null; basis: "yours" | "wider" | "none" }) => {
    server.answer({ matchWaitEstimate: estimate });
    vi.advanceTimersByTime(15_000);
  };
  const wider = t("search.outlookWider", { time: formatSpan(60) });
  const more = t("search.outlookMore", { time: formatSpan(300) });
  next({ seconds: 60, basis: "wider" });
  await expect.poll(shown).toContain(wider);
  // If the server cannot estimate the duration, the line is empty.
  next({ seconds: null, basis: "none" });
  await expect.poll(shown).not.toContain(wider);
  next({ seconds: null, basis: "yours" });
  await expect.poll(shown).toContain(more);
  // After a failed request the last estimate stays.
  server.answer({ matchWaitEstimate: new Refusal(codes.slowDown) });
  vi.advanceTimersByTime(15_000);
  await expect.poll(() => server.asked("matchWaitEstimate").length).toBe(before + 4);
  expect(shown()).toContain(more);
  expect(server.asked("matchWaitEstimate")[0]).toMatchObject({ sex: 2, country: countryBalanced });
});

test("says at once that nobody is online in a country, with a button for all countries", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const server = await openPage({
    as: ana,
    stored: { neverShowRule: "1", filterCountry: JSON.stringify({ mode: "country", id: japan }) },
    answers: { matchStart: { state: "no_profiles", price: 800, since: 0 } },
  });
  await expect.poll(() => server.asked("matchWaitEstimate")).toMatchObject([{ country: japan }]);
  vi.advanceTimersByTime(waitEstimateIntervalMs);
  await start().click();
  const sheet = page.getByRole("dialog", { name: t("notice.noProfilesTitle") });
  await expect.element(sheet.getByText(t("notice.noProfiles"))).toBeVisible();
  // The expected duration of a search for everybody.
  await expect.element(sheet.getByText(t("search.outlook", { time: formatSpan(10) }))).toBeVisible();
  await expect.poll(() => server.asked("matchWaitEstimate").at(-1)).toMatchObject({ country: countryGlobal });
  expect(callState()).toBeNull();
  expect(server.asked("matchStart")).toMatchObject([{ country: japan }]);
  await sheet.getByRole("button", { name: t("notice.noProfilesGlobal") }).click();
  await expect.element(sheet).not.toBeInTheDocument();
  await expectHome();
  await expect.element(page.getByText(t("pref.globalHint"))).toBeVisible();
  expect(server.asked("active")).toContainEqual(expect.objectContaining({ type: 3, country: countryGlobal }));
});

test.each([
  { what: "beans", matchStart: new Refusal(codes.notEnoughBeans), title: "beans.notEnoughTitle" },
  { what: "people", matchStart: { state: "no_profiles", price: 0, since: 0 }, title: "notice.noProfilesTitle" },
] as const)(
  "shows each refusal of a search for lack of $what, also when repeated, but not again on a change of language",
  async (refused) => {
    const { matchStart, title } = refused;
    const server = await openPage({ as: ana, stored: { neverShowRule: "1" }, answers: { matchStart } });
    const told = () => page.getByRole("dialog", { name: t(title) });
    for (const times of [1, 2, 3]) {
      await start().click();
      await expect.element(told()).toBeVisible();
      expect(searchesBegun(server)).toBe(times);
      await told()
        .getByRole("button", { name: t("common.close") })
        .click();
      await expect.element(told()).not.toBeInTheDocument();
      await expect.poll(() => server.asked("matchStop")).toHaveLength(times);
      await expectHome();
    }
    await activateLanguage("de", { remember: false });
    await expectHome();
    expect(isOverlayOpen("low-beans") || isOverlayOpen("no-profiles")).toBe(false);
  },
);

test("lets a user whose matching is paused ask for a review, and shows when it is promised", async () => {
  const dueAt = Date.UTC(2026, 10, 22, 9, 30);
  const server = await openPage({
    as: ana,
    stored: { neverShowRule: "1" },
    answers: {
      matchStart: new Refusal(codes.forbidden, { reason: "paused", until: null }),
      pauseAsk: { due_at: dueAt },
    },
  });
  await start().click();
  const sheet = page.getByRole("dialog", { name: t("shield.pausedTitle") });
  await sheet.getByRole("button", { name: t("shield.pausedAsk") }).click();
  await expect.element(sheet.getByText(t("shield.pausedAsked", { time: formatTime(dueAt) }))).toBeVisible();
  await expect.element(sheet.getByRole("button", { name: t("shield.pausedAsk") })).not.toBeInTheDocument();
  expect(server.asked("pauseAsk")).toMatchObject([{ user_id: ana.user_id }]);
});

test("opens the beans notice for an uncovered filter, and continues with a free search", async () => {
  const server = await openPage({
    as: ana,
    stored: { neverShowRule: "1" },
    answers: {
      userInfo: otherUserOf("Bo"),
      matchStart: ({ sex }) =>
        sex === 0 ? { state: "searching", price: 0, since: Date.now() } : new Refusal(codes.notEnoughBeans),
    },
  });
  await page.getByRole("radio", { name: new RegExp(`^${t("pref.women")}`) }).click();
  await start().click();
  const sheet = page.getByRole("dialog", { name: t("beans.notEnoughTitle") });
  const count = settings.prices.gender.toLocaleString("en");
  await expect.element(sheet.getByText(t("beans.notEnoughText", { count }))).toBeVisible();
  expect(callState()).toBeNull();
  await sheet.getByRole("button", { name: t("beans.useFree") }).click();
  await expectCallState("searching");
  await expect.element(page.getByRole("main").last().getByText(t("pref.both"), { exact: true })).toBeVisible();
  expect(server.asked("matchStart").map(({ sex }) => sex)).toEqual(expect.arrayContaining([2, 0]));
});
