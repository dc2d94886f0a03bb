/** Similar pictures have similar hashes of 64 bits, written as 16 hexadecimal digits. */

/** A picture without content has fewer set bits than this, or fewer unset ones. */
const bitsMin = 12;

/** Hash of the mirrored picture. Mirroring changes the sign of every second horizontal frequency. */
export function mirroredHash(hash: string): string {
  return hashText(fromHex(hash) ^ 0xaaaa_aaaa_aaaa_aaaan);
}

export function hashDistance(one: string, other: string): number {
  return countBits(fromHex(one) ^ fromHex(other));
}

/** Whether the hash identifies a picture. Hashes of flat pictures do not. */
export function isDistinctive(hash: string): boolean {
  const count = countBits(fromHex(hash));
  return count >= bitsMin && count <= 64 - bitsMin;
}

function fromHex(hash: string): bigint {
  return BigInt(`0x${hash}`);
}

function hashText(bits: bigint): string {
  return bits.toString(16).padStart(16, "0");
}

function countBits(bits: bigint): number {
  let count = 0;
  for (let rest = bits; rest !== 0n; rest &= rest - 1n) count += 1;
  return count;
}

/** A decoded picture: red, green and blue of each pixel, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A grey picture, row by row, 0 to 255. */
export interface Grey {
  readonly columns: number;
  readonly rows: number;
  readonly cells: Float64Array;
}

/** Every picture is measured at this size, so that thresholds are comparable. */
const measured = { columns: 160, rows: 120 } as const;

/** Weights of the colours in thousandths, since integers add up without rounding. */
const greyOfRed = 299;
const greyOfGreen = 587;
const greyOfBlue = 114;

/** At the size of every measurement. Each row has a call of its own: V8 discards the code of one long loop at its end. */
export function greyOf(pixels: Pixels): Grey {
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

export function sumOf(cells: Float64Array, from: number, to: number): number {
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
 * Hash of a picture as 16 hex digits: the signs of the 64 lowest frequencies. A resized, recoloured or compressed copy
 * differs in a few bits, another picture in about 32.
 */
export function pictureHash(grey: Grey): string {
  const cells = shrunk(grey, hashEdge);
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
