import { expect, type Page } from "@playwright/test";
import { phone, test } from "./support/looks.ts";
import { expectToast, signIn } from "./support/people.ts";
import { words } from "./support/words.ts";

const preferences = (page: Page) => page.getByRole("dialog", { name: words("pref.title") });
const region = (page: Page) => page.getByRole("button", { name: /^From/ });
const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

async function signedIn(page: Page, person: string): Promise<void> {
  await signIn(page, person);
  await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
}

/** The next report of the page to the server, as the fields of its form. */
async function nextReport(page: Page, act: () => Promise<void>): Promise<Record<string, string>> {
  const [request] = await Promise.all([page.waitForRequest("**/api/active"), act()]);
  const fields = (request.postData() ?? "").matchAll(/name="(\w+)"\r\n\r\n([^\r]*)\r\n/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]));
}

test("[STORE-10, MATCH-21] what a person wants to meet is kept in the browser and reported with type 3", async ({
  visit,
}) => {
  const page = await visit("/");
  await signedIn(page, "ana");
  const women = await nextReport(page, () => page.getByRole("radio", { name: /^Women/ }).check());
  expect(women).toMatchObject({ type: "3", sex: "2", country: "-1" });
  expect(await stored(page, "filterGender")).toBe("2");

  await region(page).click();
  await preferences(page)
    .getByRole("radio", { name: /^One country/ })
    .check();
  await preferences(page).getByRole("searchbox").fill("brazil");
  await preferences(page).getByRole("radio", { name: "Brazil" }).check();
  const both = await nextReport(page, () =>
    preferences(page)
      .getByRole("button", { name: words("common.save") })
      .click(),
  );
  await expectToast(page, "pref.saved");
  const country = JSON.parse((await stored(page, "filterCountry")) ?? "null") as { mode: string; id: number };
  expect(country).toEqual({ mode: "country", id: Number(both["country"]) });
  expect(both).toMatchObject({ type: "3", sex: "2" });

  await page.reload();
  await expect(region(page)).toContainText("Brazil");
  await expect(page.getByRole("radio", { name: /^Women/ })).toBeChecked();
});

test("[MATCH-20] closing the preferences without Save changes nothing", async ({ visit }) => {
  const page = await visit("/");
  await region(page).click();
  await preferences(page)
    .getByRole("radio", { name: /^Women/ })
    .check();
  await preferences(page)
    .getByRole("radio", { name: /^Global/ })
    .check();
  await page.keyboard.press("Escape");
  await expect(preferences(page)).toBeHidden();
  await expect(region(page)).toBeFocused();
  await expect(page.getByRole("radio", { name: /^Everyone/ })).toBeChecked();
  expect(await stored(page, "filterGender")).toBeNull();
  expect(await stored(page, "filterCountry")).toBeNull();
});

test("[HOME-3] the price follows the filters at once, in beans and in money, and is never smaller than the choice", async ({
  visit,
}) => {
  const page = await visit("/");
  await expect(page.getByText(words("home.free"))).toBeVisible();
  await page.getByRole("radio", { name: /^Men/ }).check();
  await expect(page.getByRole("definition")).toHaveText(/1,600about \$1\.60/);
  await region(page).click();
  await preferences(page)
    .getByRole("radio", { name: /^One country/ })
    .check();
  // A country is still to be chosen, and is paid for already.
  const total = preferences(page).getByText(words("price.perMinute")).locator("..");
  await expect(total).toContainText("2,000");
  await preferences(page).getByRole("radio", { name: "Germany" }).check();
  await expect(total).toContainText("2,000");
  await preferences(page)
    .getByRole("button", { name: words("common.save") })
    .click();
  await expect(page.getByRole("definition")).toHaveText(/2,000about \$2\.00/);
});

test("[COUNTRY-5] the country search ignores accents and case, and says when there is none; on a phone it is a page", async ({
  visit,
}) => {
  const page = await visit("/", { viewport: phone });
  await region(page).click();
  await preferences(page)
    .getByRole("radio", { name: /^One country/ })
    .click();
  const list = page.getByRole("dialog", { name: words("region.title") });
  await expect(list.getByRole("heading").first()).toBeFocused();
  await list.getByRole("searchbox").fill("TURKIY");
  await expect(list.getByRole("radio")).toHaveCount(1);
  await list.getByRole("searchbox").fill("zzz");
  await expect(list.getByText(words("region.none"))).toBeVisible();
  await list.getByRole("button", { name: words("common.back") }).click();
  await expect(preferences(page).getByRole("heading").first()).toBeFocused();
});

test("[HOME-5] the number of people online lies between 110000 and 111000", async ({ visit }) => {
  const page = await visit("/");
  const text = (await page.getByText(words("home.online")).textContent()) ?? "";
  const count = Number(text.replaceAll(/\D/g, ""));
  expect(count).toBeGreaterThanOrEqual(110_000);
  expect(count).toBeLessThanOrEqual(111_000);
});

test("[I18N-3, I18N-11] another language changes text, direction and title without a reload, and is kept", async ({
  visit,
}) => {
  const page = await visit("/");
  await page.evaluate(() => void ((window as unknown as { kept: boolean }).kept = true));
  const title = await page.title();
  await page.getByRole("button", { name: words("home.language") }).click();
  const menu = page.getByRole("menu", { name: words("home.language") });
  await expect(menu.getByRole("menuitemradio")).toHaveCount(5);
  await menu.getByRole("menuitemradio", { name: "العربية" }).click();
  await expect(page.locator('html[lang="ar"][dir="rtl"]')).toBeAttached();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/لمسة/);
  expect(await page.title()).not.toBe(title);
  expect(await stored(page, "language")).toBe("ar");
  expect(await page.evaluate(() => (window as unknown as { kept?: boolean }).kept)).toBe(true);
  // Mirrored: the logo stands at the right, the words at the right of the picture.
  const middle = 720;
  const box = await page.getByRole("heading", { level: 1 }).boundingBox();
  expect(box?.x ?? 0).toBeGreaterThan(middle);
  await page.reload();
  await expect(page.locator('html[lang="ar"][dir="rtl"]')).toBeAttached();
});

test("[STORE-31] the theme follows the system until one is chosen, and is kept", async ({ visit }) => {
  const page = await visit("/", { colorScheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await signedIn(page, "bo");
  await page.getByRole("button", { name: words("home.account") }).click();
  await page.getByRole("menuitemradio", { name: words("menu.theme.light") }).click();
  await expect(page.locator('html[data-theme="light"]')).toBeAttached();
  await expect.poll(background).not.toBe(dark);
  expect(await stored(page, "theme")).toBe("light");
  await page.reload();
  await expect(page.locator('html[data-theme="light"]')).toBeAttached();
});

test("[HOME-6] terms and privacy open a new window on a desktop, and are pages on a phone", async ({ visit }) => {
  const page = await visit("/");
  await signedIn(page, "theo");
  await page.getByRole("button", { name: words("home.account") }).click();
  const opened = page.waitForEvent("popup");
  await page.getByRole("menuitem", { name: new RegExp(words("menu.terms").source.replace("$", "")) }).click();
  await expect(await opened).toHaveURL(/\/userAgreement$/);
  await expect(page).toHaveURL(/\/$/);

  await page.setViewportSize(phone);
  await page.getByRole("button", { name: words("home.account") }).click();
  await page.getByRole("menuitem", { name: words("menu.privacy") }).click();
  await expect(page).toHaveURL(/\/privacyPolicy$/);
});

test("[HOME-7] the camera is never asked for on load; on a phone devices are chosen behind a button", async ({
  visit,
}) => {
  const page = await visit("/", {
    devices: true,
    viewport: phone,
    before: () => {
      if (!navigator.mediaDevices) return;
      const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = (wanted) => {
        document.documentElement.dataset["asked"] = "yes";
        return real(wanted);
      };
    },
  });
  await signedIn(page, "sam");
  await expect(page.getByText(words("home.offTitle"))).toBeVisible();
  await expect(page.locator("html[data-asked]")).toHaveCount(0);
  await page.getByRole("button", { name: words("home.turnOn") }).click();
  await expect(page.getByText(words("home.only"))).toBeVisible();
  await page.getByRole("button", { name: words("home.devices") }).click();
  const sheet = page.getByRole("dialog", { name: words("home.devices") });
  await expect(sheet.getByLabel(words("home.camera"))).toHaveValue(/./);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: words("home.devices") })).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(phone.height);
});

test("[ERR-31] without a network the page says so and goes on by itself", async ({ visit }) => {
  const page = await visit("/", { expected: /ERR_INTERNET_DISCONNECTED/ });
  await page.getByText(words("home.online")).waitFor();
  await page.context().setOffline(true);
  await expect(page.getByText(words("offline.text"))).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(words("offline.text"))).toBeHidden();
});
