import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { correctServerClock, noteServerDate, serverNowMs } from "./server-clock.ts";

const deviceMs = Date.parse("2026-03-01T12:00:00.400Z");
const dateOf = (serverMs: number) => new Date(serverMs).toUTCString();

beforeEach(() => {
  vi.useFakeTimers({ now: deviceMs });
});
afterEach(() => {
  correctServerClock(Date.now());
  vi.useRealTimers();
});

test.each([-120_000, 120_000])("corrects a clock that is %d ms off by the date of a response", (offMs) => {
  noteServerDate(dateOf(deviceMs + offMs), 0);
  expect(Math.abs(serverNowMs() - deviceMs - offMs)).toBeLessThanOrEqual(500);
  // The response took six seconds: the clock assumes that the server made it in the middle of that time.
  correctServerClock(deviceMs);
  noteServerDate(dateOf(deviceMs + offMs - 3_000), 6_000.7);
  expect(Math.abs(serverNowMs() - deviceMs - offMs)).toBeLessThanOrEqual(500);
  // The server accepts no fraction of a millisecond.
  expect(String(serverNowMs())).toMatch(/^\d{13}$/);
});

test("keeps an offset that the date allows, for any moment of the second and of a slow response", () => {
  const knownMs = deviceMs + 250;
  correctServerClock(knownMs);
  for (const [date, tookMs] of [
    [dateOf(knownMs), 0],
    [dateOf(knownMs - 20_000), 20_000],
    [null, 0],
    ["soon", 0],
  ] as const) {
    noteServerDate(date, tookMs);
    expect([date, serverNowMs()]).toEqual([date, knownMs]);
  }
});
