import { expect, type Page } from "@playwright/test";
import { signInHere, test } from "./support/looks.ts";
import { words } from "./support/words.ts";

const login = (page: Page) => page.getByRole("dialog", { name: words("login.tagline") });
const notFound = (page: Page) => page.getByRole("heading", { name: words("page.notFound.title") });

test("[GUARD-1] a protected route opens the login popup over home, any other route closes it", async ({ visit }) => {
  for (const path of ["/avatarAudit", "/photoReview", "/reportReview"]) {
    const page = await visit(path);
    await expect(login(page)).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: words("home.title"), includeHidden: true })).toBeVisible();
    await page.close();
  }
  const page = await visit("/");
  await page.getByRole("button", { name: words("login.open") }).click();
  await login(page).getByRole("link").first().click();
  await expect(page).toHaveURL(/\/userAgreement$/);
  await expect(login(page)).toBeHidden();
});

test("[GUARD-2] a user who opens a moderators' route is sent to /404; a moderator enters", async ({ visit }) => {
  const page = await visit("/reportReview", { expected: /404/ });
  await signInHere(page, "lale");
  await expect(notFound(page)).toBeVisible();
  await expect(page).toHaveURL(/\/404$/);
  const desk = await visit("/reportReview");
  await signInHere(desk, "mia");
  await expect(desk.getByRole("heading", { name: words("page.desk.title") })).toBeVisible();
});

test("[GUARD-5] a path that does not exist leads to /404", async ({ visit }) => {
  const page = await visit("/nowhere", { expected: /404/ });
  await expect(notFound(page)).toBeVisible();
  await expect(page).toHaveURL(/\/404$/);
});

test("[PAGE-2] privacy, terms and rules are open to everyone, with a short version and contents that lead on", async ({
  visit,
}) => {
  for (const path of ["/privacyPolicy", "/userAgreement", "/communityRules"]) {
    const page = await visit(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("heading", { level: 2, name: words("page.inShort") })).toBeVisible();
    const entry = page
      .getByRole("navigation", { name: words("page.contents") })
      .getByRole("link")
      .last();
    const anchor = (await entry.getAttribute("href")) ?? "";
    await entry.click();
    await expect(page).toHaveURL(new RegExp(`${anchor}$`));
    await expect(page.locator(anchor.slice(anchor.indexOf("#")))).toBeInViewport();
    await page.close();
  }
});

test("[PAGE-3] about us has three features, the long section, a copyright line, and its three ways on", async ({
  visit,
}) => {
  const page = await visit("/aboutUs");
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
  await expect(page.getByText(/©/).first()).toBeVisible();
  const main = page.getByRole("main");
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

test("[UI-3] [LAYOUT-1] in a window of 520 px height a dialog is a bottom sheet with a back arrow", async ({
  visit,
}) => {
  const page = await visit("/", { viewport: { width: 900, height: 520 } });
  await page.getByRole("button", { name: words("login.open") }).click();
  const sheet = login(page);
  await expect(sheet).toBeVisible();
  const box = await sheet.evaluate((element) => {
    const { bottom, width, height } = element.getBoundingClientRect();
    return { bottom, width, height, closeMs: getComputedStyle(element).getPropertyValue("--close-ms") };
  });
  expect(box).toMatchObject({ bottom: 520, width: 900, closeMs: "500ms" });
  expect(box.height).toBeGreaterThanOrEqual(0.2 * 520);
  await sheet.getByRole("button", { name: words("common.back") }).click();
  await expect(sheet).toBeHidden();
  await page.setViewportSize({ width: 900, height: 521 });
  await page.getByRole("button", { name: words("login.open") }).click();
  await expect(sheet.getByRole("button", { name: words("common.back") })).toHaveCount(0);
  await expect.poll(() => sheet.evaluate((element) => element.getBoundingClientRect().width)).toBeLessThan(900);
  await page.mouse.click(10, 260);
  await expect(sheet).toBeHidden();
});

test("[UI-1] [ERR-3] an answer that does not come is the toast Server error, which goes by itself and by Escape", async ({
  visit,
}) => {
  const page = await visit("/", { expected: /Failed to load resource/ });
  await page.route("**/api/login", (route) => route.abort());
  await signInHere(page, "bo");
  const toast = page.getByRole("alert").filter({ hasText: "Server error" });
  await expect(toast).toHaveAttribute("data-type", "error");
  await expect(toast).toBeHidden({ timeout: 10_000 });
  await signInHere(page, "bo");
  await expect(toast).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(toast).toBeHidden({ timeout: 1_000 });
});
