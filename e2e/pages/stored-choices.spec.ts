import { expect, type Page } from "@playwright/test";
import { ana, countryOf } from "@fava/web/testing/fixtures.ts";
import { test } from "../support/fixture-page.ts";
import { words } from "../support/words.ts";

const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

test("keeps the filters over a reload", async ({ world }) => {
  const page = await world.open({ as: ana });
  const region = page.getByRole("button", { name: /^From/ });
  await page.getByRole("radio", { name: /^Women/ }).check();
  await region.click();
  const preferences = page.getByRole("dialog", { name: words("pref.title") });
  await preferences.getByRole("radio", { name: /^One country/ }).check();
  await preferences.getByRole("radio", { name: "Brazil" }).check();
  await preferences.getByRole("button", { name: words("common.save") }).click();
  await expect(preferences).toBeHidden();
  await page.reload();
  await expect(region).toContainText("Brazil");
  await expect(page.getByRole("radio", { name: /^Women/ })).toBeChecked();
  const country: unknown = JSON.parse((await stored(page, "filterCountry")) ?? "null");
  expect(country).toEqual({ mode: "country", id: countryOf("BR").country_id });
});

test("changes text, direction and title with the language without a reload, and stores it", async ({ world }) => {
  const page = await world.open();
  await page.evaluate(() => Object.assign(window, { kept: true }));
  const title = await page.title();
  await page.getByRole("button", { name: words("home.language") }).click();
  const menu = page.getByRole("menu", { name: words("home.language") });
  await expect(menu.getByRole("menuitemradio")).toHaveCount(5);
  await menu.getByRole("menuitemradio", { name: "العربية" }).click();
  await expect(page.locator('html[lang="ar"][dir="rtl"]')).toBeAttached();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/لمسة/);
  expect(await page.title()).not.toBe(title);
  expect(await stored(page, "language")).toBe("ar");
  expect(await page.evaluate(() => "kept" in window)).toBe(true);
  // Mirrored: the logo and the text stand at the right.
  const middle = 720;
  const box = await page.getByRole("heading", { level: 1 }).boundingBox();
  expect(box?.x ?? 0).toBeGreaterThan(middle);
  await page.reload();
  await expect(page.locator('html[lang="ar"][dir="rtl"]')).toBeAttached();
});

test("follows the system theme until the user chooses one, and stores it", async ({ world }) => {
  const page = await world.open({ as: ana, colorScheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(background).not.toBe(dark);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(background).toBe(dark);
  await page.getByRole("button", { name: words("home.account") }).click();
  await page.getByRole("menuitemradio", { name: words("menu.theme.light") }).click();
  await expect(page.locator('html[data-theme="light"]')).toBeAttached();
  await expect.poll(background).not.toBe(dark);
  expect(await stored(page, "theme")).toBe("light");
  await page.reload();
  await expect(page.locator('html[data-theme="light"]')).toBeAttached();
});

test("says that it is offline, and recovers by itself", async ({ world }) => {
  world.expectErrors(/ERR_INTERNET_DISCONNECTED/);
  const page = await world.open();
  await page.getByText(words("home.online")).waitFor();
  await page.context().setOffline(true);
  await expect(page.locator("#reach").getByText(words("offline.text"))).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.locator("#reach").getByText(words("offline.text"))).toBeHidden();
});
