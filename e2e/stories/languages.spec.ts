import { expect, type Request } from "@playwright/test";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { test } from "../support/people.ts";
import { wordsIn, wordsOf } from "../support/words.ts";

/** Whether a request asks for the names of countries in a language. */
const asksCountries = (request: Request, language: string) =>
  request.url().endsWith("/api/country/list") &&
  (request.postData() ?? "").includes(`name="language"\r\n\r\n${language}\r\n`);

/** The name of a language in itself. */
const ownName = (language: string) => interfaceLanguages.find(({ value }) => value === language)?.text ?? language;

test("changes texts, direction, title and description with the language, and sends it with every request", async ({
  visitor,
}) => {
  const page = await visitor();
  await page.evaluate(() => Object.assign(window, { kept: true }));
  const description = page.locator('meta[name="description"]');
  let before = "en";
  for (const [language, brazil] of [
    ["de", "Brasilien"],
    ["ur", "برازیل"],
    ["ga", "An Bhrasaíl"],
  ] as const) {
    const listed = page.waitForResponse((response) => asksCountries(response.request(), language));
    await page.getByRole("button", { name: wordsOf(before)("home.language") }).click();
    await page.getByRole("menuitemradio", { name: ownName(language) }).click();
    await expect(page.locator(`html[lang="${language}"][dir="${language === "ur" ? "rtl" : "ltr"}"]`)).toBeAttached();
    await expect(page).toHaveTitle(wordsIn(language, "app.title"));
    await expect(description).toHaveAttribute("content", wordsIn(language, "app.description"));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(wordsIn(language, "home.title"));
    const { code, data } = (await (await listed).json()) as {
      code: number;
      data: { code: string; languageText: string }[];
    };
    expect(code).toBe(200);
    expect(data.find((country) => country.code === "BR")?.languageText).toBe(brazil);
    expect(await page.evaluate(() => localStorage.getItem("language"))).toBe(language);
    before = language;
  }
  expect(await page.evaluate(() => "kept" in window)).toBe(true);
});
