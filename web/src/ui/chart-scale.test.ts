import { expect, test } from "vitest";
import { axisEnd, barShapes, chartBox, linePoints, pathOf } from "./Chart.tsx";

test("ends an axis at a round number at or above the highest value", () => {
  expect([0, 0.4, 3, 7, 69, 71, 100, 1_649].map(axisEnd)).toEqual([1, 0.4, 4, 8, 80, 80, 100, 2_000]);
});

test("draws a line from edge to edge, its highest value at the top", () => {
  expect(linePoints([0, 40, 80], 80)).toEqual([
    { x: 0, y: chartBox.height },
    { x: chartBox.width / 2, y: chartBox.height / 2 },
    { x: chartBox.width, y: 0 },
  ]);
  expect(pathOf(linePoints([0, 80], 80))).toBe(`M0 ${chartBox.height}L${chartBox.width} 0`);
  expect(linePoints([5], 10)).toHaveLength(1);
});

test("draws no bar for a day without a value, but keeps its place", () => {
  const bars = barShapes([5, null, 10], 10);
  expect(bars.map(({ height }) => height)).toEqual([chartBox.height / 2, 0, chartBox.height]);
  expect(bars[1]?.x).toBeGreaterThan(bars[0]?.x ?? 0);
});
