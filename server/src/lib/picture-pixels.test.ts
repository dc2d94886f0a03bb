import sharp from "sharp";
import { expect, test } from "vitest";
import { FrameUnreadableError } from "#ports/frame-classifier.ts";
import { paintedJpeg } from "#test/fixtures/frame-pictures.ts";
import { pngOf, rotatedJpeg } from "#test/fixtures/pictures.ts";
import { planesOf, readPixels } from "./picture-pixels.ts";

const frame = () => sharp({ create: { width: 64, height: 48, channels: 3, background: "#204060" } });

test("reads JPEG and WebP, including grey and transparent ones", async () => {
  const seeThrough = { width: 64, height: 48, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } as const;
  const files = [frame().jpeg(), frame().webp(), frame().greyscale().jpeg(), sharp({ create: seeThrough }).webp()];
  for (const file of files) {
    const pixels = await readPixels(await file.toBuffer());
    expect(pixels).toMatchObject({ width: 64, height: 48 });
    expect(pixels.data).toHaveLength(64 * 48 * 3);
  }
  const last = await readPixels(await sharp({ create: seeThrough }).webp().toBuffer());
  expect(last.data[0]).toBe(255);
});

test("applies the orientation with which a picture is shown", async () => {
  expect(await readPixels(await rotatedJpeg())).toMatchObject({ width: 300, height: 400 });
});

test.each<[string, () => Promise<Buffer>]>([
  ["PNG", () => pngOf()],
  ["SVG", async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>')],
  ["nothing", async () => Buffer.alloc(0)],
  ["the first half of a JPEG", async () => (await paintedJpeg((x, y) => [255 * x, 255 * y, 0])).subarray(0, 2_000)],
  ["more than 2,000,000 pixels", () => paintedJpeg(() => [0, 0, 0], { width: 1_601, height: 1_250 })],
])("rejects %s", async (_what, file) => {
  await expect(readPixels(await file())).rejects.toThrow(FrameUnreadableError);
});

test("gives a model the nearest pixels, in planes of red, green and blue", () => {
  const data = Uint8Array.from([255, 0, 51, 1, 2, 3, 0, 255, 102, 4, 5, 6].flatMap((value) => [value]));
  const planes = planesOf({ width: 4, height: 1, data }, 2);
  const [dim, bright] = [2 / 255, 5 / 255];
  expect(Array.from(planes, (value) => Number(value.toFixed(4)))).toEqual(
    [1 / 255, 4 / 255, 1 / 255, 4 / 255, dim, bright, dim, bright, 3 / 255, 6 / 255, 3 / 255, 6 / 255].map((value) =>
      Number(value.toFixed(4)),
    ),
  );
});
