import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { type CropFrame, firstFrame, moveBy, rectOf, zoomOf, zoomTo } from "./photo-file.ts";

const wide = { width: 800, height: 400 };

test("starts with the largest square in the middle", () => {
  expect(rectOf(firstFrame(wide))).toEqual({ x: 200, y: 0, width: 400, height: 400 });
});

test("moves the image with the pointer, and never shows its outside", () => {
  const frame = firstFrame(wide);
  expect(moveBy(wide, frame, { x: 0.25, y: 1 })).toEqual({ ...frame, centreX: 300 });
  expect(moveBy(wide, frame, { x: -9, y: 0 }).centreX).toBe(600);
});

test("goes from the largest square to a fifth of it", () => {
  const frame = firstFrame(wide);
  expect(zoomTo(wide, frame, 1).side).toBeCloseTo(80);
  expect(zoomOf(wide, zoomTo(wide, frame, 0.3))).toBeCloseTo(0.3);
  expect(zoomTo(wide, zoomTo(wide, frame, 1), 0)).toEqual(frame);
});

test("stays inside the image after any action", () => {
  const pixels = fc.integer({ min: 1, max: 10_000 });
  const part = fc.double({ min: -3, max: 3, noNaN: true });
  const step = fc.oneof(
    fc.record({ x: part, y: part }).map((by) => (frame: CropFrame, size: typeof wide) => moveBy(size, frame, by)),
    part.map((zoom) => (frame: CropFrame, size: typeof wide) => zoomTo(size, frame, zoom)),
  );
  fc.assert(
    fc.property(fc.record({ width: pixels, height: pixels }), fc.array(step, { maxLength: 12 }), (size, steps) => {
      const { x, y, width } = rectOf(steps.reduce((frame, act) => act(frame, size), firstFrame(size)));
      expect(x).toBeGreaterThanOrEqual(-1e-6);
      expect(y).toBeGreaterThanOrEqual(-1e-6);
      expect(x + width).toBeLessThanOrEqual(size.width + 1e-6);
      expect(y + width).toBeLessThanOrEqual(size.height + 1e-6);
    }),
    fuzz(100),
  );
});
