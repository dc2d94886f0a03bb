import type { Meter } from "@fava/wire/meter.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { testMeter } from "#testing/meter-fixtures.ts";
import { readMeter, stopMeter } from "./meter-clock.ts";

const atMs = 1_000_000;
const after = (seconds: number, change: Partial<Meter> = {}) =>
  readMeter({ meter: testMeter(change), atMs }, atMs + seconds * 1_000);

test("shows a meter unchanged at the moment it arrives", () => {
  expect(after(0)).toEqual({
    price: 1_600,
    clock: "running",
    stopped: null,
    limit: "balance",
    spent: 1_867,
    balance: 48_133,
    countedMs: 80_000,
    freeMs: 10_000,
    freeLeftMs: 0,
    leftMs: 1_790_000,
  });
});

test("extrapolates time, beans and balance as the server will count them while the clock runs", () => {
  // 1,600 a minute: 20 s cost 534, a full minute 1,600, one minute and 10 s 1,867.
  expect(after(10)).toMatchObject({ countedMs: 90_000, spent: 1_600 + 534, balance: 48_133 - 267, leftMs: 1_780_000 });
  expect(after(50)).toMatchObject({ spent: 3_200, balance: 46_800 });
  expect(after(50.999)).toMatchObject({ spent: 3_200 });
  expect(after(51)).toMatchObject({ spent: 3_227 });
});

test("counts the free seconds down without cost before the clock starts", () => {
  const free = { clock: "free", counted_ms: 3_000, spent: 0, balance: 1_600, left_ms: 67_000 } as const;
  expect(after(6, free)).toMatchObject({ clock: "free", freeLeftMs: 1_000, spent: 0, balance: 1_600 });
  expect(after(8, free)).toMatchObject({ clock: "running", freeLeftMs: 0, spent: 27, balance: 1_573, leftMs: 59_000 });
});

test("counts nothing while the clock stands, however long", () => {
  const stopped = { clock: "stopped", stopped: "camera_off" } as const;
  expect(after(600, stopped)).toEqual(after(0, stopped));
});

test("never falls below zero, and counts nothing past the end", () => {
  const last = { counted_ms: 129_000, spent: 3_174, balance: 26, left_ms: 1_000 };
  expect(after(60, last)).toMatchObject({ countedMs: 130_000, spent: 3_200, balance: 0, leftMs: 0 });
  expect(after(-5)).toEqual(after(0));
});

test("stops the meter from the moment when the video stops here", () => {
  const timed = stopMeter({ meter: testMeter(), atMs }, atMs + 10_000);
  expect(timed.meter).toMatchObject({ clock: "stopped", stopped: "reconnecting", spent: 2_134, balance: 47_866 });
  expect(readMeter(timed, atMs + 90_000)).toMatchObject({ countedMs: 90_000, spent: 2_134, leftMs: 1_780_000 });
});

test("counts monotonically in whole beans, each of them spent or left", () => {
  const meter = fc.record({
    price: fc.integer({ min: 1, max: 1_000_000 }),
    counted_ms: fc.integer({ min: 0, max: 36_000_000 }),
    left_ms: fc.integer({ min: 0, max: 36_000_000 }),
  });
  const passed = fc.tuple(fc.integer({ min: 0, max: 36_000_000 }), fc.integer({ min: 0, max: 36_000_000 }));
  fc.assert(
    fc.property(meter, passed, (change, [one, more]) => {
      const timed = { meter: testMeter({ ...change, spent: 0, balance: 100_000_000_000 }), atMs };
      const [early, late] = [readMeter(timed, atMs + one), readMeter(timed, atMs + one + more)];
      expect(late.spent).toBeGreaterThanOrEqual(early.spent);
      expect(late.leftMs).toBeLessThanOrEqual(early.leftMs);
      for (const { spent, balance } of [early, late]) {
        expect(Number.isSafeInteger(spent)).toBe(true);
        expect(spent + balance).toBe(timed.meter.balance);
      }
    }),
    fuzz(100),
  );
});
