import { expect, type Page } from "@playwright/test";
import { openProvider, phone, test } from "./support/looks.ts";
import { chooseAccount, expectToast, signIn, toasts } from "./support/people.ts";
import { words } from "./support/words.ts";

const dialog = (page: Page) => page.getByRole("dialog", { name: words("login.tagline") });
const contact = (page: Page) => page.getByRole("dialog", { name: words("login.contact") });
const provider = (page: Page, name: string) =>
  dialog(page).getByRole("button", { name: words("login.with", { name }) });

async function openPopup(page: Page): Promise<void> {
  await page.getByRole("button", { name: words("login.open") }).click();
  await expect(dialog(page)).toBeVisible();
}

async function expectNobodyIsSignedIn(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: words("home.account") })).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem("loginToken"))).toBeNull();
}

test("[SIGNIN-3] the popup offers three providers of the same weight, and closes by Escape, backdrop and cross", async ({
  visit,
}) => {
  const page = await visit("/");
  await openPopup(page);
  await expect(dialog(page).getByRole("heading")).toBeFocused();
  const looks = await Promise.all(
    ["Google", "Facebook", "Apple"].map((name) =>
      provider(page, name).evaluate((button) => {
        const { backgroundColor, color, fontWeight, fontSize, borderColor } = getComputedStyle(button);
        const { width, height } = button.getBoundingClientRect();
        return { backgroundColor, color, fontWeight, fontSize, borderColor, width, height };
      }),
    ),
  );
  expect(looks[1]).toEqual(looks[0]);
  expect(looks[2]).toEqual(looks[0]);

  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("button", { name: words("login.open") })).toBeFocused();
  await openPopup(page);
  await page.mouse.click(20, 450);
  await expect(dialog(page)).toBeHidden();
  await page.setViewportSize({ width: 520, height: 900 });
  await openPopup(page);
  await dialog(page)
    .getByRole("button", { name: words("common.close") })
    .click();
  await expect(dialog(page)).toBeHidden();
});

test("[SIGNIN-4, ERR-11] contact replaces the popup in place; back returns to the link; copying tells how it went", async ({
  visit,
}) => {
  const page = await visit("/", {
    before: () => {
      // The first copy succeeds, the second is refused.
      let copies = 0;
      const writeText = () =>
        ++copies === 1 ? Promise.resolve() : Promise.reject(new DOMException("no", "NotAllowedError"));
      Object.defineProperty(navigator, "clipboard", { value: { writeText } });
    },
  });
  await openPopup(page);
  await dialog(page)
    .getByRole("button", { name: words("login.contact") })
    .click();
  await expect(contact(page).getByRole("heading")).toBeFocused();
  await expect(page.getByRole("dialog")).toHaveCount(1);
  const [first, second] = [
    contact(page).getByRole("button", { name: /^Copy/ }).first(),
    contact(page).locator("li button").nth(1),
  ];
  await first.click();
  await expect(contact(page).getByText(words("common.copied"))).toBeVisible();
  await second.click();
  await expect(contact(page).getByText(words("common.copyFailed"))).toBeVisible();
  await expect(contact(page).getByText(words("common.copied"))).toBeHidden();
  await contact(page)
    .getByRole("button", { name: words("common.back") })
    .click();
  await expect(dialog(page).getByRole("button", { name: words("login.contact") })).toBeFocused();
});

test("[SIGNIN-33] while the provider's window is open its button says so; closing it changes nothing", async ({
  visit,
}) => {
  const page = await visit("/");
  await openPopup(page);
  const chooser = await openProvider(page);
  await expect(dialog(page).getByText(words("login.waiting"))).toBeVisible();
  await expect(provider(page, "Apple")).toBeEnabled();
  await chooser.close();
  await expect(provider(page, "Google")).toBeVisible();
  await expect(toasts(page)).toHaveCount(0);
  await expectNobodyIsSignedIn(page);
});

test("[ERR-4] a message with a forged token says that the login failed, and signs nobody in", async ({ visit }) => {
  const page = await visit("/");
  await openPopup(page);
  const chooser = await openProvider(page);
  await chooser.evaluate(() => {
    const message = { type: "fava-sandbox-identity", login_type: 1, third_party_id: "sandbox-google-ana" };
    const forged = { third_party_token: "eyJhbGciOiJub25lIn0.e30.", nickname: "Ana", avatar: "" };
    (window.opener as Window).postMessage({ ...message, ...forged }, location.origin);
  });
  await expectToast(page, "login.failed");
  await expectNobodyIsSignedIn(page);
});

test("[SIGNIN-34] a message of another window than the provider's is ignored", async ({ visit }) => {
  const page = await visit("/");
  const chooser = await openProvider(page);
  await page.evaluate(() => {
    const message = { type: "fava-sandbox-identity", login_type: 1, third_party_id: "x", third_party_token: "x" };
    window.postMessage({ ...message, nickname: "x", avatar: "" }, location.origin);
  });
  await chooseAccount(chooser, "ana");
  await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
});

test("[BAN-2] a banned person reads who, why and until when, alone on the page, and is not signed in", async ({
  visit,
}) => {
  const page = await visit("/");
  await openPopup(page);
  await chooseAccount(await openProvider(page), "rex");
  const notice = page.getByRole("alertdialog", { name: words("ban.title") });
  await expect(notice.getByText(words("ban.account"))).toBeVisible();
  await expect(notice.getByRole("definition").first()).toHaveText(/\d{8}/);
  await expect(notice.getByText(words("ban.reason"))).toBeVisible();
  await expect(notice.getByText(words("ban.until")).or(notice.getByText(words("ban.forever")))).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(notice).toBeVisible();
  await notice.getByRole("button", { name: words("common.ok") }).click();
  await expect(notice).toBeHidden();
  await expectNobodyIsSignedIn(page);
});

test("[ERR-9] who signs in elsewhere is told so in one dialog alone, with nothing personal behind it", async ({
  visit,
}) => {
  const page = await visit("/");
  await signIn(page, "mira");
  await page.getByRole("button", { name: words("home.account") }).waitFor();
  await page.getByRole("button", { name: words("home.account") }).click();
  const elsewhere = await visit("/");
  await signIn(elsewhere, "mira");
  const notice = page.getByRole("alertdialog", { name: words("kick.title") });
  await expect(notice).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByText("Mira")).toHaveCount(0);
  await notice.getByRole("button", { name: words("common.ok") }).click();
  await expectNobodyIsSignedIn(page);
  await expect(elsewhere.getByRole("button", { name: words("home.account") })).toBeVisible();
});

test("[LAYOUT-33] on a phone a visitor needs no scrolling, and Start stands under the thumb", async ({ visit }) => {
  const page = await visit("/", { viewport: phone });
  for (const language of ["en", "zh-CN", "ar", "tr", "id"]) {
    await page.evaluate((value) => localStorage.setItem("language", value), language);
    await page.reload();
    await expect(page.locator(`html[lang="${language}"] h1`)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollHeight), language).toBeLessThanOrEqual(
      phone.height,
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth), language).toBeLessThanOrEqual(phone.width);
  }
});
