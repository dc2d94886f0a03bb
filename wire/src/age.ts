import { ageYearsMin } from "./limits.ts";

/** A day of the proleptic Gregorian calendar, `YYYY-MM-DD`, without a time zone. */
export type CalendarDay = string;

/** Parses a calendar day; null for a day that does not exist, such as 2001-02-29. */
export function parseDay(day: string): { year: number; month: number; day: number } | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return null;
  const [year, month, dayOfMonth] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, dayOfMonth));
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== dayOfMonth)
    return null;
  return { year, month, day: dayOfMonth };
}

/** Days of a month; `month` is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Age in full years on the day that `nowMs` falls on in UTC (rule AGE-1). */
export function ageOn(birthday: CalendarDay, nowMs: number): number {
  const born = parseDay(birthday);
  if (!born) throw new RangeError("not a calendar day");
  const now = new Date(nowMs);
  const years = now.getUTCFullYear() - born.year;
  const month = now.getUTCMonth() + 1;
  const hadBirthday = month > born.month || (month === born.month && now.getUTCDate() >= born.day);
  return hadBirthday ? years : years - 1;
}

/** The first day on which a user born on `birthday` is old enough; 29 February becomes 1 March. */
export function adultFrom(birthday: CalendarDay): CalendarDay {
  const born = parseDay(birthday);
  if (!born) throw new RangeError("not a calendar day");
  return new Date(Date.UTC(born.year + ageYearsMin, born.month - 1, born.day)).toISOString().slice(0, 10);
}
