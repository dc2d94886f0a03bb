import { describe, expect, test } from "vitest";
import { waitEstimateSeconds } from "@fava/wire/limits.ts";
import { LocalMatchPool } from "@fava/server/calls/local-match-pool.ts";
import { TestClock } from "@fava/server/test/fakes/clock.ts";
import { seededRandom } from "@fava/server/test/fakes/random.ts";

interface Crowd {
  /** Searches per second. */
  readonly arrivals: number;
  readonly menShare: number;
  /** The share of users who search only for the other gender; the others accept both. */
  readonly pickyShare: number;
  /** The time after which half of the unmatched users have given up. */
  readonly patienceSeconds: number;
  readonly countries: number;
}

const crowds: Record<string, Crowd> = {
  thin: { arrivals: 0.4, menShare: 0.8, pickyShare: 0.6, patienceSeconds: 45, countries: 5 },
  mixed: { arrivals: 1, menShare: 0.8, pickyShare: 0.6, patienceSeconds: 45, countries: 20 },
  // All men wait about equally long here: a little more waiting time, and all of them wait longer than told.
  "of those who all wait equally long": {
    arrivals: 1.5,
    menShare: 0.7,
    pickyShare: 0.9,
    patienceSeconds: 120,
    countries: 3,
  },
};

const warmUpMs = 900_000;
/** From this time on the arrivals are multiplied by the factor. */
const changeMs = 1_500_000;
const endMs = 2_700_000;
const searchesMin = 100;

interface Searched {
  readonly told: number;
  readonly seconds: number;
  readonly isFound: boolean;
}

/**
 * Runs the matcher with users who arrive, wait, find a partner or give up. Returns what each user with a predicted time
 * experienced.
 */
async function searchedBy(crowd: Crowd, factor: number): Promise<Searched[]> {
  const random = seededRandom(7);
  const part = () => (random.integer(0, 999_999) + 0.5) / 1_000_000;
  const clock = new TestClock();
  const nowMs = () => Math.floor(clock.nowMs());
  await using pool = new LocalMatchPool({ clock, nowMs, capacityMax: 10_000, isExcluded: () => false });
  const waiting = new Map<bigint, { readonly sinceMs: number; readonly told: number | null }>();
  const searched: Searched[] = [];
  function end(userId: bigint, isFound: boolean): void {
    const search = waiting.get(userId);
    waiting.delete(userId);
    if (search && search.told !== null && clock.monotonicMs() > warmUpMs)
      searched.push({ told: search.told, seconds: (nowMs() - search.sinceMs) / 1_000, isFound });
  }
  pool.onPair(({ longer, newer }) => [longer, newer].forEach(({ userId }) => end(userId, true)));
  for (let searchId = 1; clock.monotonicMs() < endMs; searchId += 1) {
    const arrivals = crowd.arrivals * (clock.monotonicMs() > changeMs ? factor : 1);
    clock.advance((-Math.log(part()) / arrivals) * 1_000);
    const userId = BigInt(searchId);
    const sex = part() < crowd.menShare ? 1 : 2;
    const wished = part() < crowd.pickyShare ? (sex === 1 ? 2 : 1) : 0;
    const countryId = 1 + Math.floor(part() ** 2 * crowd.countries);
    const filters = { sex: wished, country: part() < 0.5 ? -1 : 0 } as const;
    const search = { sex, countryId, zone: 1 + (countryId % 4), filters } as const;
    const sinceMs = nowMs();
    waiting.set(userId, { sinceMs, told: (await pool.estimateWait(search)).seconds });
    pool.enter({ ...search, userId, searchId, sinceMs, waitSinceMs: sinceMs });
    clock.after(-Math.log2(part()) * crowd.patienceSeconds * 1_000, () => {
      pool.withdraw({ userId, searchId });
      end(userId, false);
    });
  }
  return searched;
}

/** The time by which half have found a partner, by the Kaplan-Meier estimator; Infinity: never. */
function medianSeconds(searched: readonly Searched[]): number {
  let share = 1;
  for (const [at, { seconds, isFound }] of searched.toSorted((one, other) => one.seconds - other.seconds).entries()) {
    if (isFound) share *= 1 - 1 / (searched.length - at);
    if (share <= 0.5) return seconds;
  }
  return Infinity;
}

describe.each(Object.entries(crowds))("a crowd: %s", (_name, crowd) => {
  test.each([1, 2, 0.5])("tells a realistic waiting time with %s times as many users", async (factor) => {
    const searched = await searchedBy(crowd, factor);
    const found = searched.filter(({ isFound }) => isFound);
    const inTime = found.filter(({ told, seconds }) => seconds <= told);
    expect(inTime.length / found.length).toBeGreaterThan(0.6);
    for (const [at, told] of waitEstimateSeconds.entries()) {
      const those = searched.filter((search) => search.told === told);
      if (those.length < searchesMin) continue;
      const median = medianSeconds(those);
      expect(median).toBeLessThan(1.25 * told);
      expect(median).toBeGreaterThanOrEqual(waitEstimateSeconds[at - 2] ?? 0);
    }
    expect(found.length).toBeGreaterThan(searchesMin);
  });
});
