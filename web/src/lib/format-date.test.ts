import { beforeAll, expect, test } from "vitest";
import { formatDate, formatShortDate } from "#lib/format-date.ts";
import { activateLanguage } from "#lib/i18n.ts";

beforeAll(() => activateLanguage("en"));

test("a day is the one of the person's own time zone", () => {
  const evening = new Date(2026, 11, 5, 23, 59).getTime();
  expect(formatDate(evening)).toBe("December 5, 2026");
  expect(formatShortDate(evening)).toBe("Dec 5");
});
