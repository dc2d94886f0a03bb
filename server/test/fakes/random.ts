import type { Random } from "#ports/random.ts";

/** Random numbers that are equal for equal seeds (Mulberry32). Only for tests and simulations. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
  return {
    bytes: (byteCount) => Buffer.from(Array.from({ length: byteCount }, () => next() & 0xff)),
    integer: (min, max) => min + Math.floor((next() / 2 ** 32) * (max - min + 1)),
  };
}
