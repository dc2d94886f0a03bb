import { expect, test } from "vitest";
import { changePart, dayText, firstChoice, offeredYears } from "./CompleteProfileSheet.tsx";

test("[AGE-4] starts the picker at 2006-10-28", () => {
  expect(dayText(firstChoice())).toBe("2006-10-28");
});

test("[AGE-3] offers 1980 to 2019, and 1926 to 1979 behind earlier years", () => {
  expect(offeredYears(false)[0]).toBe(2019);
  expect(offeredYears(false).at(-1)).toBe(1980);
  expect(offeredYears(true)[0]).toBe(1979);
  expect(offeredYears(true).at(-1)).toBe(1926);
});

test("shrinks the day with the month and the leap year", () => {
  const last = { year: 2004, month: 1, day: 31 };
  expect(changePart(last, "month", 2)).toEqual({ year: 2004, month: 2, day: 29 });
  expect(changePart({ year: 2004, month: 2, day: 29 }, "year", 2005)).toEqual({ year: 2005, month: 2, day: 28 });
});
