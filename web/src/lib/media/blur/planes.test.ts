import { expect, test } from "vitest";
import { blend, type Picture, pictureOf, read, type Small, soften } from "./planes.ts";

const [width, height] = [8, 4];
const whole = width * height;
const quarter = whole / 4;

/** A grey frame. */
function i420(): Picture {
  const data = new Uint8Array(whole * 1.5).fill(128);
  const layout = [
    { offset: 0, stride: width },
    { offset: whole, stride: width / 2 },
    { offset: whole + quarter, stride: width / 2 },
  ];
  const picture = pictureOf(data, layout, { format: "I420", width, height });
  if (!picture) throw new Error("the format is unknown");
  return picture;
}

const planeOf = (value: number) => new Float64Array(8).fill(value);
const smallOf = (luma: number): Small => ({ width: 4, height: 2, planes: [planeOf(luma), planeOf(90), planeOf(200)] });

test("reads a grey frame as grey, and a red one as red", () => {
  const picture = i420();
  const colours = new Float64Array(3 * 8);
  read(picture, smallOf(0), colours);
  for (const value of colours) expect(value).toBeCloseTo(0.511, 2);
  picture.data
    .fill(81, 0, whole)
    .fill(90, whole, whole + quarter)
    .fill(240, whole + quarter);
  read(picture, smallOf(0), colours);
  expect(Array.from(colours.slice(0, 3), Math.round)).toEqual([1, 0, 0]);
});

test("reads the colours of frames that keep them in one plane", () => {
  const data = new Uint8Array(whole * 1.5);
  const layout = [
    { offset: 0, stride: width },
    { offset: whole, stride: width },
  ];
  const picture = pictureOf(data, layout, { format: "NV12", width, height });
  expect(picture).toMatchObject({
    planes: [{}, { offset: whole, step: 2 }, { offset: whole + 1, step: 2 }],
  });
});

test.each([
  ["RGBA", [255, 0, 0, 255]],
  ["BGRX", [0, 0, 255, 255]],
])("reads and replaces a red frame in %s", (format, pixel) => {
  const data = new Uint8Array(whole * 4).map((_, at) => pixel[at % 4] ?? 0);
  const picture = pictureOf(data, [{ offset: 0, stride: width * 4 }], { format, width, height });
  if (!picture) throw new Error("the format is unknown");
  const colours = new Float64Array(3 * 8);
  read(picture, smallOf(0), colours);
  expect(Array.from(colours.slice(0, 3))).toEqual([1, 0, 0]);
  blend(picture, smallOf(20), new Float64Array(8));
  const [red, green, blue] = picture.planes.map(({ offset }) => data[offset]);
  expect([red, green, blue, data[3]]).toEqual([20, 90, 200, 255]);
});

test.each(["I444", null])("knows no planes of a frame in %s", (format) => {
  expect(
    pictureOf(new Uint8Array(whole * 4), [{ offset: 0, stride: width * 4 }], { format, width, height }),
  ).toBeNull();
});

test("keeps the person and replaces everything else", () => {
  const picture = i420();
  const mask = new Float64Array(8).map((_, pixel) => (pixel % 4 < 2 ? 1 : 0));
  blend(picture, smallOf(20), mask);
  const row = [...picture.data.subarray(0, width)];
  expect([row[0], row[1], row[6], row[7]]).toEqual([128, 128, 20, 20]);
  // The edge is mixed.
  expect(row[4]).toBeGreaterThan(20);
  expect(row[4]).toBeLessThan(128);
  expect([picture.data[whole], picture.data[whole + 3]]).toEqual([128, 90]);
  expect([picture.data[whole + quarter], picture.data[whole + quarter + 3]]).toEqual([128, 200]);
});

test("replaces the whole picture if there is no person", () => {
  const picture = i420();
  blend(picture, smallOf(20), new Float64Array(8));
  expect(new Set(picture.data.subarray(0, whole))).toEqual(new Set([20]));
});

test("spreads a bright pixel so far that nothing of it can be read, and keeps the brightness", () => {
  const size = { width: 32, height: 32 };
  const plane = new Float64Array(32 * 32);
  plane[16 * 32 + 16] = 1_000;
  soften(plane, size);
  expect(Math.max(...plane)).toBeLessThan(10);
  expect(plane.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1_000, 0);
});
