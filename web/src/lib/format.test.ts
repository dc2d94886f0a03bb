import { afterAll, beforeAll, expect, test } from "vitest";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { formatBeans, formatDuration, formatNumber } from "#lib/format.ts";
import { activateLanguage } from "#lib/i18n.ts";
import { loadFormats, numberFormat } from "#lib/intl.ts";

beforeAll(() => activateLanguage("en"));
afterAll(() => activateLanguage("en"));

test("writes a duration with seconds below an hour", () => {
  expect([0, 45.9, 60, 626, 3_599, 3_600, 3_661, -4].map(formatDuration)).toEqual([
    "0 sec",
    "45 sec",
    "1 min",
    "10 min 26 sec",
    "59 min 59 sec",
    "1 hr",
    "1 hr 1 min",
    "0 sec",
  ]);
});

test("writes short whole numbers alike in every language, without the browser's formatter", async () => {
  for (const { value: language } of interfaceLanguages) {
    await loadFormats(language);
    const write = numberFormat(language, { maximumFractionDigits: 2 });
    for (const value of [0, 7, 80, 999]) expect([language, write(value)]).toEqual([language, String(value)]);
  }
  expect([0, 999, 1_000, 0.25, -3].map(formatNumber)).toEqual(["0", "999", "1,000", "0.25", "-3"]);
  expect([0, 999, 1_000].map(formatBeans)).toEqual(["0", "999", "1,000"]);
});
