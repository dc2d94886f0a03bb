import type { MatchFilters } from "@fava/wire/beans.ts";
import { type LiveWish, liveWishes } from "@fava/wire/endpoints/operator.ts";
import { liveSlotMs, liveSlots } from "@fava/wire/limits.ts";
import { boundedCache } from "#lib/cache.ts";
import { Periodic, type PeriodicOptions } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import { type DayTotals, durationBuckets, type LiveCounts, type LiveSlot, searchEnds } from "#ports/live-counts.ts";
import { isRematch } from "./match-eligibility.ts";
import type { MatchService } from "./match-service.ts";
import type { RoomEvent, RoomEventConsumer } from "./room-events.ts";
import type { CallService } from "./room-service.ts";

const bucketCount = durationBuckets.length + 1;
/** More than there are countries. */
const countriesMax = 300;
const sexes = [1, 2] as const;

interface LiveFiguresParts {
  matches: Pick<MatchService, "counts" | "openSearches" | "onWaitEnded" | "onSearchEnded">;
  calls: Pick<CallService, "roomCount" | "rungCounts">;
  /** Reports since the server started. */
  reportCount: () => number;
  clock: Clock;
  logger: PeriodicOptions["logger"];
}

/** Counts searches and calls of the last ten minutes in memory, in steps of ten seconds. Has nothing about a user. */
export class LiveFigures implements RoomEventConsumer, AsyncDisposable {
  readonly #parts: LiveFiguresParts;
  readonly #slots: { -readonly [Name in keyof LiveSlot]: LiveSlot[Name] }[] = [];
  readonly #byWish = new Map(liveWishes.map((wish) => [wish, new RecentDurations()]));
  readonly #byCountry = boundedCache<number, RecentDurations>({ entriesMax: countriesMax });
  readonly #firstPictures = new RecentDurations();
  /** By room, the monotonic time of its match. */
  readonly #connecting = new Map<string, number>();
  readonly #listening: readonly Disposable[];
  readonly #sampling: Periodic;
  /** By wish, waits since the server started, by bucket. */
  readonly #waits = new Map(liveWishes.map((wish) => [wish, Array.from({ length: bucketCount }, () => 0)]));
  /** By wish, searches that ended since the server started, in the order of `searchEnds`. */
  readonly #ends = new Map(liveWishes.map((wish) => [wish, searchEnds.map(() => 0)]));
  #reportsCounted = 0;

  constructor(parts: LiveFiguresParts) {
    const { matches, clock, logger } = parts;
    this.#parts = parts;
    const waits = matches.onWaitEnded((search, { outcome }) => {
      if (outcome !== "found" || isRematch(search)) return;
      const { facts, filters, sinceMs, waitSinceMs = sinceMs } = search;
      const waitedMs = clock.nowMs() - waitSinceMs;
      this.#slot().found += 1;
      const wish = wishOf(filters);
      this.#byWish.get(wish)?.add(waitedMs, this.#number());
      this.#waits.get(wish)![bucketOf(waitedMs)]! += 1;
      this.#ofCountry(facts.countryId).add(waitedMs, this.#number());
    });
    const ends = matches.onSearchEnded((search, how) => {
      if (!isRematch(search)) this.#ends.get(wishOf(search.filters))![searchEnds.indexOf(how)]! += 1;
    });
    this.#listening = [waits, ends];
    const untilNext = (nowMs: number) => liveSlotMs - (nowMs % liveSlotMs);
    const sampling = { pauseMs: untilNext, work: async () => this.#sample(), atOnce: true };
    this.#sampling = new Periodic({ clock, logger, name: "live figures", ...sampling });
  }

  onRoomEvent(event: RoomEvent): void {
    if (event.kind === "matched") {
      if (!event.isAdopted) this.#connecting.set(event.id, this.#parts.clock.monotonicMs());
    } else if (event.kind === "live") {
      const sinceMs = this.#connecting.get(event.id);
      if (sinceMs !== undefined) this.#firstPictures.add(this.#parts.clock.monotonicMs() - sinceMs, this.#number());
      this.#connecting.delete(event.id);
    } else if (event.kind === "ended") {
      this.#connecting.delete(event.id);
      const slot = this.#slot();
      slot.ended += 1;
      if (!event.wasLive) slot.neverConnected += 1;
    }
  }

  counts(): LiveCounts {
    const { matches, calls } = this.#parts;
    const number = this.#number();
    const people = new Map<string, number>();
    for (const { facts, filters } of matches.openSearches()) {
      const key = `${facts.sex} ${wishOf(filters)}`;
      people.set(key, (people.get(key) ?? 0) + 1);
    }
    return {
      searching: sexes.flatMap((sex) =>
        liveWishes.map((wish) => ({ sex, wish, people: people.get(`${sex} ${wish}`) ?? 0 })),
      ),
      calls: calls.roomCount,
      rungs: Object.values(calls.rungCounts),
      slots: this.#slots.filter((slot) => slot.number < number && slot.number >= number - liveSlots),
      waitsByWish: recent(this.#byWish, number),
      waitsByCountry: recent(this.#byCountry, number),
      firstPictures: this.#firstPictures.sums(number),
    };
  }

  get searchTotals(): Omit<DayTotals, "relayed"> {
    return { waits: copied(this.#waits), ends: copied(this.#ends) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#listening) one[Symbol.dispose]();
    await this.#sampling[Symbol.asyncDispose]();
  }

  /** Stores at the beginning of a step how many search and are in calls. */
  #sample(): void {
    const { matches, calls, reportCount } = this.#parts;
    const reports = reportCount();
    Object.assign(this.#slot(), {
      searching: matches.counts.searching,
      calls: calls.roomCount,
      reports: reports - this.#reportsCounted,
    });
    this.#reportsCounted = reports;
  }

  #number(): number {
    return Math.floor(this.#parts.clock.nowMs() / liveSlotMs);
  }

  #slot() {
    const number = this.#number();
    let slot = this.#slots.at(-1);
    if (!slot || slot.number < number) {
      slot = { number, searching: 0, calls: 0, found: 0, ended: 0, neverConnected: 0, reports: 0 };
      this.#slots.push(slot);
      // One more than is shown: the current step is not complete.
      if (this.#slots.length > liveSlots + 1) this.#slots.shift();
    }
    return slot;
  }

  #ofCountry(countryId: number): RecentDurations {
    let durations = this.#byCountry.get(countryId);
    if (!durations) this.#byCountry.set(countryId, (durations = new RecentDurations()));
    return durations;
  }
}

function wishOf({ sex, country }: MatchFilters): LiveWish {
  if (country > 0) return "country";
  return (["any", "men", "women"] as const)[sex];
}

function copied(counts: ReadonlyMap<string, readonly number[]>): Record<string, readonly number[]> {
  return Object.fromEntries([...counts].map(([wish, values]) => [wish, [...values]]));
}

function recent(
  all: Iterable<readonly [string | number, RecentDurations]>,
  number: number,
): Record<string, readonly number[]> {
  const entries = [...all].map(([key, durations]) => [String(key), durations.sums(number)] as const);
  return Object.fromEntries(entries.filter(([, sums]) => sums.some((count) => count > 0)));
}

function bucketOf(durationMs: number): number {
  const bucket = durationBuckets.findIndex((seconds) => durationMs <= seconds * 1_000);
  return bucket === -1 ? bucketCount - 1 : bucket;
}

/** Counts of durations by bucket, in a ring of the steps of the last ten minutes. */
class RecentDurations {
  readonly #counts = new Int32Array(liveSlots * bucketCount);
  /** The number of the step that each place of the ring holds. */
  readonly #numbers = new Float64Array(liveSlots).fill(-1);

  add(durationMs: number, number: number): void {
    const place = number % liveSlots;
    if (this.#numbers[place] !== number) {
      this.#numbers[place] = number;
      this.#counts.fill(0, place * bucketCount, (place + 1) * bucketCount);
    }
    this.#counts[place * bucketCount + bucketOf(durationMs)]! += 1;
  }

  sums(number: number): readonly number[] {
    const sums = Array.from({ length: bucketCount }, () => 0);
    for (let place = 0; place < liveSlots; place += 1) {
      if ((this.#numbers[place] ?? -1) <= number - liveSlots) continue;
      for (let bucket = 0; bucket < bucketCount; bucket += 1)
        sums[bucket]! += this.#counts[place * bucketCount + bucket] ?? 0;
    }
    return sums;
  }
}
