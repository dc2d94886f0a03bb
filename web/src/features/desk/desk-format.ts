import { formatSpan, isolate } from "#lib/format.ts";
import { currentLanguage, type Translate } from "#lib/i18n.ts";

/** How long ago, in the two largest units: 4 min. */
export function formatAge(atMs: number, nowMs: number): string {
  return formatSpan(Math.max(0, nowMs - atMs) / 1_000);
}

/** A time of day to the second, in the moderator's own time zone. */
export function formatSecond(atMs: number): string {
  return isolate(new Intl.DateTimeFormat(currentLanguage(), { timeStyle: "medium" }).format(new Date(atMs)));
}

/** 0 to 1 with two digits, as the models give it. */
export function formatScore(score: number): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return isolate(new Intl.NumberFormat(currentLanguage(), digits).format(score));
}

/** 0 to 1 as percent, with one digit behind the point where it tells something. */
export function formatShare(share: number): string {
  const digits = { style: "percent", maximumFractionDigits: share < 0.1 ? 1 : 0 } as const;
  return isolate(new Intl.NumberFormat(currentLanguage(), digits).format(share));
}

/** The length of a ban: 24 hours, 7 days, 30 days, for good. */
export function banLength(t: Translate, hours: 24 | 168 | 720 | 0): string {
  return t(`desk.hours.${hours}`);
}

/** Name of a language in the moderator's own, or its code where the browser knows none. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(currentLanguage(), { type: "language" }).of(code) ?? code;
  } catch {
    // A code that is no language tag at all.
    return code;
  }
}

/** How long until a moment, in the two largest units; nothing below a minute. */
export function timeLeft(atMs: number, nowMs: number): string {
  return formatSpan(Math.max(60_000, atMs - nowMs) / 1_000);
}

/** Weekday and day of a promise: Mon, 23 Nov. */
export function answerDay(atMs: number): string {
  const options = { weekday: "short", day: "numeric", month: "short", calendar: "gregory" } as const;
  return isolate(new Intl.DateTimeFormat(currentLanguage(), options).format(new Date(atMs)));
}

/** Hours and minutes of a moment, in the moderator's own time zone. */
export function formatHour(atMs: number): string {
  return isolate(new Intl.DateTimeFormat(currentLanguage(), { timeStyle: "short" }).format(new Date(atMs)));
}

/** A day with its year, where there is little room: 28 Sep 2026. */
export function formatMediumDay(atMs: number): string {
  const options = { dateStyle: "medium", calendar: "gregory" } as const;
  return isolate(new Intl.DateTimeFormat(currentLanguage(), options).format(new Date(atMs)));
}
