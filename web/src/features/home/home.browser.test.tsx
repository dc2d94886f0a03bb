import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { waitEstimateIntervalMs } from "@fava/wire/limits.ts";
import { formatSpan } from "#lib/format.ts";
import { activateLanguage, t } from "#lib/i18n.ts";
import { currentUser, replaceUser } from "#lib/session.ts";
import { touchOnlyQuery } from "#lib/use-media-query.ts";
import { ana } from "#testing/fixtures.ts";
import { newcomer, onboardingAnswers } from "#testing/onboarding-fixtures.ts";
import { desktop, openPage, phone } from "#testing/open-page.tsx";
import { tillOf } from "#testing/shop-fixtures.ts";

const start = () => page.getByRole("button", { name: t("home.start") });
const login = () => page.getByRole("dialog", { name: t("login.tagline") });
const account = () => page.getByRole("button", { name: t("home.account") });
const balance = () => page.getByRole("banner").getByRole("button", { name: /bean/ });
const preferences = () => page.getByRole("dialog", { name: t("pref.title") });

/** How far the page extends beyond the window, in px. */
function overflow(): { x: number; y: number } {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return { x: Math.max(0, scrollWidth - innerWidth), y: Math.max(0, scrollHeight - innerHeight) };
}

test("shows a visitor headline, filters with prices, start, social buttons, consent and notices", async () => {
  await openPage();
  const main = page.getByRole("main");
  await expect.element(page.getByRole("heading", { level: 1, name: t("home.title") })).toBeVisible();
  await expect.element(page.getByRole("radio", { name: /Everyone/ })).toHaveAccessibleName(/Free/);
  for (const wish of [/^Women/, /^Men/])
    await expect.element(page.getByRole("radio", { name: wish })).toHaveAccessibleName(/1,600/);
  await expect.element(main.getByRole("button", { name: /^From/ })).toHaveTextContent("Free");
  await expect.element(start()).toBeVisible();
  for (const name of ["Google", "Facebook", "Apple"])
    await expect.element(main.getByRole("button", { name: t("login.with", { name }) })).toBeVisible();
  // The consent text contains links, whose labels tell screen readers that they open a new window.
  await expect.element(main.getByText(/^By starting you confirm that you are 18 or over/)).toBeVisible();
  for (const path of ["/userAgreement", "/privacyPolicy"])
    expect(document.querySelector(`main a[href="${path}"]`)?.checkVisibility()).toBe(true);
  await expect.element(page.getByText(t("home.foot.adults"))).toBeVisible();
});

test("shows a member the expected wait below the price, and updates it for other filters, at most every five seconds", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const server = await openPage({ as: ana });
  const line = (seconds: number) => page.getByText(t("search.outlook", { time: formatSpan(seconds) }));
  await expect.element(line(10)).toBeVisible();
  server.answer({ matchWaitEstimate: { seconds: 30, basis: "yours" } });
  await page.getByRole("radio", { name: /^Women/ }).click();
  await page.getByRole("radio", { name: /^Men/ }).click();
  await expect.element(line(10)).not.toBeInTheDocument();
  expect(server.asked("matchWaitEstimate")).toMatchObject([{ sex: 0 }]);
  vi.advanceTimersByTime(waitEstimateIntervalMs);
  await expect.element(line(30)).toBeVisible();
  expect(server.asked("matchWaitEstimate")).toMatchObject([{ sex: 0 }, { sex: 1 }]);
});

test("requests no expected wait before the profile is complete, and does afterwards", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const asked: unknown[] = [];
  await openPage({
    as: newcomer,
    answers: {
      ...onboardingAnswers(),
      matchWaitEstimate: () => {
        asked.push(currentUser()?.profile_complete);
        return { seconds: 10, basis: "yours" };
      },
    },
  });
  const profile = page.getByRole("dialog", { name: t("complete.title") });
  await profile.getByRole("button", { name: t("common.close") }).click();
  await expect.element(start()).toBeVisible();
  vi.advanceTimersByTime(120_000);
  replaceUser({ ...newcomer, profile_complete: true });
  await expect.element(page.getByText(t("search.outlook", { time: formatSpan(10) }))).toBeVisible();
  expect(asked).toEqual([true]);
});

test("opens the login dialog from a visitor's balance and login button; the header has no tabs", async () => {
  await openPage();
  await balance().click();
  await expect.element(login()).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(login()).not.toBeInTheDocument();
  await page.getByRole("button", { name: t("login.open"), exact: true }).click();
  await expect.element(login()).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(login()).not.toBeInTheDocument();
  for (const role of ["tab", "tablist", "navigation", "link"] as const)
    expect(page.getByRole("banner").getByRole(role).elements()).toEqual([]);
});

test("opens the menu when the pointer is on the avatar, and the shop from the balance", async () => {
  await openPage({ as: ana, answers: tillOf(ana).answers });
  // The previous test may have left the pointer on the avatar: move it away first.
  await page.getByRole("heading", { level: 1 }).hover();
  await account().hover();
  for (const key of ["menu.contact", "menu.terms", "menu.privacy", "menu.signOut"] as const)
    await expect.element(page.getByRole("menuitem", { name: t(key) })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("menu")).not.toBeInTheDocument();
  await balance().click();
  await expect.element(page.getByRole("dialog", { name: t("shop.title") })).toBeVisible();
});

test("updates the price with the filters at once, in beans and in money, never lower than the choice", async () => {
  await openPage();
  await expect.element(page.getByText(t("home.free"))).toBeVisible();
  await page.getByRole("radio", { name: /^Men/ }).click();
  await expect.element(page.getByRole("definition")).toHaveTextContent(/1,600about \$1\.60/);
  await page.getByRole("button", { name: /^From/ }).click();
  await preferences()
    .getByRole("radio", { name: /^One country/ })
    .click();
  // The dialog shows the price of a country filter before the user has chosen a country.
  const total = () => preferences().getByText(t("price.perMinute")).element().parentElement?.textContent;
  await expect.poll(total).toContain("2,000");
  await preferences().getByRole("radio", { name: "Germany" }).click();
  await expect.poll(total).toContain("2,000");
  await preferences()
    .getByRole("button", { name: t("common.save") })
    .click();
  await expect.element(page.getByRole("definition")).toHaveTextContent(/2,000about \$2\.00/);
});

test("[HOME-7] never asks for the camera on load, and offers devices behind a button on a phone", async () => {
  const asked = vi.spyOn(navigator.mediaDevices, "getUserMedia");
  await openPage({ as: ana, window: phone });
  await expect.element(page.getByText(t("home.offTitle"))).toBeVisible();
  expect(asked).not.toHaveBeenCalled();
  await page.getByRole("button", { name: t("home.turnOn") }).click();
  await expect.element(page.getByText(t("home.only"))).toBeVisible();
  expect(asked).toHaveBeenCalledOnce();
  await page.getByRole("button", { name: t("options.title") }).click();
  const sheet = page.getByRole("dialog", { name: t("options.title") });
  await expect.element(sheet.getByLabelText(t("home.camera"))).toHaveValue();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("button", { name: t("options.title") })).toHaveFocus();
  expect(overflow()).toEqual({ x: 0, y: 0 });
});

test("fits on a visitor's phone without scrolling, with Start under the thumb", async () => {
  await openPage({ window: phone });
  for (const language of ["en", "zh-CN", "ar", "tr", "id"] as const) {
    await activateLanguage(language);
    await expect.element(page.getByRole("heading", { level: 1, name: t("home.title") })).toBeVisible();
    // Waits until the page fits, because the font of another script may load late.
    await expect.poll(overflow, { message: language }).toEqual({ x: 0, y: 0 });
    const { top, bottom } = start().element().getBoundingClientRect();
    expect(top).toBeGreaterThan(phone.height / 2);
    expect(bottom).toBeLessThanOrEqual(phone.height);
  }
});

test("shows a phone's visitor the whole picture and Start, and the sign-in buttons only behind Start", async () => {
  for (const window of [phone, { width: 360, height: 640 }]) {
    await page.viewport(window.width, window.height);
    if (window === phone) await openPage({ window });
    await expect.element(start()).toBeVisible();
    expect(start().element().getBoundingClientRect().bottom).toBeLessThanOrEqual(window.height);
    const picture = document.querySelector("main figure")?.getBoundingClientRect();
    expect(picture?.height, `${window.height} px`).toBeGreaterThan(0.36 * window.height);
  }
  expect(document.querySelector("main [data-login-type]")?.checkVisibility()).toBe(false);
  await start().click();
  await expect.element(login().getByRole("button", { name: t("login.with", { name: "Google" }) })).toBeVisible();
});

test("moves the drawn people until they are paused, and while nothing covers them", async () => {
  const asked = window.matchMedia.bind(window);
  const motion = vi.spyOn(window, "matchMedia");
  motion.mockImplementation((query) => asked(/reduced-motion/.test(query) ? "not all" : query));
  await openPage();
  const beat = () => document.querySelector<HTMLElement>("[data-beat]")?.dataset["beat"];
  const control = (key: "loop.pause" | "loop.play") => page.getByRole("button", { name: t(key) });
  await expect.element(control("loop.pause")).toBeVisible();
  await expect.poll(beat).not.toContain("said-3");
  await control("loop.pause").click();
  await expect.element(control("loop.play")).toBeVisible();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const isMoving = () => {
    const before = beat();
    vi.advanceTimersByTime(1_200);
    return beat() !== before;
  };
  expect(beat()).toContain("said-3");
  expect(isMoving()).toBe(false);
  await control("loop.play").click();
  await expect.poll(isMoving).toBe(true);
  await page.getByRole("button", { name: t("login.open"), exact: true }).click();
  await expect.element(login()).toBeVisible();
  expect(isMoving()).toBe(false);
  vi.useRealTimers();
});

test("shows a still picture with reduced motion", async () => {
  await openPage();
  await expect.poll(() => document.querySelector("[data-move=cat]")).not.toBeNull();
  await import("./DrawnLoop.tsx");
  await new Promise((idle) => requestIdleCallback(idle));
  expect(document.querySelector("[data-beat]")).toBeNull();
  expect(page.getByRole("button", { name: t("loop.pause") }).elements()).toEqual([]);
});

test("keeps a long nickname inside the page, also on a phone", async () => {
  await openPage({ as: { ...ana, nickname: "Wolfeschlegelsteinhausenbergerdorffwelch" } });
  for (const { width, height } of [desktop, phone]) {
    await page.viewport(width, height);
    await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent(/Wolfeschlegel/);
    expect(overflow().x).toBe(0);
  }
  await account().click();
  const menu = page.getByRole("menu").element();
  await expect.element(page.getByRole("menu").getByText(/^Wolfeschlegel/)).toBeVisible();
  expect(menu.scrollWidth - menu.clientWidth).toBeLessThanOrEqual(0);
});

test("moves nothing above a filter that is chosen, for visitors and members, on a desktop and a phone", async () => {
  await openPage({ as: ana });
  const headline = page.getByRole("heading", { level: 1 });
  const place = () => headline.element().getBoundingClientRect().top;
  for (const window of [desktop, phone]) {
    await page.viewport(window.width, window.height);
    await page.getByRole("radio", { name: /^Everyone/ }).click();
    await expect.element(page.getByText(t("home.free"))).toBeVisible();
    const before = [place(), start().element().getBoundingClientRect().top];
    await page.getByRole("radio", { name: /^Women/ }).click();
    await expect.element(page.getByRole("definition")).toHaveTextContent(/1,600/);
    expect([place(), start().element().getBoundingClientRect().top]).toEqual(before);
  }
});

test("names a key as the way out on devices with keys, and a tap on touch devices", async () => {
  const asked = window.matchMedia.bind(window);
  vi.spyOn(window, "matchMedia").mockImplementation((query) => asked(query === touchOnlyQuery ? "all" : query));
  await openPage();
  await expect.element(page.getByText(t("home.foot.leaveTap"))).toBeVisible();
  expect(page.getByText(t("home.foot.leave")).elements()).toEqual([]);
  vi.restoreAllMocks();
});

test("shows no focus ring around the whole page", async () => {
  await openPage({ as: ana });
  await userEvent.keyboard("{Tab}{Enter}");
  const main = page.getByRole("main");
  await expect.element(main).toHaveFocus();
  expect(main.element().matches(":focus-visible")).toBe(true);
  expect(getComputedStyle(main.element()).outlineStyle).toBe("none");
});
