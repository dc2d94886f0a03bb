import { Registry } from "prom-client";
import { beforeEach, describe, expect, test } from "vitest";
import { matchMetrics } from "./call-metrics.ts";
import { MatchWorld } from "#test/fixtures/match-world.ts";

const [ana, bo, cem, dia] = [1n, 2n, 3n, 4n];
const anybody = { sex: 0, country: 0 } as const;
const onlyWomen = { sex: 2, country: 0 } as const;

const again = { language: "en", filters: anybody, offer: null } as const;

let world: MatchWorld;
beforeEach(() => {
  world = new MatchWorld();
});

const statusOf = (userId: bigint) => world.matches.info(userId).status;
const partnerOf = (userId: bigint) => world.calls.current(userId)?.match.user_Id ?? null;
const withData = (code: number, data: unknown) => expect.objectContaining({ code, data });

describe("start", () => {
  test("matches two searching users at once, and lets the one who waited longer make the offer", async () => {
    await world.arrive(ana);
    await world.arrive(bo);
    expect(await world.start(ana, anybody, "offer of ana")).toEqual({
      state: "searching",
      price: 0,
      since: world.clock.nowMs(),
    });
    expect([statusOf(ana), statusOf(bo)]).toEqual([1, 0]);
    world.clock.advance(5);
    await world.start(bo, anybody, "offer of bo");
    expect([statusOf(ana), statusOf(bo)]).toEqual([2, 2]);
    expect(world.takeMatch(ana).media).toMatchObject({ role: "offerer", peerOffer: null });
    expect(world.takeMatch(bo).media).toMatchObject({ role: "answerer", peerOffer: "offer of ana" });
  });

  test("keeps place and search when Start is pressed again, and uses the newer offer", async () => {
    await world.arrive(ana);
    const { since } = await world.start(ana, anybody, "old");
    world.clock.advance(4_000);
    expect(await world.start(ana, anybody, "new")).toMatchObject({ since });
    expect(world.matches.counts).toEqual({ searching: 1, waiting: 1 });
    await world.arrive(bo);
    await world.start(bo);
    expect(world.takeMatch(bo).media.peerOffer).toBe("new");
  });

  test("matches by chosen tags, and tells each what is shared with the other", async () => {
    const speaks = (...languages: number[]) => ({ talk: { languages, interests: [], prefer: 1 as const } });
    await world.arrive(ana, speaks(5));
    await world.arrive(bo, speaks(3, 9, 12));
    await world.arrive(cem, { sex: 2, ...speaks(12, 3) });
    for (const userId of [ana, bo]) {
      world.beans.set(userId, 10_000n);
      await world.start(userId, { sex: 2, country: 0 });
      world.clock.advance(1);
    }
    await world.start(cem);
    expect(world.takeMatch(cem)).toMatchObject({ user_Id: Number(bo), remote: { shared: { languages: [12, 3] } } });
    expect(world.takeMatch(bo).remote.shared).toEqual({ languages: [3, 12], interests: [] });
  });

  test("estimates the wait from searches that succeeded, were given up or still run, renewed ones once", async () => {
    world.beans.set(ana, 1_000_000n);
    const filters = { sex: 2, country: 0 } as const;
    await world.arrive(ana);
    await world.arrive(cem, { sex: 2 });
    expect(await world.matches.estimateWait(ana, filters)).toEqual({ seconds: null, basis: "none" });
    for (let round = 0; round < 20; round += 1) {
      await world.start(ana, filters);
      world.clock.advance(8_000);
      // The same search with a newer offer. A start with other filters would be another search.
      await world.matches.start({ userId: ana, language: "en", filters, offer: "v=0", refresh: true });
      await world.start(cem);
      expect(statusOf(ana)).toBe(2);
      for (const userId of [ana, cem]) world.matches.stop(userId);
      world.clock.advance(60_000 / 2);
    }
    expect(await world.matches.estimateWait(ana, filters)).toEqual({ seconds: 10, basis: "yours" });
    await expect(world.matches.estimateWait(ana, { sex: 0, country: 77 })).rejects.toEqual(
      withData(400, { field: "country" }),
    );
  });

  test("counts whether successful searches took no longer than their first estimate", async () => {
    world.beans.set(ana, 1_000_000n);
    const filters = { sex: 2, country: 0 } as const;
    await world.arrive(ana);
    await world.arrive(cem, { sex: 2 });
    /** Ana waits `beforeMs`. If `asks`, her page requests the estimated wait before and after. */
    const search = async (beforeMs: number, asks: boolean) => {
      await world.start(ana, filters);
      if (asks) await world.matches.estimateWait(ana, filters);
      world.clock.advance(beforeMs);
      if (asks) await world.matches.estimateWait(ana, filters);
      await world.start(cem);
      expect(statusOf(ana)).toBe(2);
      for (const userId of [ana, cem]) world.matches.stop(userId);
      world.clock.advance(60_000 / 2);
    };
    // Without data there is no estimate.
    for (let round = 0; round < 20; round += 1) await search(8_000, round < 10);
    expect(await world.matches.estimateWait(ana, filters)).toEqual({ seconds: 10, basis: "yours" });
    world.clock.advance(60_001);
    expect(world.matches.estimateFigures.yours).toEqual({ within: 0, later: 0 });
    // Neither a search without an estimate counts, nor one with an estimate for other filters.
    await search(1_000, false);
    await world.matches.estimateWait(ana, { sex: 0, country: 0 });
    await search(1_000, false);
    expect(world.matches.estimateFigures.yours).toEqual({ within: 0, later: 0 });
    await search(10_000, true);
    await search(10_001, true);
    await search(30_000, true);
    // The page requested the estimate before the search.
    await world.matches.estimateWait(ana, filters);
    await search(1_000, false);
    expect(world.matches.estimateFigures).toEqual({ yours: { within: 2, later: 2 }, wider: { within: 0, later: 0 } });
    const metrics = new Registry();
    matchMetrics(metrics, { matches: world.matches, calls: world.calls });
    const said = await metrics.metrics();
    expect(said).toContain('fava_outlook_total{basis="yours",within="yes"} 2');
    expect(said).toContain('fava_outlook_total{basis="yours",within="no"} 2');
  });

  test("measures each wait by its filter and by how it ended", async () => {
    const metrics = new Registry();
    matchMetrics(metrics, { matches: world.matches, calls: world.calls });
    world.beans.set(ana, 1_000_000n);
    await world.arrive(ana);
    await world.arrive(cem, { sex: 2 });
    await world.start(ana);
    world.clock.advance(2_000);
    world.matches.stop(ana);
    await world.start(ana, { sex: 2, country: 0 });
    world.clock.advance(3_000);
    await world.start(cem);
    expect(statusOf(ana)).toBe(2);
    const said = await metrics.metrics();
    expect(said).toContain('fava_search_wait_seconds_sum{filter="none",outcome="withdrawn"} 2');
    expect(said).toContain('fava_search_wait_seconds_sum{filter="gender",outcome="found"} 3');
    expect(said).toContain('fava_search_wait_seconds_sum{filter="none",outcome="found"} 0');
  });

  test("reports the end of each search once, with a match or without", async () => {
    const ends: string[] = [];
    world.matches.onSearchEnded(({ userId, filters }, how) => ends.push(`${userId} ${filters.sex} ${how}`));
    for (const userId of [ana, bo, cem]) world.beans.set(userId, 1_000_000n);
    await world.arrive(ana);
    await world.arrive(cem, { sex: 2 });
    // The same search with a newer offer, then another one, which the user's page leaves.
    await world.start(ana);
    await world.start(ana, anybody, "newer");
    expect(ends).toEqual([]);
    await world.start(ana, onlyWomen);
    expect(ends.splice(0)).toEqual(["1 0 unmatched"]);
    world.matches.dropped(ana);
    expect(ends).toEqual([]);
    world.matches.gone(ana, "page_gone");
    expect(ends.splice(0)).toEqual(["1 2 unmatched"]);
    await world.arrive(bo);
    await world.start(bo, onlyWomen);
    await world.start(cem);
    expect(statusOf(bo)).toBe(2);
    for (const userId of [bo, cem]) world.matches.stop(userId);
    expect(ends.splice(0).toSorted()).toEqual(["2 2 matched", "3 0 matched"]);
    await world.start(cem, { sex: 0, country: 18 });
    world.matches.stop(cem);
    world.matches.stop(cem);
    expect(ends).toEqual(["3 0 unmatched"]);
  });

  test("rejects a search in an excluded country without a charge or an estimate", async () => {
    world.beans.set(ana, 1_000_000n);
    await world.arrive(ana, { leavesOut: [3] });
    const refused = withData(400, { field: "country" });
    await expect(world.start(ana, { sex: 0, country: 3 })).rejects.toEqual(refused);
    await expect(world.matches.estimateWait(ana, { sex: 0, country: 3 })).rejects.toEqual(refused);
    expect(world.beans.get(ana)).toBe(1_000_000n);
    expect(statusOf(ana)).toBe(0);
  });

  test("applies excluded countries from the next start", async () => {
    await world.arrive(ana, { countryId: 1, leavesOut: [2] });
    await world.arrive(bo, { countryId: 2 });
    await world.start(ana);
    await world.start(bo);
    expect([statusOf(ana), statusOf(bo)]).toEqual([1, 1]);
    world.facts.set(ana, { ...world.facts.get(ana)!, leavesOut: [] });
    await world.start(ana);
    expect([statusOf(ana), statusOf(bo)]).toEqual([2, 2]);
  });

  test("[MATCH-63] needs a chat session, a complete profile and a country that can be chosen", async () => {
    world.facts.set(ana, { sex: 1, countryId: 18, zone: 1, complete: true });
    await expect(world.start(ana)).rejects.toEqual(withData(403, { reason: "no_socket" }));
    await world.arrive(bo, { complete: false });
    await expect(world.start(bo)).rejects.toEqual(withData(403, { reason: "profile_incomplete" }));
    await world.arrive(cem);
    await expect(world.start(cem, { sex: 0, country: 77 })).rejects.toEqual(withData(400, { field: "country" }));
    expect([statusOf(ana), statusOf(bo), statusOf(cem)]).toEqual([0, 0, 0]);
  });

  test("answers at once that no user of the country is online, and starts no search", async () => {
    await world.arrive(ana, { countryId: 1 });
    await world.arrive(bo, { countryId: 2 });
    world.beans.set(ana, 10_000n);
    await world.start(ana);
    expect(await world.start(ana, { sex: 0, country: 3 })).toMatchObject({ state: "no_profiles", price: 800 });
    expect(statusOf(ana)).toBe(0);
    // Ana is the only user of her country.
    expect(await world.start(ana, { sex: 0, country: 1 })).toMatchObject({ state: "no_profiles" });
    expect(await world.start(ana, { sex: 0, country: 2 })).toMatchObject({ state: "searching" });
    world.bus.close(bo, 1000);
    expect(await world.start(ana, { sex: 0, country: 2 })).toMatchObject({ state: "no_profiles" });
  });

  test("reports a search without a match, also in an empty country, and none that was refused", async () => {
    await world.arrive(ana);
    await world.arrive(bo, { complete: false });
    await expect(world.start(ana, { sex: 0, country: 9 })).rejects.toThrow("country cannot be chosen");
    await expect(world.start(bo)).rejects.toThrow("profile_incomplete");
    expect(await world.matches.start({ ...again, userId: ana, refresh: true })).toMatchObject({
      state: "not_searching",
    });
    expect(world.searched).toEqual([]);
    world.beans.set(ana, 10_000n);
    await world.start(ana, { sex: 0, country: 3 });
    expect(world.searched).toEqual([ana]);
    await world.arrive(cem);
    await world.start(cem);
    expect(world.searched).toEqual([ana, cem]);
  });

  test("searches at one of several servers even if no user of the country is at that server", async () => {
    world = new MatchWorld({ isOneOfSeveral: true });
    await world.arrive(ana, { countryId: 1 });
    world.beans.set(ana, 10_000n);
    expect(await world.start(ana, { sex: 0, country: 3 })).toMatchObject({ state: "searching", price: 800 });
    await world.arrive(bo, { countryId: 3 });
    await world.start(bo);
    expect(statusOf(ana)).toBe(2);
  });

  test("rejects a search without a change when the pool, the rooms or the call log are full", async () => {
    world = new MatchWorld({ searchesMax: 1, roomsMax: 1 });
    for (const userId of [ana, bo, cem, dia]) await world.arrive(userId);
    const full = withData(429, { retry_after: 5 });
    await world.start(ana, anybody);
    await expect(world.start(bo)).rejects.toEqual(full);
    expect(await world.start(ana)).toMatchObject({ state: "searching" });
    world.matches.stop(ana);
    world.log.overloaded = true;
    await expect(world.start(ana)).rejects.toEqual(full);
    expect(statusOf(ana)).toBe(0);
  });
});

describe("nobody comes", () => {
  test("reports a waiting search 5 s and 15 s after it began, also if Start is pressed again", async () => {
    const waited: [bigint, number][] = [];
    world.matches.onWaited(({ userId, sinceMs }) => waited.push([userId, world.clock.nowMs() - sinceMs]));
    await world.arrive(ana);
    await world.start(ana, anybody, "old");
    world.clock.advance(4_999);
    expect(waited).toEqual([]);
    await world.start(ana, anybody, "new");
    world.clock.advance(1);
    await world.start(ana, anybody, "newer");
    world.clock.advance(60_000);
    await world.start(ana, anybody, "newest");
    world.clock.advance(60_000);
    expect(waited).toEqual([
      [ana, 5_000],
      [ana, 15_000],
    ]);
    world.matches.stop(ana);
    await world.start(ana);
    world.clock.advance(5_000);
    expect(waited).toHaveLength(3);
  });

  test("reports no search that was stopped, lost its page or found a partner", async () => {
    const waited: bigint[] = [];
    world.matches.onWaited(({ userId, isWaiting }) => waited.push(isWaiting() ? userId : 0n));
    for (const userId of [ana, bo, cem, dia]) await world.arrive(userId);
    await world.start(ana, { sex: 0, country: 0 });
    await world.start(bo);
    expect(partnerOf(ana)).toBe(Number(bo));
    await world.start(cem);
    world.matches.stop(cem);
    await world.start(dia);
    world.bus.close(dia, 1006);
    world.clock.advance(5_000);
    expect(waited).toEqual([]);
    for (const userId of [ana, bo]) world.matches.stop(userId);
    world.bus.resume(dia);
    world.clock.advance(10_000);
    expect(waited).toEqual([dia]);
  });
});

describe("filters that cost beans", () => {
  beforeEach(async () => {
    await world.arrive(ana, { sex: 2 });
    await world.arrive(bo);
  });

  test("[BEANS-62] need one full minute of balance to start", async () => {
    world.beans.set(bo, 1_599n);
    await expect(world.start(bo, onlyWomen)).rejects.toEqual(
      withData(402, { need: 1_600, have: 1_599, limit: "balance" }),
    );
    expect(statusOf(bo)).toBe(0);
    world.beans.set(bo, 1_600n);
    expect(await world.start(bo, onlyWomen)).toMatchObject({ state: "searching", price: 1_600 });
  });

  test("[BEANS-62] charges their owner only, and announces that the next minute is not covered", async () => {
    world.beans.set(bo, 3_199n);
    await world.start(bo, onlyWomen);
    world.clock.advance(1);
    await world.start(ana);
    expect(world.takeMatch(bo)).toMatchObject({ is_enough: 0, remote: { price: 1_600 } });
    expect(world.takeMatch(ana)).toMatchObject({ is_enough: 1, remote: { price: 0 } });
    expect([...world.log.calls.values()]).toMatchObject([{ offererPrice: 1_600, answererPrice: 0 }]);
  });

  test("checks again at the match: a user who can no longer pay is told, the other one searches on", async () => {
    world.beans.set(bo, 1_600n);
    await world.start(bo, onlyWomen);
    world.beans.set(bo, 0n);
    world.clock.advance(1);
    const { since } = await world.start(ana);
    expect(world.took(bo)).toEqual([{ code: 100_006, roomId: "", type: 2, is_enough: 0, meter: null }]);
    expect([statusOf(bo), statusOf(ana), world.calls.roomCount]).toEqual([0, 1, 0]);
    await world.arrive(cem);
    world.clock.advance(1);
    await world.start(cem);
    expect(partnerOf(ana)).toBe(Number(cem));
    expect(world.calls.current(ana)?.sinceMs).toBe(since);
  });
});

describe("next, stop and going away", () => {
  beforeEach(async () => {
    for (const userId of [ana, bo, cem, dia]) await world.arrive(userId);
  });

  test("leaves the call at Next and searches; the partner is told at once", async () => {
    const room = await world.live(ana, bo);
    await world.start(ana);
    expect(world.took(bo)).toEqual([{ code: 100_002, roomId: room.id, reason: "left" }]);
    expect([statusOf(ana), statusOf(bo)]).toEqual([1, 0]);
    expect(world.log.calls.get(room.id)?.endReason).toBe("next");
  });

  test("ends a call once if both press Next at the same moment, and finds each another partner", async () => {
    const room = await world.live(ana, bo);
    const request = (userId: bigint) => ({ userId, language: "en", filters: anybody, offer: null });
    await Promise.all([world.matches.start(request(ana)), world.matches.start(request(bo))]);
    await world.settled();
    expect(world.log.kindsOf(room.id).filter((kind) => kind === "ended")).toHaveLength(1);
    expect([statusOf(ana), statusOf(bo)]).toEqual([1, 1]);
    world.clock.advance(1);
    await world.start(cem);
    await world.start(dia);
    expect(new Set([partnerOf(ana), partnerOf(bo)])).toEqual(new Set([3, 4]));
  });

  test('does not treat a Start as "next" if it was sent before the match was made', async () => {
    const room = await world.matched(ana, bo);
    await world.start(ana);
    await world.start(bo);
    expect([world.calls.isIn(ana, room.id), world.calls.isIn(bo, room.id)]).toEqual([true, true]);
    world.calls.join(ana, room.id);
    await world.start(ana);
    expect(world.calls.isIn(ana, room.id)).toBe(false);
  });

  test("renews a running search by a refresh, which never begins one or leaves a call", async () => {
    const refresh = (offer: string) =>
      world.matches.start({ userId: ana, language: "en", filters: anybody, offer, refresh: true });
    expect(await refresh("early")).toMatchObject({ state: "not_searching" });
    expect(statusOf(ana)).toBe(0);
    const { since } = await world.start(ana, anybody, "old");
    world.clock.advance(3_000);
    expect(await refresh("new")).toMatchObject({ state: "searching", since });
    await world.start(bo);
    const { roomId, media } = world.takeMatch(bo);
    expect(media.peerOffer).toBe("new");
    world.calls.join(ana, roomId);
    world.clock.advance(2_000);
    expect(await refresh("late")).toMatchObject({ state: "not_searching" });
    expect(world.calls.isIn(ana, roomId)).toBe(true);
  });

  test("lets a user who never joined press Next after a moment", async () => {
    const room = await world.matched(ana, bo);
    world.clock.advance(1_500);
    await world.start(ana);
    expect(world.calls.isIn(ana, room.id)).toBe(false);
  });

  test("ends the search or the call at Stop", async () => {
    await world.start(ana);
    world.matches.stop(ana);
    expect([statusOf(ana), world.clock.pendingCount]).toEqual([0, 0]);
    const room = await world.live(ana, bo);
    world.matches.stop(ana);
    expect([statusOf(ana), world.log.calls.get(room.id)?.endReason]).toEqual([0, "stop"]);
  });

  test("does not match a user who has gone", async () => {
    await world.start(ana);
    world.bus.close(ana, 1001);
    await world.start(bo);
    expect([statusOf(ana), statusOf(bo), world.matches.counts.searching]).toEqual([0, 1, 1]);
  });

  test("passes over a user who lost the socket, and restores the old place on return", async () => {
    const { since } = await world.start(ana);
    world.bus.close(ana, 1006);
    world.clock.advance(1_000);
    await world.start(bo);
    expect([statusOf(ana), statusOf(bo)]).toEqual([1, 1]);
    expect(await world.start(ana)).toMatchObject({ since });
    expect(statusOf(bo)).toBe(1);
    world.bus.resume(ana);
    await world.settled();
    expect(world.takeMatch(ana).media.role).toBe("offerer");
    expect(partnerOf(bo)).toBe(Number(ana));
  });
});

test("returns a user's own state: status, match and prices", async () => {
  await world.arrive(ana);
  await world.arrive(bo);
  await world.start(ana);
  world.clock.advance(1);
  await world.start(bo);
  const match = world.takeMatch(ana);
  const prices = { gender: 1_600, country: 800, both: 2_000 };
  expect(world.matches.info(ana)).toEqual({ status: 2, match, return_ms: null, prices });
  expect(world.matches.info(cem)).toEqual({ status: 0, match: null, return_ms: null, prices });
});

test("makes no more pairs and leaves no timer behind while stopping", async () => {
  await world.arrive(ana);
  await world.arrive(bo);
  await world.start(ana);
  await world[Symbol.asyncDispose]();
  await expect(world.start(bo)).rejects.toEqual(expect.objectContaining({ code: 429 }));
  expect(world.clock.pendingCount).toBe(0);
});

test("does not make a half-made pair again while stopping, however long the two waited", async () => {
  let reads = 0;
  world.readingCard = async () => {
    // Fails the test instead of hanging if the two are paired again and again.
    if ((reads += 1) > 20) throw new Error("the two are paired without end");
  };
  for (const person of [ana, bo]) {
    await world.arrive(person);
    await world.start(person);
    world.bus.close(person, 1006);
  }
  world.clock.advance(6_000);
  for (const person of [ana, bo]) world.bus.resume(person);
  await world[Symbol.asyncDispose]();
  expect(reads).toBe(2);
});
