import { hashEdge, pictureHash } from "#picture-hash.ts";
import type { Pixels } from "#picture-pixels.ts";

/** Means of grey over cells of a picture, row by row, 0 to 255. */
interface Grey {
  readonly columns: number;
  readonly rows: number;
  readonly cells: Float64Array;
}

/** Every picture is measured in this size, so that one limit fits all. */
const measured = { columns: 160, rows: 120 } as const;

/** Brightness, sharpness and perceptual hash of a picture, in the units of `FrameVerdict`. */
export function measure(pixels: Pixels): { luma: number; sharpness: number; phash: string } {
  const grey = greyOf(pixels);
  const luma = grey.cells.reduce((sum, cell) => sum + cell, 0) / grey.cells.length;
  return { luma, sharpness: sharpnessOf(grey), phash: pictureHash(shrunk(grey, hashEdge)) };
}

function greyOf({ width, height, data }: Pixels): Grey {
  const { columns, rows } = measured;
  const lines = edges(rows, height);
  const places = edges(columns, width);
  const cells = new Float64Array(columns * rows);
  for (const [row, [top, bottom]] of lines.entries()) {
    for (const [column, [left, right]] of places.entries()) {
      let sum = 0;
      for (let y = top; y < bottom; y += 1) {
        const end = (y * width + right) * 3;
        for (let at = (y * width + left) * 3; at < end; at += 3) {
          sum += 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
        }
      }
      cells[row * columns + column] = sum / ((right - left) * (bottom - top));
    }
  }
  return { columns, rows, cells };
}

function shrunk(grey: Grey, edge: number): Float64Array {
  const cells = new Float64Array(edge * edge);
  const places = edges(edge, grey.columns);
  for (const [row, [top, bottom]] of edges(edge, grey.rows).entries()) {
    for (const [column, [left, right]] of places.entries()) {
      let sum = 0;
      for (let y = top; y < bottom; y += 1) {
        for (let x = left; x < right; x += 1) sum += grey.cells[y * grey.columns + x] ?? 0;
      }
      cells[row * edge + column] = sum / ((right - left) * (bottom - top));
    }
  }
  return cells;
}

/** Variance of the Laplacian: how much each cell differs from its four neighbours. */
function sharpnessOf({ columns, rows, cells }: Grey): number {
  let sum = 0;
  let squares = 0;
  for (let row = 1; row < rows - 1; row += 1) {
    for (let column = 1; column < columns - 1; column += 1) {
      const at = row * columns + column;
      const around =
        (cells[at - 1] ?? 0) + (cells[at + 1] ?? 0) + (cells[at - columns] ?? 0) + (cells[at + columns] ?? 0);
      const difference = around - 4 * (cells[at] ?? 0);
      sum += difference;
      squares += difference * difference;
    }
  }
  const count = (columns - 2) * (rows - 2);
  return squares / count - (sum / count) ** 2;
}

/** From where to where each of `count` cells goes along an edge of `size`; each is one wide at least. */
function edges(count: number, size: number): (readonly [number, number])[] {
  return Array.from({ length: count }, (_, cell) => {
    const from = Math.floor((cell * size) / count);
    return [from, Math.max(from + 1, Math.floor(((cell + 1) * size) / count))] as const;
  });
}
