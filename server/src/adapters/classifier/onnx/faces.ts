import type { Pixels } from "@fava/wire/picture-hash.ts";

/** A face that BlazeFace found. Places are in pixels of the frame. */
export interface FoundFace {
  /** 0 to 1. */
  readonly score: number;
  readonly width: number;
  readonly height: number;
  readonly center: Point;
  /** In the picture: the left and the right one. */
  readonly eyes: readonly [Point, Point];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a frame lies in the square input of a model, in its pixels. `scale`: pixels of the frame in one of them. */
interface Placed {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

export interface FaceInput {
  readonly planes: Float32Array;
  readonly placed: Placed;
}

export const faceEdgePx = 256;
const channels = 3;

/** The whole frame in the middle of BlazeFace's square, black around it. */
export function faceInput(pixels: Pixels): FaceInput {
  const scale = Math.max(pixels.width, pixels.height) / faceEdgePx;
  const placed = placedBy(pixels, scale);
  const planes = new Float32Array(channels * faceEdgePx * faceEdgePx);
  const columns = samplesOf(placed.width, scale, pixels.width);
  const lines = samplesOf(placed.height, scale, pixels.height);
  for (let row = 0; row < placed.height; row += 1) {
    const upper = (lines[2 * row] ?? 0) * pixels.width;
    const lower = (lines[2 * row + 1] ?? 0) * pixels.width;
    const at = (placed.top + row) * faceEdgePx + placed.left;
    fillRow(planes.subarray(at), { data: pixels.data, columns, upper, lower });
  }
  return { planes, placed };
}

/** How much smaller the frame is in the second input. BlazeFace misses faces that fill the frame. */
const shrink = 3;

/** The same frame at a third of the size. */
export function smallerInput({ planes, placed }: FaceInput, pixels: Pixels): FaceInput {
  const small = placedBy(pixels, placed.scale * shrink);
  const area = faceEdgePx * faceEdgePx;
  const shrunk = new Float32Array(channels * area);
  for (let plane = 0; plane < channels; plane += 1) {
    for (let row = 0; row < small.height; row += 1) {
      const from = plane * area + (placed.top + row * shrink) * faceEdgePx + placed.left;
      const to = plane * area + (small.top + row) * faceEdgePx + small.left;
      for (let column = 0; column < small.width; column += 1)
        shrunk[to + column] = meanOfBlock(planes, from + column * shrink);
    }
  }
  return { planes: shrunk, placed: small };
}

function placedBy(pixels: Pixels, scale: number): Placed {
  const width = Math.max(1, Math.floor(pixels.width / scale));
  const height = Math.max(1, Math.floor(pixels.height / scale));
  const middle = (size: number) => Math.floor((faceEdgePx - size) / 2);
  return { left: middle(width), top: middle(height), width, height, scale };
}

function meanOfBlock(planes: Float32Array, at: number): number {
  let sum = 0;
  for (let row = 0; row < shrink; row += 1)
    for (let column = 0; column < shrink; column += 1) sum += planes[at + row * faceEdgePx + column] ?? 0;
  return sum / (shrink * shrink);
}

/** Two places of the frame for each place of the input, at a quarter and three quarters of it. */
function samplesOf(count: number, scale: number, size: number): Uint32Array {
  return Uint32Array.from({ length: 2 * count }, (_, at) => Math.min(size - 1, Math.floor((at / 2 + 0.25) * scale)));
}

interface SampledRow {
  readonly data: Uint8Array;
  readonly columns: Uint32Array;
  /** First pixels of the two lines. */
  readonly upper: number;
  readonly lower: number;
}

/** A function for each row: V8 discards the compiled code of one long loop at its end. */
function fillRow(planes: Float32Array, { data, columns, upper, lower }: SampledRow): void {
  const area = faceEdgePx * faceEdgePx;
  const share = 1 / (4 * 255);
  for (let at = 0; at < columns.length; at += 2) {
    const near = columns[at] ?? 0;
    const far = columns[at + 1] ?? 0;
    for (let plane = 0; plane < channels; plane += 1) {
      const above = (data[(upper + near) * channels + plane] ?? 0) + (data[(upper + far) * channels + plane] ?? 0);
      const below = (data[(lower + near) * channels + plane] ?? 0) + (data[(lower + far) * channels + plane] ?? 0);
      planes[plane * area + at / 2] = (above + below) * share;
    }
  }
}

/** BlazeFace's anchors: cells along an edge, and anchors in a cell. */
const layers = [
  { cells: 16, anchors: 2 },
  { cells: 8, anchors: 6 },
] as const;
/** Score, box, and six points of two numbers. */
const rowLength = 17;

const anchors: readonly Point[] = layers.flatMap(({ cells, anchors: count }) =>
  Array.from({ length: cells * cells * count }, (_, index) => {
    const cell = Math.floor(index / count);
    return { x: ((cell % cells) + 0.5) / cells, y: (Math.floor(cell / cells) + 0.5) / cells };
  }),
);

/** The best score of one run, 0 to 1. */
export function bestScore(rows: Float32Array): number {
  let best = -Infinity;
  for (let at = 0; at < rows.length; at += rowLength) best = Math.max(best, rows[at] ?? -Infinity);
  return sigmoid(best);
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** The faces of one run from `scoreMin` on: at most 896, whatever the picture shows. */
export function decodeFaces(rows: Float32Array, { placed }: FaceInput, scoreMin: number): FoundFace[] {
  return anchors.flatMap((anchor, index) => {
    const at = index * rowLength;
    const score = sigmoid(rows[at] ?? -Infinity);
    if (score < scoreMin) return [];
    const point = (from: number): Point => ({
      x: (anchor.x * faceEdgePx + (rows[from] ?? 0) - placed.left) * placed.scale,
      y: (anchor.y * faceEdgePx + (rows[from + 1] ?? 0) - placed.top) * placed.scale,
    });
    const [width = 0, height = 0] = [rows[at + 3], rows[at + 4]].map((size) => (size ?? 0) * placed.scale);
    return [{ score, width, height, center: point(at + 1), eyes: [point(at + 5), point(at + 7)] }];
  });
}

/** The largest face: of the candidates on the same place the one with the best score. */
export function largestFace(faces: readonly FoundFace[]): FoundFace | null {
  const [largest] = faces.toSorted((one, other) => other.height - one.height);
  if (!largest) return null;
  const same = faces.filter(
    ({ center, height }) =>
      height > largest.height / 2 &&
      Math.abs(center.x - largest.center.x) < largest.width / 2 &&
      Math.abs(center.y - largest.center.y) < largest.height / 2,
  );
  return same.toSorted((one, other) => other.score - one.score)[0] ?? largest;
}

export const chipEdgePx = 64;
/** Share of its edge that dlib adds around a face, and where the eyes are without it. */
const padding = 0.2;
const eyePlaces = { left: 0.227, right: 0.753, down: 0.221 } as const;
const padded = (place: number) => ((place + padding) / (1 + 2 * padding)) * chipEdgePx;
const samplesMax = 6;

/** Maps a place of dlib's chip to the frame: both eyes lie on their places of the chip. */
export function chipTransform([left, right]: FoundFace["eyes"]): (place: Point) => Point {
  const from = { x: padded(eyePlaces.left), y: padded(eyePlaces.down) };
  const apart = padded(eyePlaces.right) - from.x;
  const [cos, sin] = [(right.x - left.x) / apart, (right.y - left.y) / apart];
  return ({ x, y }) => ({
    x: left.x + cos * (x - from.x) - sin * (y - from.y),
    y: left.y + sin * (x - from.x) + cos * (y - from.y),
  });
}

/** The face as dlib's networks see it: three planes of 64 x 64, 0 to 1, upright; black outside of the frame. */
export function chipOf(pixels: Pixels, face: FoundFace): Float32Array {
  const transform = chipTransform(face.eyes);
  const [one, next] = [transform({ x: 0, y: 0 }), transform({ x: 1, y: 0 })];
  const scale = Math.hypot(next.x - one.x, next.y - one.y);
  const samples = Math.min(samplesMax, Math.max(1, Math.round(scale)));
  const area = chipEdgePx * chipEdgePx;
  const chip = new Float32Array(channels * area);
  for (let row = 0; row < chipEdgePx; row += 1) {
    for (let column = 0; column < chipEdgePx; column += 1) {
      const sums = [0, 0, 0];
      for (let sample = 0; sample < samples * samples; sample += 1) {
        const x = column + ((sample % samples) + 0.5) / samples;
        const y = row + (Math.floor(sample / samples) + 0.5) / samples;
        addPixel(sums, pixels, transform({ x, y }));
      }
      sums.forEach((sum, plane) => {
        chip[plane * area + row * chipEdgePx + column] = sum / (255 * samples * samples);
      });
    }
  }
  return chip;
}

function addPixel(sums: number[], { width, height, data }: Pixels, { x, y }: Point): void {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  if (column < 0 || row < 0 || column >= width || row >= height) return;
  const at = (row * width + column) * channels;
  for (let plane = 0; plane < channels; plane += 1) sums[plane] = (sums[plane] ?? 0) + (data[at + plane] ?? 0);
}

export function mirrored(chip: Float32Array): Float32Array {
  const turned = new Float32Array(chip.length);
  for (let row = 0; row < chip.length; row += chipEdgePx) turned.set(chip.slice(row, row + chipEdgePx).reverse(), row);
  return turned;
}
