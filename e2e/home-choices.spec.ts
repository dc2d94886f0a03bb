import { expect, type Page } from "@playwright/test";
import { phone, signInHere, test, wordsIn } from "./support/looks.ts";
import { acceptRules, callScreen } from "./support/people.ts";
import { words } from "./support/words.ts";

const start = (page: Page) => page.getByRole("button", { name: words("home.start") });
const account = (page: Page) => page.getByRole("button", { name: words("home.account") });
const beans = (page: Page) => page.getByRole("banner").getByRole("button", { name: /bean/ });
const region = (page: Page) => page.getByRole("main").getByRole("button", { name: /^From/ });
const preferences = (page: Page) => page.getByRole("dialog", { name: words("pref.title") });
const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

/** Counts how often the page asks for camera and microphone, where a test can read it. */
function countMediaRequests(): void {
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  const page = window as unknown as { mediaRequests: number };
  page.mediaRequests = 0;
  navigator.mediaDevices.getUserMedia = (constraints) => {
    page.mediaRequests += 1;
    return real(constraints);
  };
}

const mediaRequests = (page: Page) =>
  page.evaluate(() => (window as unknown as { mediaRequests: number }).mediaRequests);

test("[HOME-1] a visitor finds headline, filters, start, three social buttons, consent and notices", async ({
  visit,
}) => {
  const page = await visit("/");
  await expect(page.getByRole("heading", { level: 1, name: words("home.title") })).toBeVisible();
  await expect(page.getByRole("radio", { name: /Women/ })).toBeVisible();
  await expect(region(page)).toBeVisible();
  await expect(start(page)).toBeVisible();
  for (const name of ["Google", "Facebook", "Apple"])
    await expect(page.getByRole("button", { name: words("login.with", { name }) })).toBeVisible();
  await expect(page.getByText(words("home.consent"))).toBeVisible();
  for (const path of ["/userAgreement", "/privacyPolicy"])
    await expect(page.getByRole("main").locator(`a[href="${path}"]`)).toBeVisible();
  await expect(page.getByText(words("home.foot.adults"))).toBeVisible();
});

test("[HOME-4] the header shows online count, balance and login; both buttons open the login popup of a visitor", async ({
  visit,
}) => {
  const page = await visit("/");
  const login = page.getByRole("dialog", { name: words("login.tagline") });
  const online = page.getByText(words("home.online"));
  await expect(online).toBeVisible();
  const count = Number((await online.innerText()).replaceAll(/\D/g, ""));
  expect(count).toBeGreaterThanOrEqual(110_000);
  expect(count).toBeLessThanOrEqual(111_000);
  await beans(page).click();
  await expect(login).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(login).toBeHidden();
  await page.getByRole("button", { name: words("login.open") }).click();
  await expect(login).toBeVisible();
});

test("[GUARD-4] the header has no tabs", async ({ visit }) => {
  const page = await visit("/");
  await expect(start(page)).toBeVisible();
  await expect(page.getByRole("banner").getByRole("tab")).toHaveCount(0);
  await expect(page.getByRole("banner").getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("banner").getByRole("link")).toHaveCount(0);
});

test("[HOME-2] [HOME-3] each filter says what it costs, and the line below what they cost together", async ({
  visit,
}) => {
  const page = await visit("/");
  await expect(page.getByText(words("home.free"))).toBeVisible();
  await expect(page.getByRole("radio", { name: /Women/ })).toHaveAccessibleName(/1,600/);
  await page.getByRole("radio", { name: /Women/ }).check();
  const price = page.getByRole("main").locator("dl").first();
  await expect(price).toContainText("1,600");
  await expect(price).toContainText("$1.60");
  await expect(page.getByText(words("price.searching"))).toBeVisible();
  await page.getByRole("radio", { name: /Everyone/ }).check();
  await expect(page.getByText(words("home.free"))).toBeVisible();
});

test("[HOME-6] the user menu opens by hovering; terms and privacy open a window on a desktop and a page on a phone", async ({
  visit,
}) => {
  const page = await visit("/");
  await signInHere(page, "ana");
  await beans(page).click();
  await expect(page.getByRole("dialog", { name: words("beans.balanceTitle") })).toBeVisible();
  await page.keyboard.press("Escape");
  await account(page).hover();
  const entry = (key: string) => page.getByRole("menuitem", { name: new RegExp(wordsIn("en", key)) });
  await expect(entry("menu.contact")).toBeVisible();
  await expect(entry("menu.signOut")).toBeVisible();
  for (const [key, path] of [
    ["menu.terms", "/userAgreement"],
    ["menu.privacy", "/privacyPolicy"],
  ] as const) {
    await expect(entry(key)).toHaveAttribute("href", path);
    await expect(entry(key)).toHaveAttribute("target", "_blank");
  }
  await page.mouse.move(400, 600);
  await page.keyboard.press("Escape");
  await page.setViewportSize(phone);
  await account(page).click();
  await expect(entry("menu.terms")).not.toHaveAttribute("target", "_blank");
  await entry("menu.terms").click();
  await expect(page).toHaveURL(/\/userAgreement$/);
});

test("[HOME-7] camera and microphone are asked for by a press only; then the tiles are the own picture", async ({
  visit,
}) => {
  const page = await visit("/", { devices: true, before: countMediaRequests });
  await signInHere(page, "bo");
  await expect(page.getByText(words("home.offTitle"))).toBeVisible();
  expect(await mediaRequests(page)).toBe(0);
  await page.getByRole("button", { name: words("home.turnOn") }).click();
  await expect(page.getByText(words("home.only"))).toBeVisible();
  expect(await mediaRequests(page)).toBe(1);
  const preview = page.getByRole("region", { name: words("home.camera") });
  await expect
    .poll(() => preview.locator("video").evaluate((video: HTMLVideoElement) => video.videoWidth))
    .toBeGreaterThan(0);
  await expect(preview.getByRole("meter")).toBeVisible();
  for (const key of ["home.camera", "home.microphone"])
    await expect(preview.getByRole("combobox", { name: words(key) })).toBeVisible();
});

test("[HOME-9] before the browser asks, the page says why", async ({ visit }) => {
  const page = await visit("/", { before: countMediaRequests });
  await signInHere(page, "theo");
  await start(page).click();
  await expect(page.getByRole("dialog", { name: words("perm.title") })).toBeVisible();
  expect(await mediaRequests(page)).toBe(0);
  await page.getByRole("button", { name: words("perm.go") }).click();
  expect(await mediaRequests(page)).toBe(1);
});

test("[HOME-8] [MATCH-4] [CALL-20] the safety rules come before the first search, and never again once ticked", async ({
  visit,
}) => {
  const page = await visit("/", { devices: true });
  await signInHere(page, "sam");
  await start(page).click();
  const rules = page.getByRole("dialog", { name: words("rules.title") });
  await expect(rules).toBeVisible();
  await expect(rules.getByText(words("rules.5t"))).toBeVisible();
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
  await rules.getByRole("checkbox", { name: words("rules.never") }).check();
  await acceptRules(page);
  await expect(callScreen(page)).toBeVisible();
  expect(await stored(page, "neverShowRule")).toBe("1");
  await page.keyboard.press("Escape");
  await expect(callScreen(page)).toBeHidden();
  await start(page).click();
  await expect(callScreen(page)).toBeVisible();
  await expect(rules).toBeHidden();
});

test("[MATCH-20] [MATCH-21] preferences hold once they are saved, here and on the server; closing changes nothing", async ({
  visit,
}) => {
  const page = await visit("/");
  await signInHere(page, "kate");
  await expect(account(page)).toBeVisible();
  await region(page).click();
  await preferences(page)
    .getByRole("radio", { name: /Global/ })
    .check();
  await page.keyboard.press("Escape");
  await expect(preferences(page)).toBeHidden();
  expect(await stored(page, "filterCountry")).toBeNull();
  await expect(region(page)).toContainText("Balanced");

  await region(page).click();
  await preferences(page)
    .getByRole("radio", { name: /One country/ })
    .check();
  await preferences(page).getByRole("searchbox").fill("braz");
  await preferences(page).getByRole("radio", { name: "Brazil" }).check();
  const reported = page.waitForRequest("**/api/active");
  await preferences(page)
    .getByRole("button", { name: words("common.save") })
    .click();
  const form = (await reported).postData() ?? "";
  expect(form).toMatch(/name="type"\s+3\s/);
  expect(JSON.parse((await stored(page, "filterCountry")) ?? "")).toEqual({
    mode: "country",
    id: Number(/name="country"\s+(\d+)\s/.exec(form)?.[1]),
  });
  expect(await stored(page, "filterGender")).toBe("0");
  await expect(region(page)).toContainText("Brazil");
  await expect(region(page)).toContainText("800");
});

test("[BEANS-4] a paid filter without beans says so, and offers the way that is free", async ({ visit }) => {
  const page = await visit("/", { devices: true });
  await signInHere(page, "omar");
  await page.getByRole("radio", { name: /Women/ }).check();
  await start(page).click();
  await acceptRules(page);
  const notice = page.getByRole("dialog", { name: words("beans.notEnoughTitle") });
  await expect(notice).toContainText("1,600");
  await notice.getByRole("button", { name: words("beans.useFree") }).click();
  await acceptRules(page);
  await expect(callScreen(page)).toBeVisible();
  expect(await stored(page, "filterGender")).toBe("0");
});
