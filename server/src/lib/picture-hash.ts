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

export function hashText(bits: bigint): string {
  return bits.toString(16).padStart(16, "0");
}

function countBits(bits: bigint): number {
  let count = 0;
  for (let rest = bits; rest !== 0n; rest &= rest - 1n) count += 1;
  return count;
}
