import sharp from "sharp";
import { FrameUnreadableError } from "#ports/frame-classifier.ts";

/** A decoded picture: red, green and blue of each pixel, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const pixelsMax = 2_000_000;
const decodeSecondsMax = 2;
const channels = 3;

/**
 * Decodes a JPEG or WebP file in its full size: shrinking while decoding, and smooth resizing, move the scores.
 *
 * @throws FrameUnreadableError for any other content, damaged files and more than 2,000,000 pixels.
 */
export async function readPixels(file: Uint8Array): Promise<Pixels> {
  if (!isJpeg(file) && !isWebp(file)) throw new FrameUnreadableError("neither JPEG nor WebP");
  try {
    const { data, info } = await sharp(file, { limitInputPixels: pixelsMax, failOn: "error", pages: 1 })
      .timeout({ seconds: decodeSecondsMax })
      .autoOrient()
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== channels) throw new Error(`${info.channels} channels`);
    return { width: info.width, height: info.height, data };
  } catch (error) {
    throw new FrameUnreadableError("the picture cannot be decoded", { cause: error });
  }
}

/** What a model reads: a square of the nearest pixels, in planes of red, green and blue from 0 to 1. */
export function planesOf({ width, height, data }: Pixels, edgePx: number): Float32Array {
  const area = edgePx * edgePx;
  const planes = new Float32Array(channels * area);
  const columns = Uint32Array.from({ length: edgePx }, (_, column) => nearest(column, edgePx, width));
  let place = 0;
  for (let row = 0; row < edgePx; row += 1) {
    const line = nearest(row, edgePx, height) * width;
    for (const column of columns) {
      const from = (line + column) * channels;
      planes[place] = (data[from] ?? 0) / 255;
      planes[place + area] = (data[from + 1] ?? 0) / 255;
      planes[place + 2 * area] = (data[from + 2] ?? 0) / 255;
      place += 1;
    }
  }
  return planes;
}

/** The middle of a cell, as a place of the larger or smaller picture. */
function nearest(cell: number, cells: number, size: number): number {
  return Math.floor(((cell + 0.5) * size) / cells);
}

function isJpeg(file: Uint8Array): boolean {
  return file[0] === 0xff && file[1] === 0xd8 && file[2] === 0xff;
}

function isWebp(file: Uint8Array): boolean {
  const text = (from: number) => String.fromCharCode(...file.subarray(from, from + 4));
  return text(0) === "RIFF" && text(8) === "WEBP";
}
