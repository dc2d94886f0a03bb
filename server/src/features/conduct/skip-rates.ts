import { LruMap } from "#lru-map.ts";
import type { Clock } from "#ports/clock.ts";

/** Of so many calls that somebody left within the time, so many lasted no longer than a glance. */
const callsCounted = 40;
const glancesMin = 38;
const glanceMs = 3_000;
const withinMs = 1_800_000;
const peopleMax = 20_000;

interface Left {
  readonly atMs: number;
  readonly isGlance: boolean;
}

/** Who leaves call after call faster than a person looks (rule BOT-2). */
export class SkipRates {
  readonly #clock: Clock;
  readonly #people = new LruMap<bigint, Left[]>(peopleMax);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a call that this person left; true when it makes too many, after which counting begins anew. */
  add(userId: bigint, lastedMs: number): boolean {
    const atMs = this.#clock.monotonicMs();
    const recent = (this.#people.get(userId) ?? []).filter((left) => atMs - left.atMs < withinMs);
    const left = [...recent, { atMs, isGlance: lastedMs <= glanceMs }].slice(-callsCounted);
    const tooMany = left.length === callsCounted && left.filter(({ isGlance }) => isGlance).length >= glancesMin;
    this.#people.set(userId, tooMany ? [] : left);
    return tooMany;
  }
}
