import { describe, expect, test } from "vitest";
import { signLanguage, spokenLanguages } from "@fava/wire/talk.ts";
import { handwrittenFormats } from "#lib/handwritten-formats.ts";
import { type DateStyle, dateStyles, type Numeric } from "#lib/intl.ts";

const styles = Object.keys(dateStyles) as DateStyle[];
const moments = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, month + 1, 2 * month, 7, 9));
const zones = ["UTC", "Asia/Kolkata", "America/New_York"];
const numbers = [0, 1, 2, 3, 7, 11, 21, -5.5, 999.994, 1_234, 12_345.678, 1_234_567.891];
const currencies = ["USD", "EUR", "GBP", "JPY", "AZN", "UZS", "ISK", "TRY", "BRL", "INR", "SAR", "IDR", "PLN", "CNY"];

/** Node.js has the full locale data; here the hand-written text deliberately differs from it. */
const better: Readonly<Record<string, (text: string) => string>> = {
  // A slash between day and hour is unusual in text.
  "az longMoment": (text) => text.replace("/", ", "),
};

describe.each(["az", "uz", "ga", "is"] as const)("%s", (language) => {
  const hand = handwrittenFormats(language);
  const full = (options: Intl.NumberFormatOptions, value: Numeric) =>
    new Intl.NumberFormat(language, options).format(value as number);

  test.each(styles)("writes dates in the style %s like the full locale data", (style) => {
    for (const timeZone of zones) {
      const options = { ...dateStyles[style], timeZone, calendar: "gregory" };
      const format = new Intl.DateTimeFormat(language, options);
      const expected = (atMs: number) => (better[`${language} ${style}`] ?? String)(format.format(atMs));
      expect(moments.map(hand.date(style, timeZone))).toEqual(moments.map(expected));
    }
  });

  test("writes numbers and percentages like the full locale data", () => {
    for (const options of [
      { maximumFractionDigits: 2 },
      { maximumFractionDigits: 0 },
      { minimumIntegerDigits: 2 },
      { minimumFractionDigits: 2, maximumFractionDigits: 2 },
      { style: "percent", maximumFractionDigits: 1 },
    ] as const) {
      expect(numbers.map(hand.number(options))).toEqual(numbers.map((value) => full(options, value)));
    }
  });

  test.each(currencies)("writes amounts of %s like the full locale data", (currency) => {
    const options = { style: "currency", currency, minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
    for (const value of ["9.99", "-1234.50", "0.00"] as const) {
      expect(hand.number(options)(value)).toBe(full(options, value));
    }
  });

  test.each(["hour", "minute", "second", "megabyte", "kilobyte", "byte"])(
    "writes durations and sizes in the unit %s like the full locale data",
    (unit) => {
      const options = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 } as const;
      const counts = [0, 1, 2, 3, 5, 7, 11, 21, 4.2, 640];
      expect(counts.map(hand.number(options))).toEqual(counts.map((value) => full(options, value)));
    },
  );

  test("writes times ago like the full locale data", () => {
    const format = new Intl.RelativeTimeFormat(language, { style: "short", numeric: "always" });
    for (const unit of ["minute", "hour"] as const)
      for (const count of [0, 1, 2, 3, 5, 7, 11, 18, 21, 59])
        expect(hand.ago(count, unit)).toBe(format.format(-count, unit));
  });

  test("names languages like the full locale data", () => {
    const full = new Intl.DisplayNames(language, { type: "language" });
    for (const code of spokenLanguages.filter((one) => one !== signLanguage))
      // The letter of the Uzbek alphabet instead of the quotation mark.
      expect(hand.languageName(code)).toBe(full.of(code)?.replaceAll("‘", "ʻ"));
    expect(hand.languageName("eo")).toBeUndefined();
  });
});

test("rejects other languages", () => {
  expect(() => handwrittenFormats("de")).toThrow(/de/);
});
