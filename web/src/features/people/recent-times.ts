import { formatSpan, isolate } from "#lib/format.ts";
import { agoText } from "#lib/intl.ts";
import type { Language } from "#lib/languages.ts";
import { minuteMs } from "#lib/use-now.ts";

const hourMs = 3_600_000;

/** How long ago a moment of the last 24 hours was, in the largest unit that fits: 18 min ago, 3 hr ago. */
export function formatAgo(atMs: number, nowMs: number, language: Language): string {
  const passedMs = Math.max(0, nowMs - atMs);
  if (passedMs < hourMs) return isolate(agoText(language, Math.floor(passedMs / minuteMs), "minute"));
  return isolate(agoText(language, Math.floor(passedMs / hourMs), "hour"));
}

/** The remaining time in whole hours, below one hour in minutes; at least one minute. */
export function formatLeft(untilMs: number, nowMs: number): string {
  const leftMs = Math.max(minuteMs, untilMs - nowMs);
  const unitMs = leftMs < hourMs ? minuteMs : hourMs;
  return formatSpan((Math.floor(leftMs / unitMs) * unitMs) / 1_000);
}
