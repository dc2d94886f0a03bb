import { expect, test } from "vitest";
import type { MatchFilters } from "@fava/wire/beans.ts";
import type { Talk } from "@fava/wire/talk.ts";
import { seeds } from "@fava/wire/testing/depth.ts";
import type { Random } from "#ports/random.ts";
import { MatcherOracle } from "#test/fakes/matcher-oracle.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { Matcher, type Pairing, type Seeker } from "./matcher.ts";

interface Regime {
  people: number;
  countries: number;
  /** Blocks before the first search. With many, a first search may end before it finds a suitable user. */
  blocks: number;
  operations: number;
  matchesMin: number;
  /** Whether a list may have more barred users than a first search looks at. */
  mayBeCut: boolean;
  /** Durations of the pauses between operations. */
  pausesMs: readonly number[];
  /** Percentage of users who chose languages or interests. */
  taggedPercent: number;
  /** Percentage of users who exclude countries. */
  leavingOutPercent?: number;
}

/** Random operations on a matcher, each checked against the oracle. */
class Fuzz {
  readonly #regime: Regime;
  readonly #random: Random;
  readonly #oracle: MatcherOracle;
  readonly #matcher: Matcher;
  readonly #people: Omit<Seeker, "filters">[];
  /** By pair: the user whose search found it. */
  readonly #searchers = new Map<number, bigint>();
  #nowMs = 1_700_000_000_000;
  #pairings: Pairing[] = [];
  #matches = 0;

  constructor(seed: number, regime: Regime) {
    this.#regime = regime;
    this.#random = seededRandom(seed);
    this.#oracle = new MatcherOracle(regime.people);
    this.#matcher = new Matcher({
      capacityMax: regime.people,
      isExcluded: (searcher, other) => {
        this.#searchers.set(keyOf(searcher, other), searcher);
        return this.#oracle.isExcluded(searcher, other);
      },
    });
    this.#people = Array.from({ length: regime.people }, (_, index) => {
      const countryId = this.#random.integer(0, regime.countries - 1);
      const languageId = this.#draw([0, 1, 2, undefined]);
      const facts = { sex: this.#draw([1, 1, 2] as const), countryId, zone: countryId % 3, languageId };
      return { userId: BigInt(index + 1), ...facts, talk: this.#talk(), leavesOut: this.#leavesOut(countryId) };
    });
    for (let count = 0; count < regime.blocks; count += 1) this.#block();
  }

  /**
   * Runs the operations and returns the number of matches.
   * @throws Error if matcher and oracle differ, or a user is passed over too often.
   */
  run(): number {
    for (let count = 0; count < this.#regime.operations; count += 1) {
      this.#step();
      this.#agree();
      this.#advance(this.#random.integer(1, 20));
      this.#agree();
    }
    return this.#matches;
  }

  #step(): void {
    const kind = this.#random.integer(0, 99);
    if (kind < 45) this.#start(this.#anybody(), undefined);
    else if (kind < 55) this.#startAgain();
    else if (kind < 70) this.#cancel();
    else if (kind < 72) this.#block();
    else if (kind < 80) this.#fail();
    else this.#advance(this.#draw(this.#regime.pausesMs));
  }

  #start(person: Omit<Seeker, "filters">, since: number | undefined, filters = this.#filters()): void {
    const seeker = { ...person, filters };
    const expected = this.#oracle.start(seeker, this.#nowMs, since);
    const pairing = this.#matcher.start(seeker, this.#nowMs, since);
    demand("start", partnerSince(pairing, seeker.userId), expected);
    if (pairing) this.#paired(pairing);
  }

  /** Presses Start again: unchanged, with another wish, or with other excluded countries. */
  #startAgain(): void {
    const waiter = this.#draw([...this.#oracle.waiting.values()]);
    if (!waiter) return;
    const { seeker } = waiter;
    const leavesOut = this.#draw([seeker.leavesOut, this.#leavesOut(seeker.countryId)]);
    this.#start({ ...seeker, leavesOut }, undefined, this.#draw([seeker.filters, this.#filters()]));
  }

  #cancel(): void {
    const { userId } = this.#draw([this.#anybody(), ...[...this.#oracle.waiting.values()].map(({ seeker }) => seeker)]);
    demand("cancel", this.#matcher.cancel(userId), this.#oracle.cancel(userId));
  }

  #block(): void {
    this.#oracle.block(this.#anybody().userId, this.#anybody().userId);
  }

  /** A connection fails: both users return to their original place and are kept apart. */
  #fail(): void {
    const pairing = this.#pairings.pop();
    if (!pairing) return;
    const forMs = this.#draw([500, 3_000, 20_000]);
    this.#matcher.separate(pairing.longer, pairing.newer, { nowMs: this.#nowMs, forMs });
    this.#oracle.separate(pairing.longer, pairing.newer, this.#nowMs + forMs);
    this.#start(this.#person(pairing.longer), pairing.longerSince);
    this.#agree();
    this.#start(this.#person(pairing.newer), pairing.newerSince);
  }

  /** Advances the time and sweeps at every due time. */
  #advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (let dueMs = this.#matcher.nextDueMs(); dueMs !== null && dueMs <= untilMs; dueMs = this.#matcher.nextDueMs()) {
      this.#nowMs = Math.max(this.#nowMs, dueMs);
      for (const pairing of this.#matcher.sweep(this.#nowMs)) {
        const searcher = this.#searchers.get(keyOf(pairing.longer, pairing.newer))!;
        demand("the best partner", this.#oracle.isBest(pairing, searcher, this.#nowMs), true);
        this.#paired(pairing);
      }
    }
    this.#nowMs = untilMs;
  }

  #paired(pairing: Pairing): void {
    demand("pair", this.#oracle.pair(pairing, this.#nowMs), null);
    this.#pairings = [...this.#pairings.slice(-3), pairing];
    this.#matches += 1;
  }

  #agree(): void {
    const { waiting } = this.#oracle;
    demand("count", this.#matcher.waitingCount(), waiting.size);
    const wrong = this.#people.find(({ userId }) => {
      const sinceMs = waiting.get(Number(userId))?.sinceMs ?? null;
      return this.#matcher.isWaiting(userId) !== (sinceMs !== null) || this.#matcher.sinceOf(userId) !== sinceMs;
    });
    demand("who waits", wrong?.userId, undefined);
    demand("missed", this.#oracle.missed(this.#nowMs, this.#regime.mayBeCut), null);
  }

  #filters(): MatchFilters {
    const country = this.#draw([-1, -1, 0, 0, this.#random.integer(1, this.#regime.countries)]);
    return { sex: this.#draw([0, 0, 1, 2]), country };
  }
  #talk(): Talk | undefined {
    if (this.#random.integer(1, 100) > this.#regime.taggedPercent) return undefined;
    const ids = (countMax: number) => [
      ...new Set(Array.from({ length: this.#random.integer(0, countMax) }, () => this.#draw([0, 1, 2, 3, 40, 62]))),
    ];
    return { languages: ids(2), interests: ids(3).map((id) => id % 48), prefer: this.#draw([1, 1, 1, 0]) };
  }
  /** Half of the lists include the user's own country. One of the ids is of a country without users. */
  #leavesOut(countryId: number): number[] | undefined {
    const { leavingOutPercent = 0, countries } = this.#regime;
    if (leavingOutPercent === 0 || this.#random.integer(1, 100) > leavingOutPercent) return undefined;
    const drawn = Array.from({ length: this.#random.integer(0, 2) }, () => this.#random.integer(1, countries + 1));
    return [...new Set([...drawn, ...(countryId > 0 && this.#draw([true, false]) ? [countryId] : [])])];
  }
  #anybody(): Omit<Seeker, "filters"> {
    return this.#draw(this.#people);
  }
  #person(userId: bigint): Omit<Seeker, "filters"> {
    return this.#people[Number(userId) - 1]!;
  }
  #draw<Item>(items: readonly Item[]): Item {
    return items[this.#random.integer(0, items.length - 1)]!;
  }
}

function partnerSince(pairing: Pairing | null, userId: bigint): number | null {
  if (!pairing) return null;
  return pairing.longer === userId ? pairing.newerSince : pairing.longerSince;
}

function keyOf(one: bigint, other: bigint): number {
  const [a, b] = [Number(one), Number(other)];
  return Math.min(a, b) * (peopleMax + 1) + Math.max(a, b);
}

function demand(what: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`);
}

const peopleMax = 150;
const pausesMs = [10, 100, 400, 1_500, 6_000];
const regimes = [
  { people: 8, countries: 3, blocks: 0, operations: 500, matchesMin: 40, mayBeCut: false, pausesMs },
  { people: 40, countries: 6, blocks: 60, operations: 500, matchesMin: 40, mayBeCut: false, pausesMs },
  { people: peopleMax, countries: 1, blocks: 40_000, operations: 400, matchesMin: 5, mayBeCut: true, pausesMs },
  // Enough searches begin that users wait for a common language.
  { people: 90, countries: 5, blocks: 40, operations: 500, matchesMin: 40, mayBeCut: false, pausesMs: [10, 100, 250] },
];

test.each(seeds(24))("matches like the oracle, without a missed or a wrong pair (seed %i)", (seed) => {
  for (const regime of regimes)
    expect(new Fuzz(seed, { ...regime, taggedPercent: 0 }).run()).toBeGreaterThanOrEqual(regime.matchesMin);
});

test.each(seeds(24))("matches like the oracle among users with languages and interests (seed %i)", (seed) => {
  for (const regime of regimes)
    expect(new Fuzz(seed, { ...regime, taggedPercent: 60 }).run()).toBeGreaterThanOrEqual(regime.matchesMin);
});

test.each(seeds(24))("matches like the oracle where countries are excluded (seed %i)", (seed) => {
  for (const regime of regimes)
    for (const taggedPercent of [0, 60]) {
      const fuzz = new Fuzz(seed, { ...regime, taggedPercent, leavingOutPercent: 40, mayBeCut: true });
      // Exclusions reduce the matches. The test needs only some, for which the oracle agrees.
      expect(fuzz.run()).toBeGreaterThanOrEqual(regime.matchesMin / 2);
    }
});
