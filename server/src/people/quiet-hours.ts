import { quietHours } from "@fava/wire/notifications.ts";

const daySeconds = 86_400;
const [fromSecond, toSecond] = [quietHours.fromMin * 60, quietHours.toMin * 60];

/**
 * Seconds until the quiet hours begin by a clock that is so many minutes ahead of UTC; 0 while they last.
 */
export function secondsUntilQuiet(nowMs: number, offsetMin: number): number {
  const ofDay = secondOfDay(nowMs, offsetMin);
  return ofDay >= fromSecond || ofDay < toSecond ? 0 : fromSecond - ofDay;
}

/** Seconds until the quiet hours by such a clock are over; 0 outside them. */
export function secondsOfQuiet(nowMs: number, offsetMin: number): number {
  const ofDay = secondOfDay(nowMs, offsetMin);
  if (ofDay < toSecond) return toSecond - ofDay;
  return ofDay >= fromSecond ? toSecond + daySeconds - ofDay : 0;
}

function secondOfDay(nowMs: number, offsetMin: number): number {
  const seconds = Math.floor(nowMs / 1_000) + offsetMin * 60;
  return ((seconds % daySeconds) + daySeconds) % daySeconds;
}
