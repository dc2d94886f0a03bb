import type { Seeker } from "@fava/server/calls/matcher.ts";

const partnersRemembered = 8;

/**
 * What products of this kind usually do: one array of waiting people, searched from its start on every request. It
 * keeps the rules of our matcher (wishes of both, nearest first for balanced people, blocks, eight recent partners), so
 * that only the structure differs.
 */
export class NaiveArray {
  readonly #waiting: Seeker[] = [];
  readonly #partners = new Map<bigint, bigint[]>();
  readonly #isExcluded: (a: bigint, b: bigint) => boolean;

  constructor(waiting: readonly Seeker[], isExcluded: (a: bigint, b: bigint) => boolean) {
    this.#waiting = [...waiting];
    this.#isExcluded = isExcluded;
  }

  get count(): number {
    return this.#waiting.length;
  }

  /** The partner, who no longer waits, or null if the seeker waits now. */
  start(seeker: Seeker): Seeker | null {
    let found = -1;
    let foundDistance = Infinity;
    // A plain loop: iterators would make the array look slower than it is.
    for (let index = 0; index < this.#waiting.length; index += 1) {
      const other = this.#waiting[index]!;
      if (!accepts(seeker, other) || !accepts(other, seeker)) continue;
      const distance = seeker.filters.country === -1 ? distanceOf(seeker, other) : 0;
      if (distance >= foundDistance || this.#isBarred(seeker.userId, other.userId)) continue;
      found = index;
      foundDistance = distance;
      if (distance === 0) break;
    }
    const [partner] = found < 0 ? [] : this.#waiting.splice(found, 1);
    if (!partner) {
      this.#waiting.push(seeker);
      return null;
    }
    this.#remember(seeker.userId, partner.userId);
    this.#remember(partner.userId, seeker.userId);
    return partner;
  }

  cancelAt(index: number): void {
    this.#waiting.splice(index, 1);
  }

  #isBarred(a: bigint, b: bigint): boolean {
    return (this.#partners.get(a)?.includes(b) ?? false) || this.#isExcluded(a, b);
  }

  #remember(userId: bigint, partner: bigint): void {
    const others = this.#partners.get(userId) ?? [];
    this.#partners.set(userId, [...others, partner].slice(-partnersRemembered));
  }
}

function accepts({ filters }: Seeker, other: Seeker): boolean {
  return (
    (filters.sex === 0 || filters.sex === other.sex) && (filters.country <= 0 || filters.country === other.countryId)
  );
}

function distanceOf(seeker: Seeker, other: Seeker): number {
  if (seeker.countryId === other.countryId) return 0;
  return seeker.zone === other.zone ? 1 : 2;
}
