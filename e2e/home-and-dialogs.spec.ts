import { expect, type Page } from "@playwright/test";
import { signInHere, test } from "./support/looks.ts";
import { acceptRules, callScreen, toasts } from "./support/people.ts";
import { words } from "./support/words.ts";

const start = (page: Page) => page.getByRole("button", { name: words("home.start") });
const login = (page: Page) => page.getByRole("dialog", { name: words("login.tagline") });
const openLogin = (page: Page) => page.getByRole("button", { name: words("login.open") }).click();
const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

test("[HOME-1, HOME-2] a visitor finds headline, filters with their prices, start, social buttons, consent and notices", async ({
  visit,
}) => {
  const page = await visit("/");
  const main = page.getByRole("main");
  await expect(page.getByRole("heading", { level: 1, name: words("home.title") })).toBeVisible();
  await expect(page.getByRole("radio", { name: /Everyone/ })).toHaveAccessibleName(/Free/);
  for (const wish of [/Women/, /^Men/])
    await expect(page.getByRole("radio", { name: wish })).toHaveAccessibleName(/1,600/);
  await expect(main.getByRole("button", { name: /^From/ })).toContainText("Free");
  await expect(start(page)).toBeVisible();
  for (const name of ["Google", "Facebook", "Apple"])
    await expect(main.getByRole("button", { name: words("login.with", { name }) })).toBeVisible();
  // The links in it say to readers that they open a new window.
  await expect(main.getByText(/^By starting you confirm that you are 18 or over/)).toBeVisible();
  for (const path of ["/userAgreement", "/privacyPolicy"])
    await expect(main.locator(`a[href="${path}"]`)).toBeVisible();
  await expect(page.getByText(words("home.foot.adults"))).toBeVisible();
});

test("[HOME-4, GUARD-4] a visitor's balance and login button open the popup; the header has no tabs", async ({
  visit,
}) => {
  const page = await visit("/");
  const header = page.getByRole("banner");
  await header.getByRole("button", { name: /bean/ }).click();
  await expect(login(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(login(page)).toBeHidden();
  await openLogin(page);
  await expect(login(page)).toBeVisible();
  await page.keyboard.press("Escape");
  for (const role of ["tab", "tablist", "navigation", "link"] as const)
    await expect(header.getByRole(role)).toHaveCount(0);
});

test("[HOME-8, MATCH-4, CALL-20] the safety rules come before a search, and never again once ticked", async ({
  visit,
}) => {
  const page = await visit("/", { devices: true });
  await signInHere(page, "sam");
  await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
  await start(page).click();
  const rules = page.getByRole("dialog", { name: words("rules.title") });
  await expect(rules).toContainText("17+. You must be 18");
  await page.keyboard.press("Escape");
  await expect(rules).toBeVisible();
  await acceptRules(page);
  await expect(callScreen(page)).toHaveAttribute("data-match-state", "1");
  await expect(page.getByRole("timer")).toHaveText(words("search.time"));
  await expect(callScreen(page).getByText(words("pref.both"))).toBeVisible();
  await expect(callScreen(page).getByText(words("search.free"))).toBeVisible();
  expect(await stored(page, "neverShowRule")).toBeNull();
  await page.keyboard.press("Escape");
  await expect(callScreen(page)).toBeHidden();

  await start(page).click();
  // The mark is drawn over the box itself.
  await rules.getByText(words("rules.never")).click();
  await acceptRules(page);
  await expect(callScreen(page)).toBeVisible();
  expect(await stored(page, "neverShowRule")).toBe("1");
  await page.keyboard.press("Escape");
  await expect(callScreen(page)).toBeHidden();
  await start(page).click();
  await expect(callScreen(page)).toBeVisible();
  await expect(rules).toBeHidden();
});

test("[PAGE-3] about us has three features, the long section, a copyright line, and its ways on", async ({ visit }) => {
  const page = await visit("/aboutUs");
  const main = page.getByRole("main");
  const features = page.getByRole("region", { name: words("page.aboutFeatures") }).getByRole("article");
  await expect(features).toHaveCount(3);
  for (const feature of await features.all()) {
    await expect(feature.getByRole("heading")).toBeVisible();
    await expect(feature.locator("svg").first()).toBeVisible();
  }
  await expect(
    page
      .getByRole("region", { name: words("page.aboutInfo") })
      .getByRole("article")
      .first(),
  ).toBeVisible();
  await expect(main.getByText(/©/)).toBeVisible();
  await expect(main.locator('a[href="/userAgreement"]').first()).toHaveAttribute("target", "_blank");
  await page.getByRole("button", { name: words("page.contact") }).click();
  const panel = page.getByRole("dialog", { name: words("page.cooperation") });
  await expect(panel.locator('a[href^="mailto:"]')).toHaveCount(2);
  await expect(panel.locator('a[href^="tel:"]')).toHaveCount(1);
  await panel.click({ position: { x: 8, y: 8 } });
  await expect(panel).toBeHidden();
  await main.locator('a[href="/communityRules"]').first().click();
  await expect(page).toHaveURL(/\/communityRules$/);
});

test("[UI-3, LAYOUT-1] in a window of 520 px height a dialog is a bottom sheet with a back arrow", async ({
  visit,
}) => {
  const page = await visit("/", { viewport: { width: 900, height: 520 } });
  await openLogin(page);
  await expect(login(page)).toBeVisible();
  const box = () =>
    login(page).evaluate((element) => {
      const { bottom, width, height } = element.getBoundingClientRect();
      return { bottom, width, height, closeMs: getComputedStyle(element).getPropertyValue("--close-ms") };
    });
  await expect.poll(box).toMatchObject({ bottom: 520, width: 900, closeMs: "500ms" });
  expect((await box()).height).toBeGreaterThanOrEqual(0.2 * 520);
  await login(page)
    .getByRole("button", { name: words("common.back") })
    .click();
  await expect(login(page)).toBeHidden();

  await page.setViewportSize({ width: 900, height: 521 });
  await openLogin(page);
  await expect(login(page).getByRole("button", { name: words("common.back") })).toHaveCount(0);
  await expect.poll(async () => (await box()).width).toBeLessThan(900);
  await page.mouse.click(10, 260);
  await expect(login(page)).toBeHidden();
});

test("[UI-1, ERR-3] no answer is the toast Server error, which goes by itself, and at once by Escape", async ({
  visit,
}) => {
  const page = await visit("/", { expected: /Failed to load resource/ });
  await page.route("**/api/login", (route) => route.abort());
  await signInHere(page, "bo");
  const toast = toasts(page).filter({ hasText: "Server error" });
  await expect(toast).toHaveAttribute("data-type", "error");
  await expect(toast).toBeHidden({ timeout: 10_000 });
  await signInHere(page, "bo");
  await expect(toast).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(toast).toBeHidden({ timeout: 1_500 });
});

test("[UI-2] what takes longer covers the page with what is being done, until it is done", async ({ visit }) => {
  const page = await visit("/");
  await signInHere(page, { name: "Patient One" });
  await page.getByRole("button", { name: words("common.next") }).click();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => void (release = resolve));
  await page.route("**/api/user/update", async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("button", { name: words("birth.yes") }).click();
  const cover = page.locator("dialog[open] output");
  await expect(cover).toHaveText(/\S/);
  release();
  await expect(page.getByRole("dialog", { name: words("gender.title") })).toBeVisible();
  await expect(cover).toHaveCount(0);
});

test("[HOME-4, HOME-6] signed in, hovering the avatar opens the menu, and the balance opens the shop", async ({
  visit,
}) => {
  const page = await visit("/");
  await signInHere(page, "ana");
  await page.getByRole("button", { name: words("home.account") }).hover();
  for (const key of ["menu.contact", "menu.terms", "menu.privacy", "menu.signOut"])
    await expect(
      page
        .getByRole("menuitem", { name: words(key) })
        .or(page.getByText(words(key)))
        .first(),
    ).toBeVisible();
  await page.mouse.move(20, 700);
  await page.keyboard.press("Escape");
  await page.getByRole("banner").getByRole("button", { name: /bean/ }).click();
  await expect(page.getByRole("dialog", { name: words("shop.title") })).toBeVisible();
});
