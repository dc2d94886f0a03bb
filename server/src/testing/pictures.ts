import sharp from "sharp";

interface Wanted {
  width?: number;
  height?: number;
  /** Different colours are different pictures. */
  colour?: string;
  is16Bit?: boolean;
}

/** A plain picture as a camera or a program would write it. */
export function pngOf({
  width = 400,
  height = 300,
  colour = "#3366cc",
  is16Bit = false,
}: Wanted = {}): Promise<Buffer> {
  const picture = plain({ width, height, colour });
  return (is16Bit ? picture.toColourspace("rgb16") : picture).png({ compressionLevel: 9 }).toBuffer();
}

/** Red above blue, written lying down as cameras do, with a place in its metadata. */
export async function rotatedJpeg(): Promise<Buffer> {
  const half = { width: 300, height: 200 };
  const upright = await plain({ width: 300, height: 400, colour: "#ff0000" })
    .composite([{ input: await pngOf({ ...half, colour: "#0000ff" }), top: 200, left: 0 }])
    .png()
    .toBuffer();
  const lying = await sharp(upright).rotate(-90).toBuffer();
  return sharp(lying)
    .jpeg({ quality: 95 })
    .withExif({
      IFD0: { Orientation: "6", Copyright: "metadata-of-the-camera" },
      IFD3: { GPSLatitude: "41/1 0/1 0/1" },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

/** An animated WebP whose first picture is red and whose second is green. */
export async function animatedWebp(): Promise<Buffer> {
  const frames = await Promise.all(["#ff0000", "#00ff00"].map((colour) => pngOf({ width: 40, height: 30, colour })));
  return sharp(frames, { join: { animated: true } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer();
}

/** 25 million pixels of 16 bits in 200 kilobytes, which took half a second of a processor to decode. */
export function bomb(): Promise<Buffer> {
  return pngOf({ width: 5_000, height: 5_000, is16Bit: true });
}

function plain({ width, height, colour }: { width: number; height: number; colour: string }) {
  const channels = colour.length > "#rrggbb".length && colour.startsWith("#") ? 4 : 3;
  return sharp({ create: { width, height, channels, background: colour } });
}
