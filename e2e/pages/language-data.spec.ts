import { expect } from "@playwright/test";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { oneScript } from "../../web/vite/one-script.ts";
// Not Playwright's own test function: another kind of test has its own worker and browser.
import { test } from "../support/fixture-page.ts";

const languages = interfaceLanguages.map(({ value }) => value);
const moments = [Date.UTC(2026, 0, 2, 7, 5, 9), Date.UTC(2025, 7, 28, 12, 30), Date.UTC(2026, 10, 21, 23, 59, 59)];
const values = [0, 2, 1_234.5, 12_345_678];
const numberOptions: readonly Intl.NumberFormatOptions[] = [
  { maximumFractionDigits: 2 },
  { style: "percent", maximumFractionDigits: 1 },
  { style: "currency", currency: "USD" },
  { style: "currency", currency: "EUR" },
  { style: "currency", currency: "TRY" },
  { style: "unit", unit: "minute", unitDisplay: "short", maximumFractionDigits: 0 },
  { style: "unit", unit: "hour", unitDisplay: "short", maximumFractionDigits: 0 },
  { style: "unit", unit: "megabyte", maximumFractionDigits: 1 },
];
const distances = [1, 3, 7, 18];

/** The parts of `web/src/lib/intl.ts` that are tested here. */
interface PageIntl {
  dateStyles: Readonly<Record<string, Intl.DateTimeFormatOptions>>;
  loadFormats: (language: string) => Promise<void>;
  dateFormat: (language: string, style: string, timeZone: string) => (atMs: number) => string;
  numberFormat: (language: string, options: Intl.NumberFormatOptions) => (value: number) => string;
  agoText: (language: string, count: number, unit: "minute" | "hour") => string;
}

type Written = Readonly<Record<string, readonly string[]>>;

/** Where the full locale data is worse: a slash in a moment, and English day periods in Korean. */
const better: Readonly<Record<string, (text: string) => string>> = {
  az: (text) => text.replace("/", ", "),
  ko: (text) => text.replace("AM", "오전").replace("PM", "오후"),
};

/** The texts by the full locale data of Node.js. */
function expected(language: string, dateStyles: PageIntl["dateStyles"]): Written {
  const mended = better[language] ?? String;
  const date = (style: string) => {
    const options = { ...dateStyles[style], timeZone: "UTC", calendar: "gregory", numberingSystem: "latn" };
    return new Intl.DateTimeFormat(language, options);
  };
  const ago = new Intl.RelativeTimeFormat(language, { style: "short", numeric: "always" });
  return Object.fromEntries([
    ...Object.keys(dateStyles).map((style) => [style, moments.map((atMs) => mended(plain(date(style).format(atMs))))]),
    ...numberOptions.map((options) => {
      const format = new Intl.NumberFormat(language, { ...options, numberingSystem: "latn" });
      return [JSON.stringify(options), values.map((value) => plain(format.format(value)))];
    }),
    ["minutes ago", distances.map((count) => plain(ago.format(-count, "minute")))],
    ["hours ago", distances.map((count) => plain(ago.format(-count, "hour")))],
  ]);
}

/** Versions of the locale data differ in their spaces and in invisible marks of direction. */
function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u2009\u202f]/g, " ").replaceAll(/[\u200e\u200f\u061c]/g, "");
}

test("formats dates, numbers, money and durations in Chromium as the full locale data, in all 27 languages", async ({
  page,
}) => {
  await page.goto("about:blank");
  // The page's own module, because Chromium lacks a part of the locale data.
  await page.addScriptTag({ content: await oneScript("src/lib/intl.ts", "intl") });
  const dateStyles = await page.evaluate(() => (globalThis as unknown as { intl: PageIntl }).intl.dateStyles);
  for (const language of languages) {
    const written = await page.evaluate(
      async (asked) => {
        const module = (globalThis as unknown as { intl: PageIntl }).intl;
        await module.loadFormats(asked.language);
        return Object.fromEntries([
          ...Object.keys(module.dateStyles).map((style) => [
            style,
            asked.moments.map(module.dateFormat(asked.language, style, "UTC")),
          ]),
          ...asked.numberOptions.map((options) => [
            JSON.stringify(options),
            asked.values.map((value) => module.numberFormat(asked.language, options)(value)),
          ]),
          ["minutes ago", asked.distances.map((count) => module.agoText(asked.language, count, "minute"))],
          ["hours ago", asked.distances.map((count) => module.agoText(asked.language, count, "hour"))],
        ]);
      },
      { language, moments, numberOptions, values, distances },
    );
    const own = Object.entries(written as Written).map(([name, texts]) => [name, texts.map(plain)]);
    expect.soft(Object.fromEntries(own), language).toEqual(expected(language, dateStyles));
  }
});
