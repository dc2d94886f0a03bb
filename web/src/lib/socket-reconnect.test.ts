import { expect, test } from "vitest";
import { reconnectDelayMs } from "#lib/socket/socket-client.ts";

test("reconnects at once first, then after 0.3 s, because most drops are short", () => {
  expect(reconnectDelayMs(0, 0)).toBe(0);
  expect(reconnectDelayMs(0, 1)).toBe(0);
  expect(reconnectDelayMs(1, 0)).toBe(300);
  expect(reconnectDelayMs(1, 1)).toBe(300);
});

test("spreads later attempts randomly, up to 7 s", () => {
  expect([2, 3, 4, 5, 6, 1_000].map((attempt) => reconnectDelayMs(attempt, 1))).toEqual([
    1_200, 2_700, 4_800, 7_000, 7_000, 7_000,
  ]);
  for (const attempt of [2, 3, 4, 5, 6]) {
    const least = reconnectDelayMs(attempt, 0);
    expect(least).toBeGreaterThan(0);
    expect(least).toBeLessThan(reconnectDelayMs(attempt, 0.5));
    expect(reconnectDelayMs(attempt, 0.5)).toBeLessThan(reconnectDelayMs(attempt, 1));
  }
});
