import { isolate } from "#lib/format.ts";
import { currentLanguage } from "#lib/i18n.ts";
import { dateFormat, type DateStyle } from "#lib/intl.ts";

/** Dates in the active language, isolated as numbers are. */

/** A moment in this style, in the user's time zone. */
export function formatAs(style: DateStyle, atMs: number): string {
  return isolate(dateFormat(currentLanguage(), style)(atMs));
}

/** A moment without seconds, in the user's time zone: 21 Nov 2026, 18:07. */
export function formatTime(atMs: number): string {
  return formatAs("moment", atMs);
}

/** A future moment in short: within the next twelve hours only the time of day. */
export function formatSoon(atMs: number): string {
  return formatAs(atMs < Date.now() + 12 * 3_600_000 ? "hour" : "moment", atMs);
}

/** The day of a moment in the user's time zone: 5 December 2026. */
export function formatDate(atMs: number): string {
  return formatAs("long", atMs);
}

/** The day without the year: 5 Dec. */
export function formatShortDate(atMs: number): string {
  return formatAs("day", atMs);
}

/** A calendar day `YYYY-MM-DD` as text, such as "28 October 2006"; the time zone does not shift the day. */
export function formatDay(day: string): string {
  return isolate(dateFormat(currentLanguage(), "long", "UTC")(Date.parse(`${day}T00:00:00Z`)));
}

/** A moment with its time, in UTC, such as the end of a ban. */
export function formatMoment(isoTime: string): string {
  return isolate(`${dateFormat(currentLanguage(), "longMoment", "UTC")(Date.parse(isoTime))} UTC`);
}

/** The name of a month, 1 to 12, in its standalone form. */
export function formatMonth(month: number): string {
  return dateFormat(currentLanguage(), "month", "UTC")(Date.UTC(2001, month - 1, 1));
}
