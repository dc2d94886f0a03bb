import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { expect, type Page } from "@playwright/test";
import { codes } from "@fava/wire/codes.ts";
import { Refusal } from "@fava/web/testing/fixture-world.ts";
import { interests } from "@fava/wire/talk.ts";
import { ana, countryOf, galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { everybody } from "@fava/web/testing/people-fixtures.ts";
import { desktop, phone } from "../../support/fixture-page.ts";
import { holdTimers } from "../held-timers.ts";
import { toasts } from "../../support/people.ts";
import { holdToast } from "../hold-toast.ts";
import { type Scene, scene } from "../scene.ts";
import { allowNotifications, notificationAnswers } from "../notification-steps.ts";

const member = { ...ana, credit5: 48_200 };
const region = (page: Page) => page.locator("button[aria-labelledby~=home-region]");
const germany = JSON.stringify({ mode: "country", id: countryOf("DE").country_id });
const emptyBox = { conversations: [], next: null, requests: { count: 0, latest_nick: null } };

/** Credentials of a relay at a port without a server. */
const relayAway: OutputOf<Endpoints["testRoomSign"]> = {
  token: "room",
  iceServers: [{ urls: ["turn:127.0.0.1:9?transport=tcp"], username: "u", credential: "c" }],
  policy: "relay",
  expiresAt: Number.MAX_SAFE_INTEGER,
};

/** An hour for chess that begins `hoursAhead` from now. */
function chessHour(hoursAhead: number): OutputOf<Endpoints["hourList"]>["rows"][number] {
  const starts_at = galleryNowMs + hoursAhead * 3_600_000;
  const interest = interests.indexOf("chess");
  return { id: 11, language: null, interest, starts_at, ends_at: starts_at + 3_600_000, reminds: 0 };
}

export const homeScenes: readonly Scene[] = [
  scene("the home screen of a member, and the user menu", { as: member }, async ({ page, said, show }) => {
    const account = page.getByRole("button", { name: said("home.account") });
    await expect(account).toBeVisible();
    await page.getByRole("button", { name: said("home.turnOn") }).waitFor();
    await show("home-member", { inView: [page.getByRole("button", { name: said("home.start") })] });
    await account.click();
    await page.getByRole("menuitem", { name: said("menu.signOut") }).waitFor();
    await show("home-menu");
  }),
  scene(
    "kind words on the home screen",
    {
      as: member,
      answers: {
        homePeople: {
          meets: [],
          missed: [],
          friends: [{ ...everybody[0]!, presence: "online" }],
          kind_words: [
            { person: everybody[2]!, word: 1 },
            { person: everybody[5]!, word: 4 },
          ],
        },
        kindRead: {},
      },
    },
    async ({ page, said, show }) => {
      await page.getByText(said("kind.home", { name: "Noor" })).waitFor();
      await show("home-kind-words", { inView: [page.getByRole("button", { name: said("home.start") })] });
    },
  ),
  scene(
    "people on the home screen of a member",
    {
      as: member,
      answers: {
        homePeople: {
          meets: everybody.slice(3, 5).map((person) => ({ person, until: galleryNowMs + 19 * 3_600_000 })),
          missed: [{ ...everybody[2]!, presence: "offline" }],
          friends: [
            everybody[0]!,
            ...everybody.slice(5).map((person) => ({ ...person, followStatus: 2, presence: "online" }) as const),
          ],
        },
      },
    },
    async ({ page, said, show }) => {
      await page
        .getByRole("region", { name: said("people.home") })
        .getByRole("button")
        .first()
        .waitFor();
      await page.getByRole("button", { name: said("home.turnOn") }).waitFor();
      await show("home-people");
    },
  ),
  scene(
    "an hour on the home screen of a member",
    { as: member, answers: { ...notificationAnswers, hourList: { rows: [chessHour(3)] } } },
    async ({ page, said, show, world }) => {
      await allowNotifications(page);
      await page.getByRole("button", { name: said("hour.remind") }).waitFor();
      await page.getByRole("button", { name: said("home.turnOn") }).waitFor();
      await show("home-hour");
      await page.getByRole("button", { name: said("hour.remind") }).click();
      await page.getByRole("dialog", { name: said("notify.hourAsk") }).waitFor();
      await show("home-hour-ask");
      world.server.answer({ hourList: { rows: [chessHour(-0.5)] } });
      await page.reload();
      await page.getByText(said("hour.now")).waitFor();
      await show("home-hour-now");
    },
  ),
  scene(
    "the home screen with a long name, many unread messages and the highest price",
    {
      as: { ...ana, nickname: "Wolfeschlegelsteinhausenbergerdorffwelch", credit5: 12_345_678 },
      answers: { conversationList: { ...emptyBox, unread_total: 1_280 } },
      stored: { filterGender: "1", filterCountry: germany },
    },
    async ({ page, said, show }) => {
      await page.getByText(said("price.perMinute")).filter({ visible: true }).waitFor();
      await expect(page.getByRole("banner").locator("b[aria-hidden=true]")).toBeVisible();
      await show("home-long-name");
    },
  ),
  scene(
    "the local video before a call",
    { as: member, devices: "allowed", answers: { testRoomSign: relayAway } },
    async ({ page, said, show }) => {
      await page.getByRole("button", { name: said("home.turnOn") }).click();
      await page.getByText(said("home.only")).waitFor();
      await page.getByRole("radio").nth(1).check();
      const camera = page.getByRole("region", { name: said("home.camera") });
      await camera.getByText(said("camera.good")).waitFor();
      await show("home-live");
      await page.getByRole("button", { name: said("home.micMute") }).click();
      await page.getByRole("button", { name: said("home.camMute") }).click();
      await page.getByText(said("home.offTitle")).waitFor();
      await show("home-muted");
      await page.getByRole("button", { name: said("options.title") }).click();
      await page.getByRole("button", { name: said("network.test") }).click();
      await page.getByText(said("network.nothing")).waitFor();
      await show("home-devices");
    },
  ),
  scene(
    "the local video after a call, kept for the next one",
    { as: member, devices: "allowed", stored: { keepCamera: "1", neverShowRule: "1" } },
    async ({ page, said, show }) => {
      await holdTimers(page);
      await page.getByRole("button", { name: said("home.start") }).click();
      await page.getByRole("button", { name: said("search.stop") }).click();
      await page.getByText(said("home.only")).waitFor();
      await expect(page.getByRole("region", { name: said("home.camera") }).getByRole("timer")).toBeVisible();
      await show("home-camera-kept");
    },
  ),
  scene(
    "the safety rules, and a search that is too expensive",
    {
      as: ana,
      devices: "allowed",
      answers: { matchStart: new Refusal(codes.notEnoughBeans) },
      stored: { filterGender: "2" },
    },
    async ({ page, said, show }) => {
      await page.getByText(said("price.perMinute")).filter({ visible: true }).waitFor();
      await show("home-short-of-beans");
      await page.getByRole("button", { name: said("home.start") }).click();
      const accept = page.getByRole("button", { name: said("rules.ok") });
      await accept.waitFor();
      await show("home-rules", { inView: [accept] });
      await accept.click();
      await page.getByRole("heading", { name: said("beans.notEnoughTitle") }).waitFor();
      await show("home-not-enough-beans");
    },
  ),
  scene(
    "a search in a country without users",
    {
      as: member,
      devices: "allowed",
      answers: { ...notificationAnswers, matchStart: { state: "no_profiles", price: 800, since: 0 } },
      stored: { filterCountry: germany, neverShowRule: "1" },
    },
    async ({ page, said, show }) => {
      await allowNotifications(page);
      await page.getByRole("button", { name: said("home.start") }).click();
      await page.getByRole("heading", { name: said("notice.noProfilesTitle") }).waitFor();
      const offer = page.getByRole("button", { name: said("notify.tell") });
      await offer.waitFor();
      await show("home-no-profiles");
      await offer.click();
      const question = page.getByRole("dialog", { name: said("notify.tellAsk") });
      await question.waitFor();
      await show("notify-fits");
      await question.getByRole("button", { name: said("notify.turnOn") }).click();
      await page.getByRole("button", { name: said("notify.tellStop") }).waitFor();
      await show("home-no-profiles-told");
    },
  ),
  scene(
    "a search in a country without users, with a notification",
    {
      as: member,
      devices: "allowed",
      answers: {
        matchStart: { state: "no_profiles", price: 800, since: 0 },
        matchSubscriptionInfo: {
          wish: { sex: 0, country: countryOf("DE").country_id, until: galleryNowMs + 3_600_000 },
        },
      },
      stored: { filterCountry: germany, neverShowRule: "1" },
    },
    async ({ page, said, show }) => {
      await page.getByRole("button", { name: said("home.start") }).click();
      await page.getByRole("button", { name: said("notify.tellStop") }).waitFor();
      await show("home-no-profiles-asked-before");
    },
  ),
  scene("a page that the browser translates", { as: member }, async ({ page, said, show }) => {
    await page.evaluate(() => document.documentElement.classList.add("translated-ltr"));
    await toasts(page).getByText(said("translated.text")).waitFor();
    await show("home-translated");
    await toasts(page)
      .getByRole("button", { name: said("home.language") })
      .click();
    await page.getByRole("dialog", { name: said("home.language") }).waitFor();
    await show("home-languages");
  }),
  scene("the preferences", { as: member }, async ({ page, said, show }) => {
    const preferences = page.getByRole("dialog", { name: said("pref.title") });
    const save = preferences.getByRole("button", { name: said("common.save") });
    const search = preferences.getByRole("searchbox");
    const listed = preferences.getByRole("radiogroup", { name: said("region.title") }).getByRole("radio");
    await region(page).click();
    await preferences.waitFor();
    await show("home-preferences", { inView: [save] });
    await preferences.getByRole("radio").last().check();
    await expect(listed.first()).toBeVisible();
    await show("home-preferences-countries", { inView: [save] });
    await search.fill("zzz");
    await preferences.getByText(said("region.none")).waitFor();
    await show("home-preferences-none");
    await search.fill("");
    await preferences.getByRole("radio").nth(1).check();
    await listed.first().check();
    await show("home-preferences-chosen", { inView: [save] });
    await save.click();
    await expect(page.locator("[data-toasts] [data-type=default]")).toBeVisible();
    await holdToast(page);
    await show("home-preferences-saved");
    await region(page).click();
    await preferences.getByText(said("region.recent")).waitFor();
    await show("home-preferences-recent");
  }),
  scene("excluded countries", { as: member }, async ({ page, said, show, world }) => {
    const stored = { languages: [], interests: [], prefer: 1, leaves_out_max: 5 } as const;
    const talk = (leavesOut: number[]) => ({ ...stored, languages: [], interests: [], leaves_out: leavesOut });
    world.server.answer({ talkInfo: talk([]) });
    const preferences = page.getByRole("dialog", { name: said("pref.title") });
    const leftOut = page.getByRole("dialog", { name: said("talk.leftOutTitle") });
    await region(page).click();
    await preferences.getByRole("button", { name: said("talk.leftOutTitle") }).click();
    await leftOut.getByText(said("talk.none")).waitFor();
    await show("home-left-out-none");
    await page.keyboard.press("Escape");
    world.server.answer({
      talkInfo: talk([ana.country_id, countryOf("JP").country_id]),
      talkUpdate: new Refusal(codes.slowDown),
    });
    await region(page).click();
    await preferences.getByRole("radio").last().check();
    await preferences.getByText(said("talk.leftOut"), { exact: true }).first().waitFor();
    await show("home-preferences-left-out");
  }),
  scene(
    "the preferences on a phone, with countries on a page of their own",
    { as: member },
    async ({ page, said, show }) => {
      await page.setViewportSize(phone);
      await region(page).click();
      await page.getByRole("dialog").getByRole("radio").last().click();
      const countries = page.getByRole("dialog", { name: said("region.title") });
      await countries.getByRole("radio").first().waitFor();
      await show("home-countries-on-a-phone");
      await page.setViewportSize(phone);
      await countries.getByRole("searchbox").fill("zzz");
      await countries.getByText(said("region.none")).waitFor();
      await show("home-countries-on-a-phone-none");
      await page.setViewportSize(desktop);
    },
  ),
  scene(
    "a member whom the server has not confirmed yet",
    { as: member, answers: { myInfo: () => new Promise<never>(() => undefined) } },
    async ({ page, said, show }) => {
      await page.getByRole("button", { name: said("home.start") }).waitFor();
      await show("home-restoring");
    },
  ),
];
