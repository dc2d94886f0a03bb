import { formatAs } from "#lib/format-date.ts";

/** `today` and `yesterday` have their own texts; the rest is a date. In the user's time zone. */
export type DayName = "today" | "yesterday" | "date";

export function dayName(atMs: number, nowMs: number): DayName {
  if (isSameDay(atMs, nowMs)) return "today";
  const yesterday = new Date(nowMs);
  yesterday.setDate(yesterday.getDate() - 1);
  return isSameDay(atMs, yesterday.getTime()) ? "yesterday" : "date";
}

export function isSameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

/** 18:24 or 6:24 PM, as the language writes it. */
export function formatMessageHour(atMs: number): string {
  return formatAs("hour", atMs);
}

/** 18 Nov, and 18 Nov 2025 in another year than now. */
export function formatMessageDate(atMs: number, nowMs: number): string {
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return formatAs(isThisYear ? "day" : "dayOfYear", atMs);
}
