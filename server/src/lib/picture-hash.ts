/*
 * Perceptual hashes of pictures, which are alike where the pictures are: 64 bits, written as 16 hexadecimal digits. They
 * are taken from pixels in `picture-pixels.ts`.
 */

/** Fewer different bits than this of 64, either way, come from pictures with hardly anything on them. */
const bitsMin = 12;

/** The hash that the mirror image has: every second frequency from left to right turns its sign. */
export function mirroredHash(hash: string): string {
  return hashText(fromHex(hash) ^ 0xaaaa_aaaa_aaaa_aaaan);
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

/** A hash of 64 bits as it is kept: 16 digits. */
export function hashText(bits: bigint): string {
  return bits.toString(16).padStart(16, "0");
}

function countBits(bits: bigint): number {
  let count = 0;
  for (let rest = bits; rest !== 0n; rest &= rest - 1n) count += 1;
  return count;
}
