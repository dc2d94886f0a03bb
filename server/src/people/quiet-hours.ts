import { quietHours } from "@fava/wire/notifications.ts";

const daySeconds = 86_400;

/**
 * Seconds until the quiet hours begin by a clock that is so many minutes ahead of UTC; 0 while they last (rule
 * NOTIFY-11).
 */
export function secondsUntilQuiet(nowMs: number, offsetMin: number): number {
  const seconds = Math.floor(nowMs / 1_000) + offsetMin * 60;
  const ofDay = ((seconds % daySeconds) + daySeconds) % daySeconds;
  const [from, to] = [quietHours.fromMin * 60, quietHours.toMin * 60];
  return ofDay >= from || ofDay < to ? 0 : from - ofDay;
}
