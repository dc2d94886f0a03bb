import type { MatchWish } from "@fava/wire/beans.ts";
import { Matcher, type MatcherOptions, type Seeker } from "./matcher.ts";

export const man = 1;
export const woman = 2;
export const anyone: MatchWish = { sex: 0, country: 0 };
export const balanced: MatchWish = { sex: 0, country: -1 };
export const women: MatchWish = { sex: 2, country: 0 };

/** For tests: a matcher whose clock stands still until it is moved, and that sweeps whenever somebody is due. */
export class Pool {
  readonly matcher: Matcher;
  nowMs = 1_000_000;

  constructor(options: Partial<MatcherOptions> = {}) {
    this.matcher = new Matcher({ capacityMax: 2_000, ...options });
  }

  start(userId: number, facts: Partial<Omit<Seeker, "userId">> = {}, since?: number): number | null {
    const seeker = { sex: man, wish: anyone, countryId: 1, zone: 1, ...facts, userId: BigInt(userId) } as const;
    const pairing = this.matcher.start(seeker, this.nowMs, since);
    if (!pairing) return null;
    return Number(pairing.longer === BigInt(userId) ? pairing.newer : pairing.longer);
  }

  /** Time passes; the pairs that the sweeps made, with the time that had passed. */
  advance(byMs: number): { pair: [number, number]; afterMs: number }[] {
    const fromMs = this.nowMs;
    const pairs: { pair: [number, number]; afterMs: number }[] = [];
    for (let dueMs = this.matcher.nextDueMs(); dueMs !== null && dueMs <= fromMs + byMs;) {
      this.nowMs = Math.max(this.nowMs, dueMs);
      for (const { longer, newer } of this.matcher.sweep(this.nowMs))
        pairs.push({ pair: [Number(longer), Number(newer)], afterMs: this.nowMs - fromMs });
      dueMs = this.matcher.nextDueMs();
    }
    this.nowMs = fromMs + byMs;
    return pairs;
  }
}

/** Two people meet and part, so that they remember each other; whom the second one met. */
export function meet(pool: Pool, one: number, other: number): number | null {
  pool.start(one);
  return pool.start(other);
}
