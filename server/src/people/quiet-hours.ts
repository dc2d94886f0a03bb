import { quietHours } from "@fava/wire/notifications.ts";

const daySeconds = 86_400;
const [fromSecond, toSecond] = [quietHours.fromMin * 60, quietHours.toMin * 60];

/** Seconds until quiet hours begin; 0 during them. `offsetMin`: the browser's offset from UTC in minutes. */
export function secondsUntilQuiet(nowMs: number, offsetMin: number): number {
  const ofDay = secondOfDay(nowMs, offsetMin);
  return ofDay >= fromSecond || ofDay < toSecond ? 0 : fromSecond - ofDay;
}

/** Seconds until quiet hours end; 0 outside them. */
export function secondsOfQuiet(nowMs: number, offsetMin: number): number {
  const ofDay = secondOfDay(nowMs, offsetMin);
  if (ofDay < toSecond) return toSecond - ofDay;
  return ofDay >= fromSecond ? toSecond + daySeconds - ofDay : 0;
}

function secondOfDay(nowMs: number, offsetMin: number): number {
  const seconds = Math.floor(nowMs / 1_000) + offsetMin * 60;
  return ((seconds % daySeconds) + daySeconds) % daySeconds;
}
