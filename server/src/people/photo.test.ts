import sharp from "sharp";
import { expect, test, vi } from "vitest";
import { imageDecodedBytesMax, imageEdgePx, thumbEdgePx } from "@fava/wire/limits.ts";
import { animatedWebp, pngOf, rotatedJpeg } from "#test/fixtures/pictures.ts";
import { readPhoto } from "./photo.ts";

async function colourAt(picture: Buffer, left: number, top: number): Promise<number[]> {
  const pixel = await sharp(picture).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
  return Array.from(pixel, (value) => (value > 200 ? 1 : value < 60 ? 0 : 0.5));
}

const html = "<!doctype html><script>alert(1)</script>";

test("converts JPEG, PNG and WebP to WebP of the same size, with a square crop", async () => {
  const png = await pngOf({ width: 640, height: 480 });
  for (const file of [png, await sharp(png).jpeg().toBuffer(), await sharp(png).webp().toBuffer()]) {
    const picture = await readPhoto(file);
    expect(picture).toMatchObject({ width: 640, height: 480 });
    expect(await sharp(picture.full).metadata()).toMatchObject({ format: "webp", width: 640, height: 480 });
    expect(await sharp(picture.thumb).metadata()).toMatchObject({
      format: "webp",
      width: thumbEdgePx,
      height: thumbEdgePx,
    });
  }
});

test("shrinks a large picture in proportion", async () => {
  const picture = await readPhoto(await pngOf({ width: 4_000, height: 3_000 }));
  expect(picture).toMatchObject({ width: imageEdgePx, height: (imageEdgePx * 3) / 4 });
});

test.each<[string, () => Buffer | Promise<Buffer>]>([
  ["HTML", () => Buffer.from(html)],
  ["SVG", () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>')],
  ["SVG behind an XML head", () => Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
  [
    "GIF",
    async () =>
      sharp(await pngOf())
        .gif()
        .toBuffer(),
  ],
  [
    "TIFF",
    async () =>
      sharp(await pngOf())
        .tiff()
        .toBuffer(),
  ],
  [
    "AVIF",
    async () =>
      sharp(await pngOf({ width: 64, height: 64 }))
        .avif()
        .toBuffer(),
  ],
  ["PDF", () => Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n")],
  ["nothing but the head of a PNG", async () => (await pngOf()).subarray(0, 40)],
  ["a JPEG head before HTML", () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(html)])],
  [
    "half of a JPEG",
    async () =>
      halfOf(
        await sharp(await pngOf({ width: 900, height: 900 }))
          .jpeg()
          .toBuffer(),
      ),
  ],
  ["text", () => Buffer.from("hello")],
])("[IMG-4] rejects %s as unreadable", async (_what, make) => {
  await expect(readPhoto(await make())).rejects.toMatchObject({ code: 406, data: { reason: "image_unreadable" } });
});

test.each<[string, Parameters<typeof pngOf>[0]]>([
  ["36 million pixels", { width: 6_000, height: 6_000 }],
  ["13 million pixels of 16 bits", { width: 3_600, height: 3_600, is16Bit: true }],
  ["19 million pixels that can be seen through", { width: 4_400, height: 4_400, colour: "#33669980" }],
])("rejects %s before decoding", async (_what, wanted) => {
  const file = await pngOf(wanted);
  const { width, height, channels, depth } = await sharp(file).metadata();
  expect(width * height * channels * (depth === "ushort" ? 2 : 1)).toBeGreaterThan(imageDecodedBytesMax);
  const decoding = vi.spyOn(sharp.prototype, "toBuffer");
  await expect(readPhoto(file)).rejects.toMatchObject({ code: 406, data: { reason: "image_unreadable" } });
  expect(decoding).not.toHaveBeenCalled();
  decoding.mockRestore();
});

test("accepts 25 million pixels of 8 bits and half as many of 16", async () => {
  for (const wanted of [
    { width: 5_000, height: 5_000 },
    { width: 3_500, height: 3_500, is16Bit: true },
  ]) {
    await expect(readPhoto(await pngOf(wanted))).resolves.toMatchObject({ width: imageEdgePx, height: imageEdgePx });
  }
});

test("[IMG-6] removes hidden content: HTML behind the picture, metadata, places", async () => {
  const jpeg = await rotatedJpeg();
  expect(jpeg.includes("metadata-of-the-camera")).toBe(true);
  const { full, thumb } = await readPhoto(Buffer.concat([jpeg, Buffer.from(html)]));
  for (const picture of [full, thumb]) {
    expect(picture.includes("script")).toBe(false);
    expect(picture.includes("metadata-of-the-camera")).toBe(false);
    const { exif, icc, xmp, iptc, orientation } = await sharp(picture).metadata();
    expect({ exif, icc, xmp, iptc, orientation }).toEqual({});
  }
});

test("rotates a picture upright", async () => {
  const { full, width, height } = await readPhoto(await rotatedJpeg());
  expect({ width, height }).toEqual({ width: 300, height: 400 });
  expect(await colourAt(full, 150, 50)).toEqual([1, 0, 0]);
  expect(await colourAt(full, 150, 350)).toEqual([0, 0, 1]);
});

test("keeps the first frame of an animated picture", async () => {
  const file = await animatedWebp();
  expect((await sharp(file).metadata()).pages).toBe(2);
  const { full } = await readPhoto(file);
  expect((await sharp(full).metadata()).pages ?? 1).toBe(1);
  expect(await colourAt(full, 20, 15)).toEqual([1, 0, 0]);
});

test("turns transparency white, so that everybody sees the same picture", async () => {
  const clear = { create: { width: 20, height: 20, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } } };
  const { full } = await readPhoto(await sharp(clear).png().toBuffer());
  expect(await colourAt(full, 10, 10)).toEqual([1, 1, 1]);
});

test("[IMG-6] converts colours of other profiles to sRGB", async () => {
  const wide = await sharp(await pngOf({ colour: "#ff0000" }))
    .withIccProfile("p3")
    .png()
    .toBuffer();
  const { full } = await readPhoto(wide);
  expect((await sharp(full).metadata()).icc).toBeUndefined();
  expect(await colourAt(full, 10, 10)).toEqual([1, 0, 0]);
});

test("[IMG-4] accepts grey and CMYK pictures", async () => {
  const grey = await sharp(await pngOf())
    .greyscale()
    .jpeg()
    .toBuffer();
  const cmyk = await sharp(await pngOf())
    .toColourspace("cmyk")
    .jpeg()
    .toBuffer();
  for (const file of [grey, cmyk]) {
    expect((await sharp((await readPhoto(file)).full).metadata()).space).toBe("srgb");
  }
});

function halfOf(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}
