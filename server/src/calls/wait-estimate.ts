import type { MatchFilters } from "@fava/wire/beans.ts";
import { waitEstimateSeconds } from "@fava/wire/limits.ts";
import { boundedCache } from "#lib/cache.ts";
import type { WaitOf, WaitEstimate } from "#ports/match-pool.ts";

const minutesKept = 15;
/** A class with fewer observed searches gives no estimate. */
const searchesMin = 20;
/** With fewer observed searches from a bucket on, an estimate would be a guess. */
const atRiskMin = 5;
const classesMax = 2_000;
const secondMs = 1_000;
const minuteMs = 60_000;
/** A wait that has lasted this long when it is first counted was already running before. */
const goesOnMs = secondMs;
/** One bucket for each of `waitEstimateSeconds`, and one for longer waits. */
const bucketCount = waitEstimateSeconds.length + 1;
const secondsKept = (waitEstimateSeconds.at(-1) ?? 0) + 1;

/** The estimate if too few searches were observed. */
export const noEstimate: WaitEstimate = { seconds: null, basis: "none" };

export interface CountedWait {
  readonly classes: readonly string[];
  readonly sinceMs: number;
  /** Classes with a greater number are younger than this wait and did not count its start. */
  readonly number: number;
}

/** Waits of the last 15 minutes by class: the user's own one and wider ones. Has only counts, nothing about a user. */
export class WaitTimes {
  readonly #nowMs: () => number;
  readonly #classes = boundedCache<string, WaitCounts>({ entriesMax: classesMax });
  #number = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Counts a wait since `sinceMs`. Of a wait that was already running, only the time from now on counts. */
  began(search: WaitOf, sinceMs: number): CountedWait {
    const nowMs = this.#nowMs();
    const classes = waitClassesOf(search);
    const wait = { classes, sinceMs: Math.min(sinceMs, nowMs), number: (this.#number += 1) };
    for (const key of classes) {
      let counts = this.#classes.get(key);
      if (!counts) this.#classes.set(key, (counts = new WaitCounts(wait.number, nowMs)));
      counts.began(wait.sinceMs, nowMs);
    }
    return wait;
  }

  ended({ classes, sinceMs, number }: CountedWait, how: "found" | "gave up"): void {
    const nowMs = this.#nowMs();
    for (const key of classes) {
      const counts = this.#classes.get(key);
      if (counts && counts.number <= number) counts.ended(sinceMs, nowMs, how);
    }
  }

  estimateWait(search: WaitOf): WaitEstimate {
    const nowMs = this.#nowMs();
    for (const [at, key] of waitClassesOf(search).entries()) {
      const seconds = this.#classes.get(key)?.median(nowMs);
      if (seconds !== undefined) return { seconds, basis: at === 0 ? "yours" : "wider" };
    }
    return noEstimate;
  }
}

/** A user's search, with the start of the wait for a partner who suits it. */
interface WaitingPerson {
  readonly userId: bigint;
  readonly filters: MatchFilters;
  readonly sinceMs: number;
}

/** How many searches matched within their estimate and how many later, by the estimate's basis. */
export type EstimateFigures = Record<"yours" | "wider", { within: number; later: number }>;

const toldMax = 20_000;
/** How old an estimate may be when the user starts the search to which it belongs, in milliseconds. */
const toldBeforeMs = minuteMs;

/** Compares waits with their estimates. Ignores searches without an estimate or with an unknown one. */
export class EstimateCheck {
  readonly figures: EstimateFigures = { yours: { within: 0, later: 0 }, wider: { within: 0, later: 0 } };
  readonly #told = boundedCache<bigint, { filters: MatchFilters; estimate: WaitEstimate; atMs: number }>({
    entriesMax: toldMax,
  });

  /** Records an estimate that a user received. `search`: null before the user starts a search. */
  told(
    search: WaitingPerson | null,
    about: { userId: bigint; filters: MatchFilters; estimate: WaitEstimate; atMs: number },
  ) {
    const { userId, ...told } = about;
    if (search && sameFilters(search.filters, told.filters) && this.#toldOf(search)) return;
    this.#told.set(userId, told);
  }

  found(search: WaitingPerson, nowMs: number): void {
    const estimate = this.#toldOf(search)?.estimate;
    this.#told.delete(search.userId);
    if (!estimate || estimate.seconds === null || estimate.basis === "none") return;
    const isWithin = nowMs - search.sinceMs <= estimate.seconds * secondMs;
    this.figures[estimate.basis][isWithin ? "within" : "later"] += 1;
  }

  #toldOf({ userId, filters, sinceMs }: WaitingPerson) {
    const told = this.#told.get(userId);
    return told && told.atMs >= sinceMs - toldBeforeMs && sameFilters(told.filters, filters) ? told : undefined;
  }
}

function sameFilters(one: MatchFilters, other: MatchFilters): boolean {
  return one.sex === other.sex && one.country === other.country;
}

/** The classes in which such searches count, narrowest first. */
export function waitClassesOf({ sex, filters, countryId, zone }: WaitOf): readonly [string, string, string] {
  const who = `${sex} ${filters.sex}`;
  return [`${who} ${filters.country} ${countryId}`, `${who} ${Math.min(filters.country, 1)} zone ${zone}`, who];
}

/** Durations of one class's searches: ended ones by minute of their end, waiting ones by second of their start. */
class WaitCounts {
  readonly number: number;
  readonly #found = new Int32Array(minutesKept * bucketCount);
  /** By bucket: searches given up, less those that had lasted this long when they were first counted. */
  readonly #left = new Int32Array(minutesKept * bucketCount);
  readonly #minutes = new Float64Array(minutesKept).fill(-1);
  readonly #waiting = new Int32Array(secondsKept);
  #waitingLonger = 0;
  #second: number;

  constructor(number: number, nowMs: number) {
    this.number = number;
    this.#second = Math.floor(nowMs / secondMs);
  }

  began(sinceMs: number, nowMs: number): void {
    this.#changeWaiting(sinceMs, nowMs, 1);
    if (nowMs - sinceMs >= goesOnMs) this.#change(this.#left, { sinceMs, nowMs, by: -1 });
  }

  ended(sinceMs: number, nowMs: number, how: "found" | "gave up"): void {
    this.#changeWaiting(sinceMs, nowMs, -1);
    this.#change(how === "found" ? this.#found : this.#left, { sinceMs, nowMs, by: 1 });
  }

  /**
   * The median in seconds. A search that was given up or still waits counts for as long as it lasted (life table).
   * Null: longer than the longest bucket; undefined: too few searches.
   */
  median(nowMs: number): number | null | undefined {
    this.#goOn(nowMs);
    const { found, without } = this.#sums(nowMs);
    let waiting = [...found, ...without].reduce((sum, count) => sum + count, 0);
    if (waiting < searchesMin) return undefined;
    let share = 1;
    for (const [bucket, upTo] of waitEstimateSeconds.entries()) {
      if (waiting < atRiskMin) return undefined;
      // Searches that entered or left in this bucket count as half of one.
      share *= 1 - (found[bucket] ?? 0) / (waiting - (without[bucket] ?? 0) / 2);
      if (share <= 0.5) return upTo;
      waiting -= (found[bucket] ?? 0) + (without[bucket] ?? 0);
    }
    return null;
  }

  #sums(nowMs: number): { found: readonly number[]; without: readonly number[] } {
    const oldest = Math.floor(nowMs / minuteMs) - minutesKept;
    const found = Array.from({ length: bucketCount }, () => 0);
    const without = Array.from({ length: bucketCount }, () => 0);
    for (let slot = 0; slot < minutesKept; slot += 1) {
      if ((this.#minutes[slot] ?? -1) <= oldest) continue;
      for (let bucket = 0; bucket < bucketCount; bucket += 1) {
        found[bucket]! += this.#found[slot * bucketCount + bucket] ?? 0;
        without[bucket]! += this.#left[slot * bucketCount + bucket] ?? 0;
      }
    }
    for (let age = 0; age < secondsKept; age += 1)
      without[bucketOf(age)]! += this.#waiting[(this.#second - age + secondsKept) % secondsKept] ?? 0;
    without[bucketCount - 1]! += this.#waitingLonger;
    return { found, without };
  }

  #changeWaiting(sinceMs: number, nowMs: number, by: 1 | -1): void {
    this.#goOn(nowMs);
    const second = Math.floor(sinceMs / secondMs);
    if (this.#second - second >= secondsKept) this.#waitingLonger += by;
    else this.#waiting[second % secondsKept]! += by;
  }

  #change(counts: Int32Array, { sinceMs, nowMs, by }: { sinceMs: number; nowMs: number; by: 1 | -1 }): void {
    const minute = Math.floor(nowMs / minuteMs);
    const slot = minute % minutesKept;
    if (this.#minutes[slot] !== minute) {
      this.#minutes[slot] = minute;
      for (const all of [this.#found, this.#left]) all.fill(0, slot * bucketCount, (slot + 1) * bucketCount);
    }
    counts[slot * bucketCount + bucketOf((nowMs - sinceMs) / secondMs)]! += by;
  }

  /** Adds searches older than the kept seconds to one number. */
  #goOn(nowMs: number): void {
    const second = Math.floor(nowMs / secondMs);
    const steps = Math.min(second - this.#second, secondsKept);
    for (let step = 1; step <= steps; step += 1) {
      const cell = (second - steps + step) % secondsKept;
      this.#waitingLonger += this.#waiting[cell] ?? 0;
      this.#waiting[cell] = 0;
    }
    this.#second = second;
  }
}

function bucketOf(seconds: number): number {
  const bucket = waitEstimateSeconds.findIndex((upTo) => seconds <= upTo);
  return bucket === -1 ? bucketCount - 1 : bucket;
}
