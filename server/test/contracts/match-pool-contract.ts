import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { FoundPair, MatchPool, PoolSearch } from "#ports/match-pool.ts";

export interface MatchPoolWorld extends AsyncDisposable {
  /** The pools of two servers of one site. A single server's pool is both. */
  readonly ana: MatchPool;
  readonly bo: MatchPool;
  /** The timeline of searches, in milliseconds. */
  nowMs(): number;
  /** Waits at least this long. */
  pass(ms: number): Promise<void>;
}

/** A shared machine may stall for seconds. */
const patiently = { timeout: 30_000 };

/** Contract of `MatchPool`; `makeWorld` opens an empty pool for each test. */
export function matchPoolContract(name: string, makeWorld: () => Promise<MatchPoolWorld>): void {
  describe(`match pool: ${name}`, () => {
    let world: MatchPoolWorld;
    let pairs: FoundPair[];

    beforeEach(async () => {
      world = await makeWorld();
      pairs = [];
      const pools = new Set([world.ana, world.bo]);
      for (const pool of pools)
        pool.onPair((pair) => {
          pairs.push(pair);
          // The newer search's server removes it from its pool.
          for (const other of pools) other.withdraw(pair.newer);
        });
    });
    afterEach(() => world[Symbol.asyncDispose]());

    const search = (userId: bigint, searchId: number, facts: Partial<PoolSearch> = {}): PoolSearch => ({
      userId,
      searchId,
      sex: 1,
      filters: { sex: 0, country: 0 },
      countryId: 1,
      zone: 1,
      sinceMs: world.nowMs(),
      ...facts,
    });
    const waiting = (count: number) =>
      vi.waitFor(() => expect(Math.max(world.ana.waitingCount, world.bo.waitingCount)).toBe(count), patiently);
    const found = (count: number) => vi.waitFor(() => expect(pairs).toHaveLength(count), patiently);

    test("emits two fitting users as one pair, the longer search first", async () => {
      world.ana.enter(search(1n, 10));
      await waiting(1);
      await world.pass(5);
      world.bo.enter(search(2n, 20));
      await found(1);
      expect(pairs[0]).toMatchObject({ longer: { userId: 1n, searchId: 10 }, newer: { userId: 2n, searchId: 20 } });
      await waiting(0);
      world.ana.enter(search(3n, 30, { sinceMs: world.nowMs() - 5_000 }));
      await waiting(1);
      world.ana.enter(search(4n, 40, { sinceMs: world.nowMs() - 9_000 }));
      await found(2);
      expect(pairs[1]).toMatchObject({ longer: { userId: 4n }, newer: { userId: 3n } });
      const [first, second] = pairs as [FoundPair, FoundPair];
      expect([second.epoch, second.pairId > first.pairId]).toEqual([first.epoch, true]);
    });

    test("sends languages with a search, and omits them where there are none", async () => {
      // Both users are at one server, whose messages arrive in order once it knows the matcher.
      await vi.waitFor(() => expect(world.bo.figures.epoch).toBeGreaterThan(0n), patiently);
      const filters = { sex: 2, country: 0 } as const;
      const talk = { languages: [12], interests: [], prefer: 1 } as const;
      const speaks = { ...talk, languages: [...talk.languages], interests: [...talk.interests] };
      world.bo.enter(search(1n, 10, { filters }));
      await waiting(1);
      await world.pass(5);
      world.bo.enter(search(2n, 20, { filters, talk: speaks }));
      await waiting(2);
      await world.pass(5);
      world.bo.enter(search(3n, 30, { filters, languageId: 12 }));
      await waiting(3);
      world.bo.enter(search(4n, 40, { sex: 2, talk: speaks }));
      await found(1);
      world.bo.enter(search(5n, 50, { sex: 2, talk: speaks }));
      await found(2);
      world.bo.enter(search(6n, 60, { sex: 2, talk: speaks }));
      await found(3);
      expect(pairs.map(({ longer }) => longer.userId)).toEqual([2n, 3n, 1n]);
    });

    test("sends excluded countries with a search, and excludes nothing without them", async () => {
      world.bo.enter(search(1n, 10, { countryId: 7, leavesOut: [9] }));
      await waiting(1);
      world.bo.enter(search(2n, 20, { countryId: 9 }));
      await waiting(2);
      expect(pairs).toEqual([]);
      world.bo.enter(search(3n, 30, { countryId: 7 }));
      await found(1);
      expect(pairs[0]?.longer.userId).toBe(1n);
      const counted = Math.max(world.ana.figures.barredByCountry, world.bo.figures.barredByCountry);
      expect(counted).toBeGreaterThan(0);
    });

    test("matches two users who search for each other despite excluded countries", async () => {
      world.bo.enter(search(1n, 10, { countryId: 7, leavesOut: [9], otherId: 2n }));
      world.bo.enter(search(2n, 20, { countryId: 9, leavesOut: [7], otherId: 1n }));
      await found(1);
      expect(new Set([pairs[0]?.longer.userId, pairs[0]?.newer.userId])).toEqual(new Set([1n, 2n]));
    });

    test("does not match a user who left the pool", async () => {
      world.ana.enter(search(1n, 10));
      await waiting(1);
      world.ana.withdraw({ userId: 1n, searchId: 10 });
      await waiting(0);
      world.bo.enter(search(2n, 20));
      await waiting(1);
      expect(pairs).toEqual([]);
    });

    test("ignores messages about an earlier search", async () => {
      world.ana.enter(search(1n, 10, { filters: { sex: 2, country: 0 } }));
      world.ana.enter(search(1n, 11));
      world.ana.withdraw({ userId: 1n, searchId: 10 });
      await waiting(1);
      // Within the same millisecond neither search would have waited longer.
      await world.pass(5);
      world.bo.enter(search(2n, 20));
      await found(1);
      expect(pairs[0]?.longer).toEqual({ userId: 1n, searchId: 11 });
    });

    test("separates two users whose connection failed", async () => {
      world.ana.separate(1n, 2n);
      world.ana.enter(search(1n, 10));
      await waiting(1);
      world.ana.enter(search(2n, 20));
      await waiting(2);
      world.ana.enter(search(3n, 30));
      await found(1);
      expect(pairs[0]).toMatchObject({ longer: { userId: 1n }, newer: { userId: 3n } });
    });

    test("does not pair two users again at once while others wait", async () => {
      // A start in the future counts as now. The two users at the other server do not suit each other.
      const sinceMs = world.nowMs() + 600_000;
      const toWomen = { sinceMs, filters: { sex: 2, country: 0 } } as const;
      world.ana.met(1n, 2n);
      world.ana.enter(search(1n, 10, { sinceMs, sex: 2 }));
      await waiting(1);
      for (const userId of [2n, 3n]) world.bo.enter(search(userId, 20, toWomen));
      await found(1);
      expect(new Set([pairs[0]?.longer.userId, pairs[0]?.newer.userId])).toEqual(new Set([1n, 3n]));
    });

    test("pairs two users who search for each other even after a recent match and a separation", async () => {
      world.ana.met(1n, 2n);
      world.ana.separate(1n, 2n);
      world.bo.enter(search(9n, 90, { sinceMs: world.nowMs() - 9_000 }));
      await waiting(1);
      world.ana.enter(search(1n, 10, { otherId: 2n, filters: { sex: 2, country: 5 } }));
      await vi.waitFor(() => expect(world.ana.waitingCount + world.bo.waitingCount).toBeGreaterThan(1), patiently);
      await world.pass(5);
      world.bo.enter(search(2n, 20, { otherId: 1n }));
      await found(1);
      expect(pairs[0]).toMatchObject({ longer: { userId: 1n, searchId: 10 }, newer: { userId: 2n, searchId: 20 } });
      world.bo.withdraw({ userId: 9n, searchId: 90 });
      await waiting(0);
    });

    test("matches a search for one user with that user only, who must search for it as well", async () => {
      world.ana.enter(search(1n, 10, { otherId: 2n }));
      await waiting(1);
      world.ana.enter(search(3n, 30, { otherId: 1n }));
      await waiting(2);
      for (const next of [search(2n, 20), search(2n, 21, { otherId: 3n })]) {
        world.ana.enter(next);
        await waiting(3);
      }
      // When this pair is found, the pool has received all earlier messages.
      for (const userId of [8n, 9n]) world.ana.enter(search(userId, 80));
      await found(1);
      expect(new Set([pairs[0]?.longer.userId, pairs[0]?.newer.userId])).toEqual(new Set([8n, 9n]));
      world.ana.withdraw({ userId: 2n, searchId: 20 });
      world.ana.enter(search(2n, 22, { otherId: 1n }));
      await found(2);
      expect(pairs[1]).toMatchObject({ longer: { userId: 1n, searchId: 10 }, newer: { userId: 2n, searchId: 22 } });
      await waiting(1);
    });

    test("forgets a search for one user when it is replaced or withdrawn", async () => {
      world.ana.enter(search(1n, 10, { otherId: 2n }));
      await waiting(1);
      world.ana.withdraw({ userId: 1n, searchId: 10 });
      await waiting(0);
      world.ana.enter(search(3n, 30, { otherId: 2n }));
      world.ana.enter(search(3n, 31, { filters: { sex: 2, country: 0 } }));
      world.ana.enter(search(2n, 20, { otherId: 1n }));
      await waiting(2);
      world.ana.enter(search(2n, 21, { otherId: 3n }));
      await world.pass(300);
      expect(pairs).toEqual([]);
    });

    test("estimates the same waiting time at every server", async () => {
      const asked = { sex: 1, filters: { sex: 1, country: 0 }, countryId: 1, zone: 1 } as const;
      const wider = { ...asked, countryId: 2, zone: 2 } as const;
      expect(await world.bo.estimateWait({ ...asked, sex: 2 })).toEqual({ seconds: null, basis: "none" });
      let round = 0;
      await vi.waitFor(async () => {
        for (const until = round + 10; round < until; await found(round)) {
          round += 1;
          const counts = { filters: asked.filters, waitSinceMs: world.nowMs() };
          world.ana.enter(search(BigInt(2 * round), round, counts));
          world.bo.enter(search(BigInt(2 * round + 1), round, counts));
        }
        for (const pool of [world.ana, world.bo]) {
          const [own, others] = await Promise.all([pool.estimateWait(asked), pool.estimateWait(wider)]);
          expect(own).toEqual({ seconds: expect.any(Number), basis: "yours" });
          expect(others).toEqual({ seconds: own.seconds, basis: "wider" });
        }
        expect(await world.ana.estimateWait(asked)).toEqual(await world.bo.estimateWait(asked));
      }, patiently);
    });

    test("emits a pair that becomes possible by time alone", async () => {
      const balanced = { filters: { sex: 0, country: -1 } } as const;
      world.ana.enter(search(1n, 10));
      await waiting(1);
      world.ana.enter(search(2n, 20, { ...balanced, countryId: 2, zone: 2 }));
      await waiting(2);
      expect(pairs).toEqual([]);
      await world.pass(1_100);
      await found(1);
    });
  });
}
