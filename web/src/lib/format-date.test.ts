import { beforeAll, expect, test } from "vitest";
import { formatDate, formatShortDate, formatSoon } from "#lib/format-date.ts";
import { activateLanguage } from "#lib/i18n.ts";

beforeAll(() => activateLanguage("en"));

test("uses the day in the user's own time zone", () => {
  const evening = new Date(2026, 11, 5, 23, 59).getTime();
  expect(formatDate(evening)).toBe("December 5, 2026");
  expect(formatShortDate(evening)).toBe("Dec 5");
});

test("writes the time of day alone for a moment within the next twelve hours", () => {
  const inHours = (hours: number) => formatSoon(Date.now() + hours * 3_600_000);
  expect(inHours(1)).toMatch(/^\P{L}+[AP]M\P{L}*$/u);
  expect(inHours(13)).toMatch(/[A-Z][a-z]{2} \d+, \d{4}/u);
});
