import { isolate } from "#lib/format.ts";
import { currentLanguage } from "#lib/i18n.ts";
import { dateFormat, type DateStyle } from "#lib/intl.ts";

/** Dates in words of the active language, isolated as numbers are. */

/** A moment as it stands in its place, in the person's own time zone. */
export function formatAs(style: DateStyle, atMs: number): string {
  return isolate(dateFormat(currentLanguage(), style)(atMs));
}

/** A moment in the person's own time zone, without seconds: 21 Nov 2026, 18:07. */
export function formatTime(atMs: number): string {
  return formatAs("moment", atMs);
}

/** A moment to come, where there is little room: the time of day alone within the next twelve hours. */
export function formatSoon(atMs: number): string {
  return formatAs(atMs < Date.now() + 12 * 3_600_000 ? "hour" : "moment", atMs);
}

/** The day of a moment in the person's own time zone: 5 December 2026. */
export function formatDate(atMs: number): string {
  return formatAs("long", atMs);
}

/** The same without the year, where there is little room: 5 Dec. */
export function formatShortDate(atMs: number): string {
  return formatAs("day", atMs);
}

/** A calendar day `YYYY-MM-DD` in words, such as "28 October 2006"; the day does not shift with the time zone. */
export function formatDay(day: string): string {
  return isolate(dateFormat(currentLanguage(), "long", "UTC")(Date.parse(`${day}T00:00:00Z`)));
}

/** The end of a ban or another moment, with its time, in UTC. */
export function formatMoment(isoTime: string): string {
  return isolate(`${dateFormat(currentLanguage(), "longMoment", "UTC")(Date.parse(isoTime))} UTC`);
}

/** Name of a month, 1 to 12, as it stands alone in a list. */
export function formatMonth(month: number): string {
  return dateFormat(currentLanguage(), "month", "UTC")(Date.UTC(2001, month - 1, 1));
}
