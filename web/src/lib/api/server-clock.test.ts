import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { correctServerClock, heedServerDate, serverNowMs } from "./server-clock.ts";

const deviceMs = Date.parse("2026-03-01T12:00:00.400Z");
const dateOf = (serverMs: number) => new Date(serverMs).toUTCString();

beforeEach(() => {
  vi.useFakeTimers({ now: deviceMs });
});
afterEach(() => {
  correctServerClock(Date.now());
  vi.useRealTimers();
});

test.each([-120_000, 120_000])("the date of an answer corrects a clock that is %d ms off", (offMs) => {
  heedServerDate(dateOf(deviceMs + offMs), 0);
  expect(Math.abs(serverNowMs() - deviceMs - offMs)).toBeLessThanOrEqual(500);
  // One that was six seconds on its way was made in the middle of them, as far as anybody can tell.
  correctServerClock(deviceMs);
  heedServerDate(dateOf(deviceMs + offMs - 3_000), 6_000.7);
  expect(Math.abs(serverNowMs() - deviceMs - offMs)).toBeLessThanOrEqual(500);
  // A part of a millisecond is no time that the server takes.
  expect(String(serverNowMs())).toMatch(/^\d{13}$/);
});

test("what is known of the clock stays where the date allows it: a second has many moments, and an answer may be late", () => {
  const knownMs = deviceMs + 250;
  correctServerClock(knownMs);
  for (const [date, tookMs] of [
    [dateOf(knownMs), 0],
    [dateOf(knownMs - 20_000), 20_000],
    [null, 0],
    ["soon", 0],
  ] as const) {
    heedServerDate(date, tookMs);
    expect([date, serverNowMs()]).toEqual([date, knownMs]);
  }
});
