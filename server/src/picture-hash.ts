/** Edge of the picture that is hashed, in cells, and how many of its frequencies count in each direction. */
export const hashEdge = 32;
const frequencies = 8;
/** Weaker than this a frequency is noise of the compression: it counts as not there, so that flat pictures are alike. */
const noise = 2;
/** Fewer different bits than this of 64, either way, come from pictures with hardly anything on them. */
const bitsMin = 12;

const waves = Array.from({ length: frequencies }, (_, index) =>
  Float64Array.from({ length: hashEdge }, (_unused, place) =>
    Math.cos(((2 * place + 1) * (index + 1) * Math.PI) / (2 * hashEdge)),
  ),
);

/**
 * Perceptual hash of a grey picture of 32 times 32 cells, 0 to 255: 16 hex digits, one bit for the sign of each of the
 * 64 lowest frequencies without the constant ones. What is resized, recoloured or compressed differs in a few bits,
 * another picture in about 32.
 */
export function pictureHash(cells: ArrayLike<number>): string {
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
  return toHex(bits);
}

/** The hash that the mirror image has: every second frequency from left to right turns its sign. */
export function mirroredHash(hash: string): string {
  return toHex(fromHex(hash) ^ 0xaaaa_aaaa_aaaa_aaaan);
}

/** In how many of 64 bits two hashes differ. */
export function hashDistance(one: string, other: string): number {
  return countBits(fromHex(one) ^ fromHex(other));
}

/** Whether the hash tells a picture from others: that of a flat one does not. */
export function isTelling(hash: string): boolean {
  const count = countBits(fromHex(hash));
  return count >= bitsMin && count <= 64 - bitsMin;
}

function fromHex(hash: string): bigint {
  return BigInt(`0x${hash}`);
}

function toHex(bits: bigint): string {
  return bits.toString(16).padStart(16, "0");
}

function countBits(bits: bigint): number {
  let count = 0;
  for (let rest = bits; rest !== 0n; rest &= rest - 1n) count += 1;
  return count;
}
