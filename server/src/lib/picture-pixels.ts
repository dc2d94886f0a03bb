import sharp, { type Sharp } from "sharp";
import { imageDecodedBytesMax } from "@fava/wire/limits.ts";
import { type Grey, greyOf, pictureHash, type Pixels, sumOf } from "@fava/wire/picture-hash.ts";
import { FrameUnreadableError } from "#ports/frame-classifier.ts";

const pixelsMax = 2_000_000;
const decodeSecondsMax = 2;
const channels = 3;

/** Sets one decoding thread and no cache, for a process that judges one picture at a time. */
export function decodeOnOneThread(): void {
  sharp.concurrency(1);
  sharp.cache(false);
}

/**
 * Decodes at full size, because shrinking changes the scores.
 * @throws FrameUnreadableError for other content, damaged files and more than 2,000,000 pixels.
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

const shares = Float32Array.from({ length: 256 }, (_, value) => value / 255);

/** The input of a model: a square of nearest pixels as three planes (red, green, blue) from 0 to 1. */
export function planesOf({ width, height, data }: Pixels, edgePx: number): Float32Array {
  const area = edgePx * edgePx;
  const planes = new Float32Array(channels * area);
  const columns = Uint32Array.from({ length: edgePx }, (_, column) => nearest(column, edgePx, width));
  let place = 0;
  for (let row = 0; row < edgePx; row += 1) {
    const line = nearest(row, edgePx, height) * width;
    for (const column of columns) {
      const from = (line + column) * channels;
      planes[place] = shares[data[from] ?? 0] ?? 0;
      planes[place + area] = shares[data[from + 1] ?? 0] ?? 0;
      planes[place + 2 * area] = shares[data[from + 2] ?? 0] ?? 0;
      place += 1;
    }
  }
  return planes;
}

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

/** Brightness, sharpness, perceptual hash and ratio of the edges, in the units of `FrameVerdict`. */
export function measure(pixels: Pixels): { luma: number; sharpness: number; phash: string; aspect: number } {
  const grey = greyOf(pixels);
  let sum = 0;
  for (let row = 0; row < grey.rows; row += 1) sum += sumOf(grey.cells, row * grey.columns, (row + 1) * grey.columns);
  const luma = sum / grey.cells.length;
  const aspect = pixels.width / pixels.height;
  return { luma, sharpness: sharpnessOf(grey), phash: pictureHash(grey), aspect };
}

/** Variance of the Laplacian, which is the difference of a cell to its four neighbours. */
function sharpnessOf(grey: Grey): number {
  let sum = 0;
  let squares = 0;
  for (let row = 1; row < grey.rows - 1; row += 1) {
    const [rowSum, rowSquares] = differencesOf(grey, row);
    sum += rowSum;
    squares += rowSquares;
  }
  const count = (grey.columns - 2) * (grey.rows - 2);
  return squares / count - (sum / count) ** 2;
}

function differencesOf({ columns, cells }: Grey, row: number): readonly [number, number] {
  let sum = 0;
  let squares = 0;
  for (let at = row * columns + 1; at < (row + 1) * columns - 1; at += 1) {
    const around =
      (cells[at - 1] ?? 0) + (cells[at + 1] ?? 0) + (cells[at - columns] ?? 0) + (cells[at + columns] ?? 0);
    const difference = around - 4 * (cells[at] ?? 0);
    sum += difference;
    squares += difference * difference;
  }
  return [sum, squares];
}

/** Bytes per channel of a pixel, by sharp's names of depths. */
const depthBytes: Readonly<Record<string, number>> = { char: 1, uchar: 1, short: 2, ushort: 2 };
const depthBytesMax = 16;

/**
 * Opens a picture, of an animation the first one.
 * @throws Error for other content, and if the decoded picture would exceed `imageDecodedBytesMax`.
 */
export async function openSource(file: Uint8Array): Promise<Sharp> {
  const source = sharp(file, { limitInputPixels: imageDecodedBytesMax, failOn: "error", pages: 1 });
  const { width, height, channels, depth } = await source.metadata();
  const bytes = width * height * channels * (depthBytes[depth] ?? depthBytesMax);
  if (bytes > imageDecodedBytesMax) throw new Error(`${bytes} bytes decoded`);
  return source;
}
