import { expect, test } from "vitest";
import { adultFrom, ageOn, daysInMonth, parseDay } from "./age.ts";

const at = (day: string) => Date.parse(`${day}T00:00:00Z`);

test("[AGE-1] counts 18 years by the full date in UTC", () => {
  expect(ageOn("2006-10-28", at("2024-10-28") - 1)).toBe(17);
  expect(ageOn("2006-10-28", at("2024-10-28"))).toBe(18);
  expect(ageOn("2006-10-28", at("2025-01-01"))).toBe(18);
});

test("[AGE-1] counts a user born on 29 February as 18 on 1 March of a common year", () => {
  expect(adultFrom("2008-02-29")).toBe("2026-03-01");
  expect(ageOn("2008-02-29", at("2026-02-28"))).toBe(17);
  expect(ageOn("2008-02-29", at("2026-03-01"))).toBe(18);
});

test("accepts only real calendar days", () => {
  expect(parseDay("2000-02-29")).toEqual({ year: 2000, month: 2, day: 29 });
  for (const text of ["2001-02-29", "2000-13-01", "2000-00-10", "2000-04-31", "2000-1-1", "", " 2000-01-01", "x"])
    expect([text, parseDay(text)]).toEqual([text, null]);
});

test("knows the days of each month in its year", () => {
  expect([daysInMonth(2000, 2), daysInMonth(1900, 2), daysInMonth(2001, 4), daysInMonth(2001, 12)]).toEqual([
    29, 28, 30, 31,
  ]);
});
