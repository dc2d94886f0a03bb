import { daysInMonth, parseDay } from "@fava/wire/age.ts";
import { birthdayPickerDefault, birthYearOffered } from "@fava/wire/limits.ts";
import { currentLanguage } from "#lib/i18n.ts";
import { dateOrder } from "#lib/intl.ts";

/** Year, month 1 to 12 and day as the three selects stand. */
export interface BirthChoice {
  year: number;
  month: number;
  day: number;
}

export type BirthPart = keyof BirthChoice;

/** Where the picker stands when it opens: 2006-10-28 (rule AGE-4). */
export function firstChoice(): BirthChoice {
  const day = parseDay(birthdayPickerDefault);
  if (!day) throw new Error("the picker's default is no calendar day");
  return day;
}

/** Changes one part; the day shrinks with the month, so that the choice is always a real day (rule AGE-2). */
export function changePart(choice: BirthChoice, part: BirthPart, value: number): BirthChoice {
  const changed = { ...choice, [part]: value };
  return { ...changed, day: Math.min(changed.day, daysInMonth(changed.year, changed.month)) };
}

export function dayText(choice: BirthChoice): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${choice.year}-${two(choice.month)}-${two(choice.day)}`;
}

/** Years on offer, newest first: 1980 to 2019, or the earlier ones from 1926 (rule AGE-3). */
export function offeredYears(earlier: boolean): readonly number[] {
  const { first, last, earliest } = birthYearOffered;
  const [from, to] = earlier ? [earliest, first - 1] : [first, last];
  return Array.from({ length: to - from + 1 }, (_, index) => to - index);
}

/** The order in which the language writes a date. */
export function partOrder(): readonly BirthPart[] {
  return dateOrder(currentLanguage());
}
