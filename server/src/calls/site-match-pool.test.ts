import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import type { Leases } from "#ports/leases.ts";
import type { FoundPair, PoolSearch } from "#ports/match-pool.ts";
import { type Peers, type PoolChange, processKey } from "#ports/peers.ts";
import { matchPoolContract } from "#test/contracts/match-pool-contract.ts";
import { MemoryLeases } from "#test/fakes/memory-leases.ts";
import { type PeerSite, peerSites, siteClock, troubledSite } from "#test/fixtures/peer-sites.ts";
import { SiteMatchPool } from "./site-match-pool.ts";

const logger = pino({ level: "silent" });
const nowMs = () => Math.floor(siteClock.nowMs());
/** Timeout in milliseconds, since a shared machine may stall for seconds. */
const patiently = { timeout: 30_000 };

interface Options {
  leases?: Leases;
  canMove?: (userId: bigint) => boolean;
  blocks?: ReadonlyMap<bigint, readonly bigint[]>;
}

function openPool(peers: Peers, options: Options = {}): SiteMatchPool {
  const { leases = new MemoryLeases(), canMove = () => true, blocks = new Map() } = options;
  const excludedBy = (userId: bigint) => blocks.get(userId) ?? [];
  return new SiteMatchPool({
    peers,
    leases,
    clock: siteClock,
    logger,
    nowMs,
    capacityMax: 100,
    canMove,
    blocks: { excludedBy },
  });
}

const anybody = { sex: 1, filters: { sex: 0, country: 0 }, countryId: 1, zone: 1 } as const;
const searchOf = (userId: bigint, searchId = 1): PoolSearch => ({ ...anybody, userId, searchId, sinceMs: nowMs() });

test("announces a search for one user by a message of its own, which an older matcher does not know", async () => {
  const [peers, other] = troubledSite("one", "other");
  const heard: PoolChange[] = [];
  using _answering = other.serve("changePool", async ({ changes }) => {
    heard.push(...changes);
    const rolls = changes.flatMap((change) => (change.type === "roll" ? change.searches : []));
    return { epoch: 1n, unknown: rolls.map(({ userId }) => userId) };
  });
  using _owned = await other.own("matcher");
  const others: Leases = { hold: () => ({ [Symbol.asyncDispose]: async () => undefined }) };
  await using pool = openPool(peers, { leases: others });
  other.broadcast("matcher", { epoch: 1n });
  pool.enter({ ...searchOf(1n), otherId: 2n });
  const said = () => heard.filter((change) => "search" in change).map(({ type }) => type);
  // The server repeats the message until the matcher confirms the search.
  await vi.waitFor(() => expect(said().length).toBeGreaterThan(2), patiently);
  expect([...new Set(said())]).toEqual(["enterRematch"]);
});

test("[MATCH-98] stops waiting for a dead matcher as soon as the next one is known", async () => {
  const [peers, other] = troubledSite("one", "other");
  const heard: string[] = [];
  let epoch = 1n;
  using _answering = other.serve("changePool", ({ changes }) => {
    heard.push(...changes.map(({ type }) => type));
    return heard.at(-1) === "enter" ? new Promise(() => undefined) : Promise.resolve({ epoch, unknown: [] });
  });
  using _owned = await other.own("matcher");
  const others: Leases = { hold: () => ({ [Symbol.asyncDispose]: async () => undefined }) };
  await using pool = openPool(peers, { leases: others });
  other.broadcast("matcher", { epoch });
  await vi.waitFor(() => expect(pool.figures.epoch).toBe(1n), patiently);
  await vi.waitFor(() => expect(heard).toEqual(["roll"]), patiently);
  pool.enter(searchOf(1n));
  await vi.waitFor(() => expect(heard.at(-1)).toBe("enter"), patiently);
  epoch = 2n;
  other.broadcast("matcher", { epoch });
  await vi.waitFor(() => expect(heard.at(-1)).toBe("roll"), patiently);
});

test("gives no estimate without a matcher, and while a new matcher has seen no search end", async () => {
  const [peers, other] = troubledSite("one", "other");
  const leases = new MemoryLeases();
  const asked = { ...anybody, filters: { sex: 1, country: 0 } } as const;
  const none = { seconds: null, basis: "none" };
  const others: Leases = { hold: () => ({ [Symbol.asyncDispose]: async () => undefined }) };
  {
    await using alone = openPool(peers, { leases: others });
    expect(await alone.estimateWait(asked)).toEqual(none);
  }
  await using pool = openPool(peers, { leases });
  const waiting = { ...searchOf(0n), filters: { sex: 2, country: 0 } } as const;
  for (let userId = 1n; userId <= 40n; userId += 1n) pool.enter({ ...waiting, userId, waitSinceMs: nowMs() - 60_000 });
  await vi.waitFor(async () => {
    const refs = [{ userId: 40n, searchId: 1 }];
    const changes = [{ type: "roll", roll: 0, searches: refs, isLast: false }] as const;
    expect(await other.ask("changePool", "matcher", { from: other.self, changes })).toMatchObject({ unknown: [] });
  }, patiently);
  // All three have waited a minute, and no server knows how many others found a partner meanwhile.
  expect(await pool.estimateWait(waiting)).toEqual(none);
});

test("reports that no matcher accepts its searches, until one does", async () => {
  const [peers, other] = troubledSite("one", "other");
  const others: Leases = { hold: () => ({ [Symbol.asyncDispose]: async () => undefined }) };
  await using pool = openPool(peers, { leases: others });
  expect(pool.figures.isUnheard).toBe(false);
  await vi.waitFor(() => expect(pool.figures.isUnheard).toBe(true), patiently);
  await using _matching = openPool(other);
  await vi.waitFor(() => expect(pool.figures).toMatchObject({ hasMatcher: false, isUnheard: false }), patiently);
});

for (const { name, open } of peerSites) {
  matchPoolContract(`two processes over ${name}`, async () => {
    const site = await open();
    const leases = new MemoryLeases();
    const [ana, bo] = [openPool(site.peers[0], { leases }), openPool(site.peers[1], { leases })];
    return {
      ana,
      bo,
      nowMs,
      pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      [Symbol.asyncDispose]: async () => {
        await ana[Symbol.asyncDispose]();
        await bo[Symbol.asyncDispose]();
        await site[Symbol.asyncDispose]();
      },
    };
  });
}

/** The first pair that the second matcher finds among three users, after the first matcher had paired users 1 and 2. */
async function foundByTheNext(site: PeerSite, { waitedMs, areApart }: { waitedMs: number; areApart: boolean }) {
  const leases = new MemoryLeases();
  const first = openPool(site.peers[0], { leases });
  await using second = openPool(site.peers[1], { leases });
  const pairs: FoundPair[] = [];
  for (const pool of [first, second])
    pool.onPair((pair) => {
      pairs.push(pair);
      for (const other of [first, second]) other.withdraw(pair.newer);
    });
  const found = (count: number) => vi.waitFor(() => expect(pairs).toHaveLength(count), patiently);
  second.enter({ ...searchOf(1n), sinceMs: nowMs() - 1_000 });
  first.enter(searchOf(2n));
  await found(1);
  expect(pairs[0]).toMatchObject({ longer: { userId: 1n }, newer: { userId: 2n } });
  if (areApart) second.separate(1n, 2n);
  // When this pair is found, the first server has received the second one's earlier messages.
  for (const userId of [8n, 9n]) second.enter(searchOf(userId));
  await found(2);
  await first[Symbol.asyncDispose]();
  for (const userId of [1n, 2n, 3n]) second.enter({ ...searchOf(userId, 2), sinceMs: nowMs() - waitedMs });
  await found(3);
  const { epoch, longer, newer } = pairs[2]!;
  expect(epoch).toBe(2n);
  return { longer: longer.userId, newer: newer.userId };
}

describe.each(peerSites)("the matcher of a site over $name", ({ open }) => {
  test("matches a search at a stopping server with searches of other servers, and with none of its own", async () => {
    await using site = await open();
    const leases = new MemoryLeases();
    await using first = openPool(site.peers[0], { leases });
    await using second = openPool(site.peers[1], { leases });
    const pairs: (readonly [pool: string, pair: FoundPair])[] = [];
    first.onPair((pair) => pairs.push(["first", pair]));
    second.onPair((pair) => pairs.push(["second", pair]));
    const nobody = { sex: 2, country: 0 } as const;
    first.enter({ ...searchOf(1n), filters: nobody, sinceMs: nowMs() - 5_000 });
    first.leave();
    // The two suit each other. The others suit neither, until one of the two is at the other server.
    first.enter({ ...searchOf(1n, 2), sinceMs: nowMs() - 5_000 });
    first.enter({ ...searchOf(2n), sinceMs: nowMs() - 4_000 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([pairs, first.waitingCount]).toEqual([[], 2]);
    second.enter(searchOf(3n));
    await vi.waitFor(() => expect(pairs).toHaveLength(1), patiently);
    // The server of the user who stays makes the room, even if the other user waited longer.
    const [pool, pair] = pairs[0]!;
    expect([pool, pair]).toMatchObject(["second", { longer: { userId: 3n }, newerAt: site.peers[0].self }]);
    expect([1n, 2n]).toContain(pair.newer.userId);
  });

  test("[MATCH-98] replaces the matcher when its server ends, and the next one knows all waiting searches", async () => {
    await using site = await open();
    const leases = new MemoryLeases();
    const first = openPool(site.peers[0], { leases });
    await using second = openPool(site.peers[1], { leases });
    const pairs: FoundPair[] = [];
    second.onPair((pair) => pairs.push(pair));
    second.enter({ ...searchOf(1n), filters: { sex: 2, country: 0 } });
    first.enter(searchOf(9n));
    // The first server answers with this pair after both servers have sent it their searches.
    first.onPair((pair) => pairs.push(pair));
    first.enter(searchOf(8n));
    await vi.waitFor(() => expect(pairs).toHaveLength(1), patiently);
    await first[Symbol.asyncDispose]();
    second.enter({ ...searchOf(2n), sex: 2 });
    await vi.waitFor(() => expect(pairs).toHaveLength(2), patiently);
    expect(pairs[1]).toMatchObject({ epoch: 2n, longer: { userId: 1n }, newer: { userId: 2n }, newerAt: null });
  });

  test("pairs two who search for each other only, after the first matcher ended", async () => {
    await using site = await open();
    const leases = new MemoryLeases();
    const first = openPool(site.peers[0], { leases });
    await using second = openPool(site.peers[1], { leases });
    const pairs: FoundPair[] = [];
    for (const pool of [first, second]) pool.onPair((pair) => pairs.push(pair));
    second.enter({ ...searchOf(1n), otherId: 2n });
    // When this pair is found, the first server has received the second one's earlier messages.
    for (const userId of [8n, 9n]) second.enter(searchOf(userId));
    await vi.waitFor(() => expect(pairs).toHaveLength(1), patiently);
    await first[Symbol.asyncDispose]();
    second.enter(searchOf(3n));
    second.enter({ ...searchOf(2n), otherId: 1n });
    await vi.waitFor(() => expect(pairs).toHaveLength(2), patiently);
    expect(pairs[1]).toMatchObject({ epoch: 2n, longer: { userId: 1n }, newer: { userId: 2n } });
  });

  test("tells the next matcher whom each server's users have met", async () => {
    await using site = await open();
    // All have just begun to wait, whenever the matcher receives their searches.
    expect(await foundByTheNext(site, { waitedMs: -600_000, areApart: false })).toEqual({ longer: 1n, newer: 3n });
  });

  test("tells the next matcher who is kept apart, however long they have waited", async () => {
    await using site = await open();
    expect(await foundByTheNext(site, { waitedMs: 600_000, areApart: true })).toEqual({ longer: 1n, newer: 3n });
  });

  test("[MATCH-98] rejects a pair of an earlier matcher, or with an ended search", async () => {
    await using site = await open();
    const [peers, other] = site.peers;
    await using pool = openPool(peers);
    const pairs: FoundPair[] = [];
    pool.onPair((pair) => pairs.push(pair));
    pool.enter(searchOf(1n, 5));
    await vi.waitFor(() => expect(other.ask("takePair", processKey(peers.self), pairOf(1n, 4))).resolves.toBe(false), {
      ...patiently,
    });
    await vi.waitFor(async () => {
      expect(await other.ask("changePool", "matcher", { from: other.self, changes: [] })).toMatchObject({ epoch: 1n });
    }, patiently);
    expect(await other.ask("takePair", processKey(peers.self), { ...pairOf(1n, 5), epoch: 0n })).toBe(false);
    expect(pairs).toEqual([]);
    expect(await other.ask("takePair", processKey(peers.self), pairOf(1n, 5))).toBe(true);
    expect(pairs).toMatchObject([{ longer: { userId: 1n, searchId: 5 }, newerAt: other.self }]);
    expect(pool.waitingCount).toBe(0);

    function pairOf(userId: bigint, searchId: number): FoundPair {
      const newer = { userId: 2n, searchId: 1 };
      return { epoch: 1n, pairId: 1, longer: { userId, searchId }, newer, newerAt: other.self };
    }
  });

  test("[MATCH-98] sends a search that the matcher lost again, and withdraws one that it should not have", async () => {
    await using site = await open();
    const leases = new MemoryLeases();
    await using first = openPool(site.peers[0], { leases });
    await using second = openPool(site.peers[1], { leases });
    const pairs: FoundPair[] = [];
    for (const pool of [first, second]) pool.onPair((pair) => pairs.push(pair));
    const [, peers] = site.peers;
    second.enter(searchOf(1n, 5));
    const change = (type: "withdraw" | "enter", userId: bigint) => {
      const search = { ...searchOf(userId, 5), process: peers.self, blockedIds: [], partners: [] };
      return peers.ask("changePool", "matcher", { from: peers.self, changes: [{ type, search }] });
    };
    // As if the network had invented a third search that no server has, and lost the first one.
    await vi.waitFor(() => change("withdraw", 1n), patiently);
    await change("enter", 3n);
    await vi.waitFor(
      async () => {
        const roll = { type: "roll", roll: 0, searches: [{ userId: 3n, searchId: 5 }], isLast: false } as const;
        const { unknown } = await peers.ask("changePool", "matcher", { from: "nobody", changes: [roll] });
        expect(unknown).toEqual([3n]);
      },
      { ...patiently, interval: 200 },
    );
    first.enter(searchOf(2n, 5));
    // Who has waited longer depends on when the first search was sent again.
    const found = () => pairs.map(({ longer, newer }) => new Set([longer.userId, newer.userId]));
    await vi.waitFor(() => expect(found()).toEqual([new Set([1n, 2n])]), patiently);
  });

  test("reports which server has the matcher, its epoch, and corrected or rejected pairs", async () => {
    await using site = await open();
    const leases = new MemoryLeases();
    const first = openPool(site.peers[0], { leases });
    await using second = openPool(site.peers[1], { leases });
    const [peers, other] = site.peers;
    await vi.waitFor(() => {
      expect(first.figures).toMatchObject({ hasMatcher: true, epoch: 1n });
      expect(second.figures).toMatchObject({ hasMatcher: false, epoch: 1n });
    }, patiently);
    second.enter(searchOf(1n, 5));
    const lost = { from: other.self, changes: [{ type: "withdraw", search: { userId: 1n, searchId: 5 } }] } as const;
    await vi.waitFor(async () => {
      await peers.ask("changePool", "matcher", lost);
      expect(second.figures.rollCorrections).toBeGreaterThan(0);
    }, patiently);
    expect(first.figures.rollCorrections).toBe(0);
    const pair = { epoch: 1n, pairId: 1, longer: { userId: 1n, searchId: 4 }, newerAt: null } as const;
    const newer = { userId: 2n, searchId: 1 };
    for (const epoch of [1n, 0n]) await peers.ask("takePair", processKey(other.self), { ...pair, epoch, newer });
    expect([first.figures.refused, second.figures.refused]).toEqual([
      { stale: 0, gone: 0 },
      { stale: 1, gone: 1 },
    ]);
    await first[Symbol.asyncDispose]();
    expect(first.figures.hasMatcher).toBe(false);
    await vi.waitFor(() => expect(second.figures).toMatchObject({ hasMatcher: true, epoch: 2n }), patiently);
  });

  test("has the user move whose page can, and pairs no two of two servers whose pages cannot", async () => {
    await using site = await open();
    const leases = new MemoryLeases();
    const canMove = (userId: bigint) => userId > 3n;
    await using first = openPool(site.peers[0], { leases, canMove });
    await using second = openPool(site.peers[1], { leases, canMove });
    const pairs: FoundPair[] = [];
    for (const pool of [first, second]) pool.onPair((pair) => pairs.push(pair));
    await vi.waitFor(() => expect([first, second].some(({ figures }) => figures.hasMatcher)).toBe(true), patiently);
    first.enter(searchOf(1n));
    second.enter(searchOf(2n));
    // Both servers send several rolls in this time.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(pairs).toEqual([]);
    second.withdraw({ userId: 2n, searchId: 1 });
    // The longer search's server would make the room if the other page could move.
    second.enter({ ...searchOf(4n), sinceMs: nowMs() - 60_000 });
    await vi.waitFor(() => expect(pairs).toHaveLength(1), patiently);
    expect(pairs[0]).toMatchObject({ longer: { userId: 1n }, newer: { userId: 4n } });
  });

  test("[MATCH-98] never pairs users who blocked each other, at any servers", async () => {
    await using site = await open();
    const leases = new MemoryLeases();
    const blocks = new Map([[1n, [2n]]]);
    await using first = openPool(site.peers[0], { leases, blocks });
    await using second = openPool(site.peers[1], { leases, blocks });
    const pairs: FoundPair[] = [];
    for (const pool of [first, second])
      pool.onPair((pair) => {
        pairs.push(pair);
        for (const other of [first, second]) other.withdraw(pair.newer);
      });
    first.enter(searchOf(1n));
    second.enter(searchOf(2n));
    second.enter(searchOf(3n));
    await vi.waitFor(() => expect(pairs).toHaveLength(1), patiently);
    const [pair] = pairs;
    expect(new Set([pair?.longer.userId, pair?.newer.userId])).not.toEqual(new Set([1n, 2n]));
  });
});
