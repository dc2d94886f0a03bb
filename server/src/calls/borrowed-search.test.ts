import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FoundPair, PoolSearch } from "#ports/match-pool.ts";
import { ana, bo, loan, openProcess, turns } from "#test/fixtures/guest-processes.ts";
import { MatchWorld } from "#test/fixtures/match-world.ts";
import { type PeerSite, peerSites } from "#test/fixtures/peer-sites.ts";
import { Guests } from "./guests.ts";
import { LocalMatchPool } from "./local-match-pool.ts";

/** A pool that finds whom the test says. */
class ToldPool extends LocalMatchPool {
  entered: PoolSearch | null = null;
  found: (pair: FoundPair) => void = () => undefined;

  override enter(search: PoolSearch): void {
    this.entered = search;
    super.enter(search);
  }

  override onPair(listener: (pair: FoundPair) => void): Disposable {
    this.found = listener;
    return super.onPair(listener);
  }
}

const logger = pino({ level: "silent" });

/** The process at which Bo has waited longer, and Ana's home. */
let site: PeerSite;
let world: MatchWorld;
let pool: ToldPool;
let guests: Guests;
let home: Awaited<ReturnType<typeof openProcess>>;
/** Of whom Ana must not meet, which the host is reading. */
let reading: { ends(): void; fails(): void };

beforeEach(async () => {
  site = await peerSites[0]!.open();
  const [atHost, atHome] = site.peers;
  home = await openProcess(atHome, atHost, ana);
  await home.becomeHome();
  world = new MatchWorld({
    site: ({ bus, clock }) => {
      const processes = { living: async () => new Set([atHost.self, atHome.self]) };
      const own = {
        peers: atHost,
        hub: bus,
        processes,
        runningCalls: { areIn: async () => false, isOwnedBy: async () => false },
      };
      guests = new Guests({ ...own, standstill: home.doubt, clock, logger });
      const openPool = (nowMs: () => number) =>
        (pool = new ToldPool({ clock, nowMs, capacityMax: 10, isExcluded: () => false }));
      return { guests, openPool };
    },
  });
  guests.attach([world.matches], world.matches);
  await world.arrive(bo);
  await world.start(bo);
  world.facts.set(ana, { sex: 1, countryId: 18, zone: 1, complete: true });
  const read = new Promise<void>((resolve, reject) => {
    reading = { ends: () => resolve(), fails: () => reject(new Error("no database")) };
  });
  world.readingBlocks = () => {
    world.readingBlocks = async () => {};
    return read;
  };
  const { userId, searchId } = pool.entered!;
  pool.withdraw({ userId, searchId });
  pool.found({ epoch: 1n, pairId: 1, longer: { userId, searchId }, newer: loan, newerAt: atHome.self });
  await vi.waitUntil(() => guests.isGuest(ana));
  await turns();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
  await guests[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

test("[MATCH-122] a guest is in a room once it is known whom they must not meet", async () => {
  expect([world.calls.otherIn(ana), world.prepared.has(ana)]).toEqual([null, false]);
  reading.ends();
  await turns();
  expect([world.calls.otherIn(ana), guests.isGuest(ana)]).toEqual([bo, true]);
});

test.each([
  ["leaves", () => home.guests.gone(ana, "closed"), []],
  ["loses the socket", () => home.guests.dropped(ana), ["searches on"]],
  ["stops", () => world.matches.stop(ana), []],
  ["starts anew", () => void world.start(ana), ["searches on"]],
])(
  "[MATCH-122] a guest who %s before that is known is in no room, and the other searches on",
  async (_what, does, on) => {
    does();
    await turns();
    reading.ends();
    await turns();
    expect([world.calls.roomCount, world.matches.counts]).toEqual([0, { searching: 1, waiting: 1 }]);
    expect([guests.isGuest(ana), home.guests.hostedWith(ana)]).toEqual([false, null]);
    expect(home.did.filter((what) => what === "searches on")).toEqual(on);
  },
);

test("[MATCH-122] where that cannot be read both search on in a moment, the guest at home", async () => {
  reading.fails();
  await turns();
  world.clock.advance(1_000);
  await turns();
  expect([world.calls.roomCount, world.matches.counts]).toEqual([0, { searching: 1, waiting: 1 }]);
  expect([guests.isGuest(ana), home.did.includes("searches on")]).toEqual([false, true]);
});
