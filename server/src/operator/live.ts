import { type LiveQueue, liveWishes } from "@fava/wire/endpoints/operator.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { liveCountriesShownMax, liveSlotMs } from "@fava/wire/limits.ts";
import { boundedCache } from "#lib/cache.ts";
import type { Clock } from "#ports/clock.ts";
import { durationBuckets, type LiveCounts, type LiveSlot } from "#ports/live-counts.ts";
import { type Peers, processKey } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";

type LiveView = OutputOf<Endpoints["adminLive"]>;
export type QueueState = LiveView["queues"][number] & { queue: LiveQueue };

/** How long counts of queues are used, which need the database. */
const queuesKeptMs = 15_000;
/** Headline rates are averages over this many steps. */
const rateSlots = 60_000 / liveSlotMs;
/** Fewer durations give no quantiles. */
const durationsMin = 5;

interface LiveParts {
  own: () => LiveCounts;
  peers: Pick<Peers, "serve" | "ask">;
  /** The other servers of the site. */
  others: () => readonly ProcessId[];
  queues: () => Promise<QueueState[]>;
  isRelayed: boolean;
  clock: Clock;
}

/** What happens now at all servers. Each server counts in memory; only the queues need the database. */
export class LiveTab {
  readonly #parts: LiveParts;
  readonly #queues: ReturnType<typeof boundedCache<"queues", Promise<QueueState[]>>>;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.#queues = boundedCache({ entriesMax: 1, expiry: { clock: parts.clock, ttlMs: queuesKeptMs } });
    parts.peers.serve("liveCounts", async () => parts.own());
  }

  async read(): Promise<LiveView> {
    const { own, peers, others, isRelayed, clock } = this.#parts;
    const servers = others();
    // A server that stops, or of an earlier version, does not answer. Its numbers are missing, and the page says so.
    const ask = (server: ProcessId) => peers.ask("liveCounts", processKey(server), null).catch(() => null);
    const [queues, ...answers] = await Promise.all([this.#countQueues(), ...servers.map(ask)]);
    const counts = [own(), ...answers.filter((one) => one !== null)];
    return {
      at: clock.nowMs(),
      servers: servers.length + 1,
      answered: counts.length,
      is_relayed: isRelayed,
      queues,
      ...together(counts),
    };
  }

  #countQueues(): Promise<QueueState[]> {
    const known = this.#queues.get("queues");
    if (known) return known;
    const counted = this.#parts.queues();
    this.#queues.set("queues", counted);
    // A failure is not cached.
    counted.catch(() => this.#queues.delete("queues"));
    return counted;
  }
}

function together(
  counts: readonly LiveCounts[],
): Omit<LiveView, "at" | "servers" | "answered" | "is_relayed" | "queues"> {
  const slots = slotsOf(counts);
  const lately = slots.slice(-rateSlots);
  const [ended, neverConnected] = [sumOf(slots, "ended"), sumOf(slots, "neverConnected")];
  const byWish = buckets(counts.map(({ waitsByWish }) => waitsByWish));
  const byCountry = buckets(counts.map(({ waitsByCountry }) => waitsByCountry));
  return {
    calls: total(counts.map(({ calls }) => calls)),
    searching: (counts[0]?.searching ?? []).map(({ sex, wish }, index) => ({
      sex,
      wish,
      people: total(counts.map(({ searching }) => searching[index]?.people ?? 0)),
    })),
    matches_per_second: matchesPerSecond(lately),
    reports_per_minute: reportsPerMinute(lately),
    waits_by_wish: liveWishes.map((wish) => ({ wish, ...waits(byWish.get(wish) ?? []) })),
    waits_by_country: [...byCountry]
      .map(([country, durations]) => ({ country_id: Number(country), ...waits(durations) }))
      .toSorted((one, other) => other.found - one.found || one.country_id - other.country_id)
      .slice(0, liveCountriesShownMax),
    never_connected: { share: ended === 0 ? null : neverConnected / ended, of: ended },
    first_picture: firstPicture(added(counts.map(({ firstPictures }) => firstPictures))),
    rungs: ([0, 1, 2, 3, 4] as const).map((rung) => ({
      rung,
      people: total(counts.map(({ rungs }) => rungs[rung] ?? 0)),
    })),
    over_time: slots.map((slot) => ({
      at: slot.number * liveSlotMs,
      searching: slot.searching,
      calls: slot.calls,
      matches_per_second: matchesPerSecond([slot]),
      reports_per_minute: reportsPerMinute([slot]),
    })),
  };
}

/** The steps of all servers, added by their numbers, oldest first. */
function slotsOf(counts: readonly LiveCounts[]): LiveSlot[] {
  const all = counts.flatMap(({ slots }) => slots);
  const numbers = [...new Set(all.map(({ number }) => number))].toSorted((one, other) => one - other);
  return numbers.map((number) => {
    const slots = all.filter((slot) => slot.number === number);
    return {
      number,
      searching: sumOf(slots, "searching"),
      calls: sumOf(slots, "calls"),
      found: sumOf(slots, "found"),
      ended: sumOf(slots, "ended"),
      neverConnected: sumOf(slots, "neverConnected"),
      reports: sumOf(slots, "reports"),
    };
  });
}

function sumOf(slots: readonly LiveSlot[], name: keyof LiveSlot): number {
  return total(slots.map((slot) => slot[name]));
}

function matchesPerSecond(slots: readonly LiveSlot[]): number {
  return slots.length === 0 ? 0 : sumOf(slots, "found") / 2 / ((slots.length * liveSlotMs) / 1_000);
}

function reportsPerMinute(slots: readonly LiveSlot[]): number {
  return slots.length === 0 ? 0 : sumOf(slots, "reports") / ((slots.length * liveSlotMs) / 60_000);
}

function buckets(all: readonly Readonly<Record<string, readonly number[]>>[]): Map<string, readonly number[]> {
  const keys = new Set(all.flatMap((one) => Object.keys(one)));
  return new Map([...keys].map((key) => [key, added(all.map((one) => one[key] ?? []))]));
}

function added(lists: readonly (readonly number[])[]): readonly number[] {
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, index) => total(lists.map((list) => list[index] ?? 0)));
}

function waits(durations: readonly number[]): { found: number; half: number | null; most: number | null } {
  return { found: total(durations), ...quantiles(durations) };
}

function firstPicture(durations: readonly number[]): LiveView["first_picture"] {
  return { of: total(durations), ...quantiles(durations) };
}

/** Half and 95 % of the durations, in seconds, from counts by bucket; null for too few. */
export function quantiles(durations: readonly number[]): { half: number | null; most: number | null } {
  if (total(durations) < durationsMin) return { half: null, most: null };
  return { half: quantile(durations, 0.5), most: quantile(durations, 0.95) };
}

/** The upper end of the bucket in which the share is reached, in seconds; null for the last bucket. */
function quantile(durations: readonly number[], share: number): number | null {
  const wanted = total(durations) * share;
  let sum = 0;
  for (const [bucket, count] of durations.entries()) {
    sum += count;
    if (sum >= wanted) return durationBuckets[bucket] ?? null;
  }
  return null;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
