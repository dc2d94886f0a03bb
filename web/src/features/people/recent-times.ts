import { formatSpan, isolate } from "#lib/format.ts";
import { agoText } from "#lib/intl.ts";
import type { Language } from "#lib/languages.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** A moment of the last 24 hours as its distance from now, in the largest unit that fits: 18 min ago, 3 hr ago. */
export function formatAgo(atMs: number, nowMs: number, language: Language): string {
  const passedMs = Math.max(0, nowMs - atMs);
  if (passedMs < hourMs) return isolate(agoText(language, Math.floor(passedMs / minuteMs), "minute"));
  return isolate(agoText(language, Math.floor(passedMs / hourMs), "hour"));
}

/** Time that is left in whole hours, and below one hour in minutes; never none while there is some. */
export function formatLeft(untilMs: number, nowMs: number): string {
  const leftMs = Math.max(minuteMs, untilMs - nowMs);
  const unitMs = leftMs < hourMs ? minuteMs : hourMs;
  return formatSpan((Math.floor(leftMs / unitMs) * unitMs) / 1_000);
}
