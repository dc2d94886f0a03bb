import type { MatchFilters } from "@fava/wire/beans.ts";
import { outlookSeconds } from "@fava/wire/limits.ts";
import { boundedCache } from "#lib/cache.ts";
import type { WaitOf, WaitOutlook } from "#ports/match-pool.ts";

/** Searches of so many of the last minutes count. */
const minutesKept = 15;
/** A class with fewer says nothing. */
const searchesMin = 20;
/** While fewer have waited so long, what would become of them is anybody's guess. */
const atRiskMin = 5;
const classesMax = 2_000;
const secondMs = 1_000;
const minuteMs = 60_000;
/** A wait that is younger where it begins to count has only just begun. */
const goesOnMs = secondMs;
/** Of the waits up to each of `outlookSeconds`, and of longer ones. */
const bucketCount = outlookSeconds.length + 1;
const secondsKept = (outlookSeconds.at(-1) ?? 0) + 1;

/** Where too little is known to say anything. */
export const noOutlook: WaitOutlook = { seconds: null, basis: "none" };

/** A wait that counts, to be ended once. */
export interface CountedWait {
  readonly classes: readonly string[];
  readonly sinceMs: number;
  /** Classes with a greater number have not counted its begin. */
  readonly number: number;
}

/**
 * How long the searches of one matcher take, from those of the last 15 minutes: of one's own class, else of wider ones.
 * Nothing of a person is kept, only numbers: at most 5 MB.
 */
export class WaitTimes {
  readonly #nowMs: () => number;
  readonly #classes = boundedCache<string, WaitCounts>({ entriesMax: classesMax });
  #number = 0;

  /** @param nowMs a time that never runs backwards. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Somebody waits, and has done so since then: of a wait that goes on only what is still to come counts. */
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

  outlook(search: WaitOf): WaitOutlook {
    const nowMs = this.#nowMs();
    for (const [at, key] of waitClassesOf(search).entries()) {
      const seconds = this.#classes.get(key)?.median(nowMs);
      if (seconds !== undefined) return { seconds, basis: at === 0 ? "yours" : "wider" };
    }
    return noOutlook;
  }
}

/** A search of somebody, and since when they have waited for whom it is for. */
interface WaitingPerson {
  readonly userId: bigint;
  readonly filters: MatchFilters;
  readonly sinceMs: number;
}

/** How many searches found somebody within what their owners were told, and how many later, by what it was told from. */
export type OutlookFigures = Record<"yours" | "wider", { within: number; later: number }>;

/** What people were told last; who was told longest ago makes room for another. */
const toldMax = 20_000;
/** What was told so long before a search began its owner begins it with. */
const toldBeforeMs = minuteMs;

/**
 * Whether it took as long as people were told: by what a search began with, or was told first. Where nothing was told, or
 * that nobody knows when, there is nothing to compare.
 */
export class ToldOutlooks {
  readonly figures: OutlookFigures = { yours: { within: 0, later: 0 }, wider: { within: 0, later: 0 } };
  readonly #told = boundedCache<bigint, { filters: MatchFilters; outlook: WaitOutlook; atMs: number }>({
    entriesMax: toldMax,
  });

  /** @param search of the person; null where they do not search, and are told before they do. */
  told(
    search: WaitingPerson | null,
    about: { userId: bigint; filters: MatchFilters; outlook: WaitOutlook; atMs: number },
  ) {
    const { userId, ...told } = about;
    if (search && sameFilters(search.filters, told.filters) && this.#toldOf(search)) return;
    this.#told.set(userId, told);
  }

  /** The search has found somebody. */
  found(search: WaitingPerson, nowMs: number): void {
    const outlook = this.#toldOf(search)?.outlook;
    this.#told.delete(search.userId);
    if (!outlook || outlook.seconds === null || outlook.basis === "none") return;
    const isWithin = nowMs - search.sinceMs <= outlook.seconds * secondMs;
    this.figures[outlook.basis][isWithin ? "within" : "later"] += 1;
  }

  #toldOf({ userId, filters, sinceMs }: WaitingPerson) {
    const told = this.#told.get(userId);
    return told && told.atMs >= sinceMs - toldBeforeMs && sameFilters(told.filters, filters) ? told : undefined;
  }
}

function sameFilters(one: MatchFilters, other: MatchFilters): boolean {
  return one.sex === other.sex && one.country === other.country;
}

/** What such searches are counted under, from the narrowest class to the widest. */
export function waitClassesOf({ sex, filters, countryId, zone }: WaitOf): readonly [string, string, string] {
  const who = `${sex} ${filters.sex}`;
  return [`${who} ${filters.country} ${countryId}`, `${who} ${Math.min(filters.country, 1)} zone ${zone}`, who];
}

/** Searches of one class, by how long they took: ended ones by the minute of their end, others by the second of their begin. */
class WaitCounts {
  readonly number: number;
  readonly #found = new Int32Array(minutesKept * bucketCount);
  /** Who gave up, less those whose wait began to count when it was so long already. */
  readonly #left = new Int32Array(minutesKept * bucketCount);
  readonly #minutes = new Float64Array(minutesKept).fill(-1);
  readonly #waiting = new Int32Array(secondsKept);
  /** That began before the seconds kept. */
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
   * The time by which half of the searches found somebody, as a life table of the waits has it: whoever gave up or still
   * waits counts for as long as they were there. Null: longer than the longest time; undefined: too few to say.
   */
  median(nowMs: number): number | null | undefined {
    this.#goOn(nowMs);
    const { found, without } = this.#sums(nowMs);
    let waiting = [...found, ...without].reduce((sum, count) => sum + count, 0);
    if (waiting < searchesMin) return undefined;
    let share = 1;
    for (const [bucket, upTo] of outlookSeconds.entries()) {
      if (waiting < atRiskMin) return undefined;
      // Those who came or went within these seconds were there for half of them.
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

  /** What began longer ago than the seconds kept is one number. */
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
  const bucket = outlookSeconds.findIndex((upTo) => seconds <= upTo);
  return bucket === -1 ? bucketCount - 1 : bucket;
}
