import sharp from "sharp";
import { expect, test } from "vitest";
import { blots, paintedJpeg } from "#test/fixtures/frame-pictures.ts";
import { measure, readPixels } from "./picture-pixels.ts";

const measured = async (picture: Buffer) => measure(await readPixels(picture));

test("measures brightness as the mean luma, from 0 to 255", async () => {
  expect((await measured(await paintedJpeg(() => [0, 0, 0]))).luma).toBeCloseTo(0, 0);
  expect((await measured(await paintedJpeg(() => [255, 255, 255]))).luma).toBeCloseTo(255, 0);
  const half = await measured(await paintedJpeg((x) => (x < 0.5 ? [0, 0, 0] : [200, 200, 200])));
  expect(half.luma).toBeCloseTo(100, -1);
});

test("measures blurred and flat pictures as less sharp than a clear one, in any size", async () => {
  const clear = await blots(3);
  const { sharpness } = await measured(clear);
  const blurred = await measured(await sharp(clear).blur(6).jpeg().toBuffer());
  const flat = await measured(await paintedJpeg(() => [100, 100, 100]));
  const large = await measured(await blots(3, { width: 640, height: 480 }));
  expect(blurred.sharpness).toBeLessThan(sharpness / 10);
  expect(flat.sharpness).toBeLessThan(1);
  expect(large.sharpness / sharpness).toBeCloseTo(1, 0);
});
