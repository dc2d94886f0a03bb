import type { LiveWish } from "@fava/wire/endpoints/operator.ts";

/** What one server counts for the operator. Every number can be added to that of another server. */
export interface LiveCounts {
  /** Users who search, by own sex and wish. */
  readonly searching: readonly { readonly sex: 1 | 2; readonly wish: LiveWish; readonly people: number }[];
  readonly calls: number;
  /** Users in calls by the level of their video, 0 to 4. */
  readonly rungs: readonly number[];
  /** Completed steps of the last ten minutes, oldest first. */
  readonly slots: readonly LiveSlot[];
  /** Searches that found a partner within the ten minutes, by bucket of their wait. */
  readonly waitsByWish: Readonly<Record<string, readonly number[]>>;
  /** The same by the searcher's country. */
  readonly waitsByCountry: Readonly<Record<string, readonly number[]>>;
  /** Calls that connected within the ten minutes, by bucket of the time from the match. */
  readonly firstPictures: readonly number[];
}

export interface LiveSlot {
  /** Number of the step since the epoch. */
  readonly number: number;
  readonly searching: number;
  readonly calls: number;
  /** Searches that found a partner: two for each match. */
  readonly found: number;
  /** Calls that ended, and those of them that never connected. */
  readonly ended: number;
  readonly neverConnected: number;
  readonly reports: number;
}

/** Upper ends of the buckets of durations, in seconds; the last bucket is for longer ones. */
export const durationBuckets = [
  0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600,
] as const;

export const searchEnds = ["matched", "unmatched"] as const;

/** What one server has counted since it started. Searches are by wish, without those for one specific user. */
export interface DayTotals {
  /** Searches that found a partner, by bucket of their wait. */
  readonly waits: Readonly<Record<string, readonly number[]>>;
  /** Searches that ended, in the order of `searchEnds`. */
  readonly ends: Readonly<Record<string, readonly number[]>>;
  /** What pages received through the relay in calls, and how many sides of calls reported it. */
  readonly relayed: { readonly bytes: number; readonly sides: number };
}
