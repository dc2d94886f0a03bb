import sharp from "sharp";

type Colour = readonly [number, number, number];

interface Painted {
  width?: number;
  height?: number;
  quality?: number;
}

/** A JPEG of 320 times 240 whose every pixel is computed, so that it is the same on every machine. */
export async function paintedJpeg(
  colourAt: (x: number, y: number) => Colour,
  { width = 320, height = 240, quality = 85 }: Painted = {},
): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = colourAt(x / width, y / height);
      for (const [index, value] of colour.entries()) data[(y * width + x) * 3 + index] = value;
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
}

const skin: Colour = [224, 172, 140];
const wall: Colour = [90, 110, 130];
const inside = (x: number, y: number, [left, top, width, height]: readonly [number, number, number, number]) =>
  ((x - left) / width) ** 2 + ((y - top) / height) ** 2 < 1;

/** Pictures that show nothing of anybody, for comparing engines and for scores that must not change. */
export const framePictures = {
  grey: () => paintedJpeg(() => [128, 128, 128]),
  sunset: () => paintedJpeg((x, y) => [255 * (1 - y / 2), 160 * (1 - y), 120 * y + 60 * x]),
  waves: () =>
    paintedJpeg((x, y) => {
      const wave = 127 + 120 * Math.sin(40 * x + 6 * Math.sin(9 * y));
      return [wave, 255 - wave, 127 + 100 * Math.cos(30 * y)];
    }),
  /** An egg of the colour of skin before a wall. */
  egg: () => paintedJpeg((x, y) => (inside(x, y, [0.5, 0.45, 0.17, 0.3]) ? skin : wall)),
} as const;

/** Blots on a gradient that differ with the seed: a picture that its hash tells from others. */
export function blots(seed: number, painted: Painted = {}): Promise<Buffer> {
  return paintedJpeg((x, y) => blotColour(seed, x, y), painted);
}

/** The same, seen in a mirror. */
export function mirroredBlots(seed: number): Promise<Buffer> {
  return paintedJpeg((x, y) => blotColour(seed, 1 - x, y));
}

function blotColour(seed: number, x: number, y: number): Colour {
  let light = 60 * x + 40 * y;
  for (let index = 1; index <= 12; index += 1) {
    const place = [fraction(seed * 7.13 + index * 3.7), fraction(seed * 3.91 + index * 5.3), 0.12, 0.16] as const;
    if (inside(x, y, place)) light += index % 2 === 0 ? 70 : -40;
  }
  const value = Math.max(0, Math.min(255, 90 + light));
  return [value, value * 0.9, 255 - value];
}

function fraction(value: number): number {
  const wild = Math.sin(value) * 43_758.545;
  return wild - Math.floor(wild);
}
