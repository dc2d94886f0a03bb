import { expect, test } from "vitest";
import { secondsOfQuiet, secondsUntilQuiet } from "./quiet-hours.ts";

const hour = 3_600;
const at = (time: string) => Date.parse(`2026-03-01T${time}Z`);

test.each([
  ["08:00:00", 0, 14 * hour],
  ["07:59:59", 0, 0],
  ["21:59:59", 0, 1],
  ["22:00:00", 0, 0],
  ["23:59:59", 0, 0],
  ["00:00:00", 0, 0],
  ["12:30:00", 0, 9.5 * hour],
  // Istanbul, three hours ahead of UTC: quiet hours begin at 19:00 UTC.
  ["18:59:00", 180, 60],
  ["19:00:00", 180, 0],
  ["05:00:00", 180, 14 * hour],
  // Kathmandu, Kiritimati and Niue: quarters of an hour, and other calendar days than UTC.
  ["16:15:00", 345, 0],
  ["16:14:00", 345, 60],
  ["18:00:00", 840, 14 * hour],
  ["17:59:59", 840, 0],
  ["09:00:00", -660, 0],
  ["08:59:00", -660, 60],
  ["19:00:00", -660, 14 * hour],
] as const)("counts at %s UTC, %d minutes ahead, %d seconds until quiet hours", (time, ahead, seconds) => {
  expect(secondsUntilQuiet(at(time), ahead)).toBe(seconds);
});

test("has ten quiet hours a day at any offset", () => {
  for (const ahead of [-840, -210, 0, 345, 840]) {
    const minutes = Array.from({ length: 1_440 }, (_none, minute) =>
      secondsUntilQuiet(at("00:00:00") + minute * 60_000, ahead),
    );
    expect(minutes.filter((seconds) => seconds === 0)).toHaveLength(600);
    expect(Math.max(...minutes)).toBe(14 * hour);
  }
});

test.each([
  ["08:00:00", 0, 0],
  ["07:59:59", 0, 1],
  ["21:59:59", 0, 0],
  ["22:00:00", 0, 10 * hour],
  ["00:00:00", 0, 8 * hour],
  ["19:00:00", 180, 10 * hour],
  ["16:15:00", 345, 10 * hour],
  ["17:59:59", 840, 1],
  ["09:00:00", -660, 10 * hour],
  ["18:59:00", -660, 60],
] as const)("counts at %s UTC, %d minutes ahead, %d seconds of quiet hours left", (time, ahead, seconds) => {
  expect(secondsOfQuiet(at(time), ahead)).toBe(seconds);
  expect(secondsUntilQuiet(at(time), ahead) === 0).toBe(seconds > 0);
});
