import { isolate } from "#lib/format.ts";
import { currentLanguage } from "#lib/i18n.ts";

/** The day of a moment in the person's own time zone: 5 December 2026. */
export function formatDate(atMs: number): string {
  return dayText(atMs, { dateStyle: "long" });
}

/** The same without the year, where there is little room: 5 Dec. */
export function formatShortDate(atMs: number): string {
  return dayText(atMs, { day: "numeric", month: "short" });
}

function dayText(atMs: number, options: Intl.DateTimeFormatOptions): string {
  const format = new Intl.DateTimeFormat(currentLanguage(), { ...options, calendar: "gregory" });
  return isolate(format.format(new Date(atMs)));
}
