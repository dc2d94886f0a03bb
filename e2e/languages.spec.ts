import { expect, type Page } from "@playwright/test";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { reportReasonIds } from "@fava/wire/reasons.ts";
import { expectVideoPlays, watchPeers } from "./support/media.ts";
import { openProvider, test, wordsIn } from "./support/looks.ts";
import { chooseAccount, expectCallState } from "./support/people.ts";

// All 27 catalogs are there; which are offered is a setting of the server.
test.use({ environment: { OFFERED_LANGUAGES: "zh-CN,en,ar,tr,id,de,ur,ga" } });

/**
 * What the page says in a language for a key without plurals, at the beginning of a text. Values match anything, or the
 * name that is given, with the signs that isolate its direction.
 */
function said(language: string, key: string, name?: string): RegExp {
  const parts = wordsIn(language, key)
    .replace(/<\/?\w+>/g, "")
    .split(/\{\w+\}/);
  const escaped = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`));
  return new RegExp(`^${escaped.join(name === undefined ? ".+?" : `[\u2066-\u2069]?${name}[\u2066-\u2069]?`)}`, "u");
}

/** The field of a call that names the language. */
const sentIn = (language: string) => new RegExp(`name="language"\\r\\n\\r\\n${language}\\r\\n`);

/** A language under its own name. */
const languageChoice = (language: string) =>
  interfaceLanguages.find(({ value }) => value === language)?.text ?? language;

const press = (page: Page, language: string, text: { key: string; name?: string }) =>
  page
    .getByRole("button", { name: said(language, text.key, text.name) })
    .first()
    .click();

/** From the home screen of somebody who has never been here to the search: sign-in, birthday, gender, the rules. */
async function firstSearch(page: Page, language: string, name: string): Promise<void> {
  await expect(page.locator(`html[lang="${language}"]`)).toBeAttached();
  await expect(page).toHaveTitle(wordsIn(language, "app.title"));
  await press(page, language, { key: "home.start" });
  await expect(page.getByRole("dialog", { name: said(language, "login.tagline") })).toBeVisible();
  await chooseAccount(await openProvider(page), { name });
  const birthday = page.getByRole("dialog", { name: said(language, "birth.title") });
  await birthday.getByRole("button", { name: said(language, "common.next") }).click();
  await press(page, language, { key: "birth.yes" });
  const gender = page.getByRole("dialog", { name: said(language, "gender.title") });
  await gender.getByRole("radio", { name: said(language, "gender.female") }).check();
  await gender.getByRole("button", { name: said(language, "common.next") }).click();
  await expect(gender).toBeHidden();
  // The wish to start is kept through the sign-in.
  await press(page, language, { key: "rules.ok" });
  await expect(page.locator("[data-match-state]")).toBeVisible();
}

for (const [language, locale, direction] of [
  ["ar", "ar-EG", "rtl"],
  ["zh-CN", "zh-TW", "ltr"],
  ["tr", "tr-TR", "ltr"],
  ["id", "id-ID", "ltr"],
  ["de", "de-AT", "ltr"],
] as const) {
  test(`[I18N-27] from the first visit to the first call in ${language}`, async ({ visit }) => {
    test.setTimeout(180_000);
    const open = () => visit("/", { devices: true, locale, before: watchPeers });
    const [one, other] = [await open(), await open()];
    await expect(one.locator("html")).toHaveAttribute("dir", direction);
    const answered = one.waitForRequest("**/api/login");
    await firstSearch(one, language, `${language} one`);
    expect((await answered).postData() ?? "").toMatch(sentIn(language));
    await firstSearch(other, language, `${language} other`);
    for (const page of [one, other]) await expectCallState(page, "in-call");
    await expectVideoPlays(one, said(language, "call.remote"));
    await expect(one.getByText(`${language} other`).first()).toBeVisible();
    await one.screenshot({ path: `test-results/screens/first-call-${language}.png` });
    await press(one, language, { key: "people.reportName", name: `${language} other` });
    const report = one.getByRole("dialog");
    for (const id of reportReasonIds)
      await expect(report.getByRole("radio", { name: said(language, `reason.report.${id}`) })).toBeVisible();
    await one.keyboard.press("Escape");
    await one.getByRole("button", { name: said(language, "call.end") }).click();
    await expect(one.getByRole("button", { name: said(language, "home.start") })).toBeVisible();
  });
}

test("[I18N-28] a change of language changes texts, direction, title and description, and reaches every call", async ({
  visit,
}) => {
  const page = await visit("/");
  await page.evaluate(() => void ((window as unknown as { kept: boolean }).kept = true));
  const description = page.locator('meta[name="description"]');
  let before = "en";
  for (const language of ["de", "ur", "ga"]) {
    // Names of countries come in the language of the call.
    const listed = page.waitForRequest(
      (request) => request.url().endsWith("/api/country/list") && sentIn(language).test(request.postData() ?? ""),
    );
    await press(page, before, { key: "home.language" });
    await page.getByRole("menuitemradio", { name: languageChoice(language) }).click();
    await expect(page.locator(`html[lang="${language}"][dir="${language === "ur" ? "rtl" : "ltr"}"]`)).toBeAttached();
    await expect(page).toHaveTitle(wordsIn(language, "app.title"));
    await expect(description).toHaveAttribute("content", wordsIn(language, "app.description"));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(wordsIn(language, "home.title"));
    await listed;
    expect(await page.evaluate(() => localStorage.getItem("language"))).toBe(language);
    before = language;
  }
  expect(await page.evaluate(() => (window as unknown as { kept?: boolean }).kept)).toBe(true);
});
