/** Box of every chart, in its own units; the page scales it. */
export const chartBox = { width: 560, height: 160 } as const;

/** The end of an axis from 0: the next of 1, 2, 4, 5, 8, 10 times a power of ten that is not below `max`. */
export function axisEnd(max: number): number {
  if (max <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = [1, 2, 4, 5, 8, 10].find((one) => one * power >= max) ?? 10;
  return step * power;
}

/** Where the values of a line stand, left to right; y is measured from the top. One value stands at the end. */
export function linePoints(values: readonly number[], end: number): readonly { x: number; y: number }[] {
  const { width, height } = chartBox;
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values.map((value, index) => ({
    x: values.length > 1 ? index * step : width,
    y: height - (Math.min(value, end) / end) * height,
  }));
}

export function pathOf(points: readonly { x: number; y: number }[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");
}

export interface BarShape {
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
}

/** Bars side by side over the whole width; a missing value has no height. */
export function barShapes(values: readonly (number | null)[], end: number): readonly BarShape[] {
  const { width, height } = chartBox;
  const step = width / Math.max(1, values.length);
  return values.map((value, index) => {
    const tall = value === null ? 0 : (Math.min(value, end) / end) * height;
    return { x: round(index * step), width: round(step * 0.66), y: round(height - tall), height: round(tall) };
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
