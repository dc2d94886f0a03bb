import { beforeEach, describe, expect, test } from "vitest";
import { MatchWorld } from "#test/fixtures/match-world.ts";

const [ana, bo, cem] = [1n, 2n, 3n];
const anybody = { sex: 0, country: 0 } as const;

let world: MatchWorld;
beforeEach(async () => {
  world = new MatchWorld();
  for (const userId of [ana, bo, cem]) await world.arrive(userId);
  want(ana, bo);
  want(bo, ana);
});

const want = (one: bigint, other: bigint) => world.rematchRequests.add(`${one} ${other}`);
const statusOf = (userId: bigint) => world.matches.info(userId).status;
const partnerOf = (userId: bigint) => world.calls.current(userId)?.match.user_Id ?? null;

async function meet(userId: bigint, withUserId: bigint, change: { offer?: string; refresh?: boolean } = {}) {
  const { offer = null, refresh = false } = change;
  const answer = await world.matches.start({ userId, withUserId, language: "en", filters: anybody, offer, refresh });
  await world.settled();
  return answer;
}

/** Both users report that they play each other's video. */
function play(): void {
  for (const userId of [ana, bo]) {
    const match = world.calls.current(userId)?.match;
    if (!match) throw new Error(`${userId} is in no room`);
    const { roomId, token: roomToken } = match;
    world.matches.roomMessage(userId, { type: "media", roomId, roomToken, state: "playing" });
  }
}

describe("meeting again", () => {
  test("waits for that one user only, notifies that user, and makes the room when they start too", async () => {
    const since = world.clock.nowMs();
    expect(await meet(ana, bo, { offer: "offer of ana" })).toEqual({ state: "searching", price: 0, since });
    expect([statusOf(ana), world.matches.counts]).toEqual([1, { searching: 1, waiting: 1 }]);
    expect(world.took(bo)).toEqual([
      {
        type: "social",
        event: { kind: "meet", userId: 1, externalId: "ext-1", nickname: "person 1", avatar: "", state: "waiting" },
      },
    ]);
    await world.start(cem);
    expect([statusOf(ana), statusOf(cem)]).toEqual([1, 1]);
    world.clock.advance(20_000);
    await meet(bo, ana);
    const [toAna, toBo] = [world.takeMatch(ana), world.takeMatch(bo)];
    expect(toAna).toMatchObject({ user_Id: 2, is_enough: 1, remote: { price: 0 }, media: { role: "offerer" } });
    expect(toBo).toMatchObject({ user_Id: 1, media: { role: "answerer", peerOffer: "offer of ana" } });
    expect([...world.log.calls.values()]).toMatchObject([{ offererPrice: 0, answererPrice: 0 }]);
    expect([statusOf(cem), world.matches.counts.searching]).toEqual([1, 1]);
  });

  test("leaves the current search or call, and uses no earlier place in the queue", async () => {
    await world.live(ana, cem);
    await meet(ana, bo);
    expect(world.took(cem)).toContainEqual(expect.objectContaining({ code: 100_002, reason: "left" }));
    await world.start(bo);
    await meet(bo, ana);
    expect([partnerOf(ana), partnerOf(bo), world.matches.counts.searching]).toEqual([2, 1, 0]);
  });

  test("is rejected without the request of both as if they had never met, without a change", async () => {
    const notMet = expect.objectContaining({ code: 403, data: { reason: "not_met" } });
    await expect(meet(ana, cem)).rejects.toEqual(notMet);
    world.rematchRequests.delete("2 1");
    await world.start(ana);
    await expect(meet(ana, bo)).rejects.toEqual(notMet);
    expect([statusOf(ana), world.matches.counts.waiting]).toEqual([1, 1]);
    world.bus.close(bo, 1001);
    await expect(meet(bo, ana)).rejects.toEqual(expect.objectContaining({ data: { reason: "no_socket" } }));
  });

  test("makes no room if a request is withdrawn meanwhile", async () => {
    await meet(ana, bo);
    let finish = () => {};
    const reading = new Promise<void>((resolve) => {
      finish = resolve;
    });
    world.readingCard = () => reading;
    const starting = meet(bo, ana);
    await starting;
    world.matches.part(ana, bo);
    finish();
    await world.settled();
    expect([world.calls.roomCount, statusOf(ana), statusOf(bo)]).toEqual([0, 0, 0]);
    world.readingCard = async () => {};
    await meet(ana, bo);
    const bothRequested = world.matchWishes.bothRequested.bind(world.matchWishes);
    let asked = 0;
    world.matchWishes.bothRequested = async (one, other) => (asked++ === 0 ? bothRequested(one, other) : false);
    await meet(bo, ana);
    expect([asked, world.calls.roomCount, statusOf(ana), statusOf(bo)]).toEqual([2, 0, 0, 0]);
  });

  test("ends with a stop, an ordinary start, a block or a departure", async () => {
    const acts = [
      async () => world.matches.stop(ana),
      async () => world.matches.part(bo, ana),
      async () => world.bus.close(ana, 1001),
      () => world.start(ana),
    ];
    for (const act of acts) {
      await meet(ana, bo);
      await act();
      await meet(bo, ana);
      expect([world.calls.roomCount, statusOf(bo)]).toEqual([0, 1]);
      world.matches.stop(bo);
      world.bus.close(ana, 1001);
      world.bus.arrive(ana);
      await world.settled();
    }
  });

  test("ends the wait for a user who withdrew the request, and tells the waiting user", async () => {
    want(cem, ana);
    want(ana, cem);
    await meet(ana, bo);
    await meet(cem, ana);
    world.took(ana);
    world.rematchRequests.delete("2 1");
    world.clock.advance(15_000);
    await world.settled();
    expect([statusOf(ana), statusOf(cem)]).toEqual([0, 1]);
    const over = { kind: "meet", userId: 2, externalId: "ext-2", nickname: "person 2", avatar: "", state: "over" };
    expect(world.took(ana)).toEqual([{ type: "social", event: over }]);
    // Without a search the periodic checks stop.
    world.matches.stop(cem);
    world.clock.advance(15_000);
    await world.settled();
    expect([world.took(ana), world.clock.pendingCount]).toEqual([[], 0]);
  });

  test("leaves users alone who are being matched or wait for another user", async () => {
    want(ana, cem);
    want(cem, ana);
    await meet(ana, bo);
    world.took(ana);
    world.rematchRequests.delete("2 1");
    let finish = () => {};
    const reading = new Promise<void>((resolve) => {
      finish = resolve;
    });
    world.readingCard = () => reading;
    world.clock.advance(15_000);
    await meet(ana, cem);
    finish();
    await world.settled();
    expect([statusOf(ana), world.took(ana)]).toEqual([1, []]);
  });

  test("ends a call of the two by a block, and no other call", async () => {
    await meet(ana, bo);
    await meet(bo, ana);
    world.matches.part(ana, cem);
    expect(partnerOf(ana)).toBe(2);
    world.took(bo);
    world.matches.part(ana, bo);
    expect(world.took(bo)).toEqual([expect.objectContaining({ code: 100_002, reason: "left" })]);
    expect([statusOf(ana), statusOf(bo)]).toEqual([0, 0]);
  });

  test("waits for a user who lost the socket, and makes the room on return", async () => {
    await meet(ana, bo, { offer: "old" });
    world.bus.close(ana, 1006);
    await meet(bo, ana);
    expect([world.calls.roomCount, statusOf(ana), statusOf(bo)]).toEqual([0, 1, 1]);
    // A start does not reconnect the socket.
    await meet(ana, bo);
    expect(world.calls.roomCount).toBe(0);
    world.bus.resume(ana);
    await world.settled();
    expect([partnerOf(ana), partnerOf(bo)]).toEqual([2, 1]);
  });

  test("keeps the place when Start is pressed again; a refresh renews the offer", async () => {
    const { since } = await meet(ana, bo, { offer: "old" });
    world.clock.advance(5_000);
    expect(await meet(ana, bo, { offer: "older" })).toMatchObject({ since });
    const refreshed = await world.matches.start({
      userId: ana,
      language: "en",
      filters: anybody,
      offer: "new",
      refresh: true,
    });
    expect(refreshed).toEqual({ state: "searching", price: 0, since });
    await meet(bo, ana);
    expect(world.takeMatch(bo).media.peerOffer).toBe("new");
    // A late refresh starts no search.
    expect(await meet(cem, ana, { refresh: true }).catch((error: unknown) => error)).toMatchObject({ code: 403 });
    want(cem, ana);
    want(ana, cem);
    expect(await meet(cem, ana, { refresh: true })).toMatchObject({ state: "not_searching" });
    // A start that was sent before the room existed does not mean "next".
    expect(await meet(ana, bo)).toMatchObject({ state: "not_searching" });
    expect(partnerOf(ana)).toBe(2);
  });

  test("fulfils the requests when both have seen each other, not when the connection fails", async () => {
    await meet(ana, bo);
    await meet(bo, ana);
    world.clock.advance(10_000);
    await world.settled();
    expect([statusOf(ana), world.rematchRequests.size]).toEqual([0, 2]);
    await meet(ana, bo);
    await meet(bo, ana);
    play();
    await world.settled();
    expect([statusOf(ana), world.rematchRequests.size]).toEqual([3, 0]);
    world.matches.stop(ana);
    await expect(meet(ana, bo)).rejects.toEqual(expect.objectContaining({ code: 403 }));
  });

  test("keeps both waiting if the room cannot be made, and makes it after a moment", async () => {
    await meet(ana, bo);
    world.readingCard = () => Promise.reject(new Error("no database"));
    await meet(bo, ana);
    expect([world.calls.roomCount, statusOf(ana), statusOf(bo)]).toEqual([0, 1, 1]);
    world.readingCard = async () => {};
    world.log.overloaded = true;
    world.clock.advance(1_000);
    await world.settled();
    expect(world.calls.roomCount).toBe(0);
    world.log.overloaded = false;
    world.clock.advance(1_000);
    await world.settled();
    expect(partnerOf(ana)).toBe(2);
  });

  test("makes no more rooms and leaves no timer behind while stopping", async () => {
    await meet(ana, bo);
    world.readingCard = () => Promise.reject(new Error("no database"));
    await meet(bo, ana);
    await world[Symbol.asyncDispose]();
    expect([world.calls.roomCount, world.clock.pendingCount]).toEqual([0, 0]);
  });

  test("counts searches of the pool and searches for one user together", async () => {
    world = new MatchWorld({ searchesMax: 1 });
    for (const userId of [ana, bo]) await world.arrive(userId);
    want(ana, bo);
    want(bo, ana);
    await meet(ana, bo);
    await expect(world.start(bo)).rejects.toEqual(expect.objectContaining({ code: 429 }));
    expect(await meet(ana, bo)).toMatchObject({ state: "searching" });
  });
});

describe("meeting again, at several servers", () => {
  test("hands the awaited user over to another server, as every version says it", async () => {
    const { since } = await meet(ana, bo, { offer: "offer of ana" });
    world.bus.close(ana, 1006);
    const { search, rematch } = world.matches.pack(ana);
    const said = { userId: ana, otherId: bo, language: "en", offer: "offer of ana", sinceMs: since };
    expect([search, rematch]).toEqual([null, { ...said, away: true, checks: false, traceparent: undefined }]);
    expect(statusOf(ana)).toBe(0);
    world.bus.resume(ana);
    world.took(bo);
    await world.matches.continueRematch(rematch);
    await meet(bo, ana);
    expect(world.takeMatch(bo)).toMatchObject({ user_Id: 1, media: { role: "answerer", peerOffer: "offer of ana" } });
  });

  test("tells a user whose wait came along from another server that it is over", async () => {
    await meet(ana, bo);
    const { rematch } = world.matches.pack(ana);
    world.clock.advance(15_000);
    await world.settled();
    await world.matches.continueRematch(rematch);
    world.took(ana);
    world.rematchRequests.delete("2 1");
    world.clock.advance(15_000);
    await world.settled();
    expect(world.took(ana)).toMatchObject([{ event: { kind: "meet", state: "over" } }]);
    expect(world.clock.pendingCount).toBe(0);
  });

  test("ignores a late wait of a user who does something else by then", async () => {
    await meet(ana, bo);
    const { rematch } = world.matches.pack(ana);
    await world.start(ana);
    await world.matches.continueRematch(rematch);
    await meet(bo, ana);
    expect([world.calls.roomCount, statusOf(ana), statusOf(bo)]).toEqual([0, 1, 1]);
  });
});

describe("blocks in the pool", () => {
  test("[PEOPLE-15] keeps two apart, each at the old place, if a block arrives while the pair is being made", async () => {
    const { since } = await world.start(ana);
    let finish = () => {};
    const reading = new Promise<void>((resolve) => {
      finish = resolve;
    });
    world.readingCard = () => reading;
    world.clock.advance(1_000);
    await world.start(bo);
    world.blocked.add("2 1");
    finish();
    await world.settled();
    expect([statusOf(ana), statusOf(bo), world.calls.roomCount]).toEqual([1, 1, 0]);
    world.readingCard = async () => {};
    await world.start(cem);
    expect(partnerOf(cem)).toBe(1);
    expect(world.calls.current(ana)?.sinceMs).toBe(since);
  });

  test("[PEOPLE-15] starts no search before the user's blocks are known", async () => {
    const prepare = world.exclusions.prepare.bind(world.exclusions);
    world.exclusions.prepare = () => Promise.reject(new Error("no database"));
    await expect(world.start(ana)).rejects.toThrow("no database");
    expect(statusOf(ana)).toBe(0);
    let times = 0;
    // On the first call, a new chat session without loaded exclusions replaces the prepared one.
    world.exclusions.prepare = async (userId) => (++times === 1 ? undefined : prepare(userId));
    expect(await world.start(ana)).toMatchObject({ state: "searching" });
    expect([times, world.prepared.has(ana)]).toEqual([2, true]);
  });
});
