import sharp, { type Sharp } from "sharp";
import { imageDecodedBytesMax } from "@fava/wire/limits.ts";
import { FrameUnreadableError } from "#ports/frame-classifier.ts";
import { hashText } from "./picture-hash.ts";

/** A decoded picture: red, green and blue of each pixel, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

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

/** A grey picture, row by row, 0 to 255. */
interface Grey {
  readonly columns: number;
  readonly rows: number;
  readonly cells: Float64Array;
}

/** Every picture is measured at this size, so that thresholds are comparable. */
const measured = { columns: 160, rows: 120 } as const;

/** Brightness, sharpness, perceptual hash and ratio of the edges, in the units of `FrameVerdict`. */
export function measure(pixels: Pixels): { luma: number; sharpness: number; phash: string; aspect: number } {
  const grey = greyOf(pixels);
  let sum = 0;
  for (let row = 0; row < grey.rows; row += 1) sum += sumOf(grey.cells, row * grey.columns, (row + 1) * grey.columns);
  const luma = sum / grey.cells.length;
  const aspect = pixels.width / pixels.height;
  return { luma, sharpness: sharpnessOf(grey), phash: pictureHash(shrunk(grey, hashEdge)), aspect };
}

/** Weights of the colours in thousandths, since integers add up without rounding. */
const greyOfRed = 299;
const greyOfGreen = 587;
const greyOfBlue = 114;

/** A function for each row: V8 discards the compiled code of one long loop at its end. */

function greyOf(pixels: Pixels): Grey {
  const { columns, rows } = measured;
  const lines = edges(rows, pixels.height);
  const places = edges(columns, pixels.width);
  const cells = new Float64Array(columns * rows);
  for (let row = 0; row < rows; row += 1) cells.set(greyRow(pixels, places, edgesAt(lines, row)), row * columns);
  return { columns, rows, cells };
}

function greyRow({ width, data }: Pixels, places: Uint32Array, [top, bottom]: readonly [number, number]): Float64Array {
  const cells = new Float64Array(measured.columns);
  for (let column = 0; column < cells.length; column += 1) {
    const [left, right] = edgesAt(places, column);
    let sum = 0;
    for (let y = top; y < bottom; y += 1) sum += greySum(data, (y * width + left) * 3, (y * width + right) * 3);
    cells[column] = sum / (1_000 * (right - left) * (bottom - top));
  }
  return cells;
}

/** Sum of grey from byte `from` to before byte `to`, in thousandths. */
function greySum(data: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 3) {
    sum += greyOfRed * (data[at] ?? 0) + greyOfGreen * (data[at + 1] ?? 0) + greyOfBlue * (data[at + 2] ?? 0);
  }
  return sum;
}

function sumOf(cells: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += cells[at] ?? 0;
  return sum;
}

function shrunk(grey: Grey, edge: number): Float64Array {
  const cells = new Float64Array(edge * edge);
  const places = edges(edge, grey.columns);
  const lines = edges(edge, grey.rows);
  for (let row = 0; row < edge; row += 1) {
    const [top, bottom] = edgesAt(lines, row);
    for (let column = 0; column < edge; column += 1) {
      const [left, right] = edgesAt(places, column);
      let sum = 0;
      for (let y = top; y < bottom; y += 1) {
        sum += sumOf(grey.cells, y * grey.columns + left, y * grey.columns + right);
      }
      cells[row * edge + column] = sum / ((right - left) * (bottom - top));
    }
  }
  return cells;
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

/** Start and end of each of `count` cells along an edge of `size` pixels. A cell has at least one pixel. */
function edges(count: number, size: number): Uint32Array {
  const places = new Uint32Array(2 * count);
  for (let cell = 0; cell < count; cell += 1) {
    const from = Math.floor((cell * size) / count);
    places[2 * cell] = from;
    places[2 * cell + 1] = Math.max(from + 1, Math.floor(((cell + 1) * size) / count));
  }
  return places;
}

function edgesAt(places: Uint32Array, cell: number): readonly [number, number] {
  return [places[2 * cell] ?? 0, places[2 * cell + 1] ?? 0];
}

/** Edge of the hashed picture in cells, and the number of hashed frequencies per direction. */
const hashEdge = 32;
const frequencies = 8;
/** Weaker frequencies are compression noise and count as 0, so that flat pictures have similar hashes. */
const noise = 2;

const waves = Array.from({ length: frequencies }, (_, index) =>
  Float64Array.from({ length: hashEdge }, (_unused, place) =>
    Math.cos(((2 * place + 1) * (index + 1) * Math.PI) / (2 * hashEdge)),
  ),
);

/**
 * Hash of a grey picture of 32 x 32 cells, as 16 hex digits: the signs of the 64 lowest frequencies. A resized,
 * recoloured or compressed copy differs in a few bits, another picture in about 32.
 */
function pictureHash(cells: ArrayLike<number>): string {
  const columns = waves.map((wave) =>
    Float64Array.from({ length: hashEdge }, (_, row) => {
      let sum = 0;
      for (let place = 0; place < hashEdge; place += 1)
        sum += (wave[place] ?? 0) * (cells[row * hashEdge + place] ?? 0);
      return sum;
    }),
  );
  let bits = 0n;
  for (const down of waves) {
    for (const column of columns) {
      let strength = 0;
      for (let row = 0; row < hashEdge; row += 1) strength += (down[row] ?? 0) * (column[row] ?? 0);
      bits = (bits << 1n) | (strength / hashEdge > noise ? 1n : 0n);
    }
  }
  return hashText(bits);
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
