import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FoundPair, PoolSearch, SearchRef } from "#ports/match-pool.ts";
import { MatchWorld } from "#test/fixtures/match-world.ts";
import { LocalMatchPool } from "./local-match-pool.ts";
import type { NewSearch } from "./match-eligibility.ts";

const [ana, bo] = [1n, 2n];

/** A pool in which the test decides the pairs. Records the users who wait. */
class ScriptedPool extends LocalMatchPool {
  readonly entered: PoolSearch[] = [];
  readonly waiting = new Set<bigint>();
  find: (pair: FoundPair) => void = () => undefined;

  override enter(search: PoolSearch): void {
    this.entered.push(search);
    this.waiting.add(search.userId);
  }

  override withdraw({ userId }: SearchRef): void {
    this.waiting.delete(userId);
  }

  override onPair(listener: (pair: FoundPair) => void): Disposable {
    this.find = listener;
    return { [Symbol.dispose]: () => undefined };
  }
}

let world: MatchWorld;
let pool: ScriptedPool;
/** The response of the partner's server. */
let comes: () => Promise<boolean>;
let canMove: boolean;
let asked: unknown[];

beforeEach(async () => {
  comes = async () => true;
  canMove = true;
  asked = [];
  world = new MatchWorld({
    site: ({ clock }) => ({
      openPool: (nowMs) => (pool = new ScriptedPool({ clock, nowMs, capacityMax: 10, isExcluded: () => false })),
      comeTo: (pair) => (asked.push(["come", pair.newer.userId, pair.newerAt]), comes()),
      move: (userId, to) => (asked.push(["move", userId, to]), canMove),
      gather: (userId) => void asked.push(["gather", userId]),
    }),
  });
  await world.arrive(ana);
  await world.start(ana);
});
afterEach(() => world[Symbol.asyncDispose]());

const searchOf = (userId: bigint) => pool.entered.findLast((search) => search.userId === userId)!;

test("brings a client that does not follow `move` to the server where such clients meet, at each start", () => {
  expect(asked).toEqual([["gather", ana]]);
});

describe("a partner at another server", () => {
  const handed: NewSearch = {
    userId: bo,
    language: "en",
    filters: { sex: 0, country: 0 },
    offer: "v=0",
    facts: { sex: 1, countryId: 18, zone: 1, complete: true },
    price: 0,
    sinceMs: 1,
    missed: 0,
  };

  /** The matcher finds the pair of Ana at this server and Bo at another one. */
  async function found(): Promise<void> {
    const { userId, searchId } = searchOf(ana);
    pool.waiting.delete(ana);
    pool.find({
      epoch: 1n,
      pairId: 1,
      longer: { userId, searchId },
      newer: { userId: bo, searchId: 7 },
      newerAt: "other",
    });
    await world.settled();
  }

  test("pairs the two in the turn in which the search arrives", async () => {
    await found();
    expect([asked.at(-1), pool.waiting.has(ana)]).toEqual([["come", bo, "other"], false]);
    await world.arrive(bo);
    await world.matches.continueSearch(handed);
    await world.settled();
    expect([world.calls.otherIn(ana), world.calls.otherIn(bo)]).toEqual([bo, ana]);
    expect(world.matches.counts).toEqual({ searching: 0, waiting: 0 });
  });

  test.each([
    ["is over", async () => false],
    ["cannot be asked for", async () => Promise.reject(new Error("failed"))],
  ])("whose search %s leaves the other one searching", async (_what, answer) => {
    comes = answer;
    await found();
    expect([pool.waiting.has(ana), world.calls.roomCount]).toEqual([true, 0]);
  });

  test("who does not come in time leaves the other one searching, and searches here later", async () => {
    await found();
    world.clock.advance(2_999);
    expect(pool.waiting.has(ana)).toBe(false);
    world.clock.advance(1);
    expect(pool.waiting.has(ana)).toBe(true);
    await world.arrive(bo);
    await world.matches.continueSearch(handed);
    expect([pool.waiting.has(bo), world.calls.roomCount]).toEqual([true, 0]);
  });

  test("searches here if the other one has stopped meanwhile", async () => {
    await found();
    world.matches.stop(ana);
    await world.arrive(bo);
    await world.matches.continueSearch(handed);
    world.clock.advance(3_000);
    expect([pool.waiting.has(bo), pool.waiting.has(ana), world.calls.roomCount]).toEqual([true, false, 0]);
  });

  test("is met by no one whose socket is lost", async () => {
    await found();
    await world.arrive(bo);
    world.matches.dropped(bo);
    await world.matches.continueSearch(handed);
    expect([world.calls.roomCount, pool.waiting.has(bo)]).toEqual([0, false]);
  });
});

describe("a search found for a user of another server", () => {
  const send = (searchId = searchOf(ana).searchId, otherId = bo, to = "other") =>
    world.matches.sendTo({ userId: ana, searchId }, otherId, to);

  test("has its page move once, however often it is asked", () => {
    expect([send(), send()]).toEqual([true, true]);
    expect([asked.filter((what) => Array.isArray(what) && what[0] === "move"), pool.waiting.has(ana)]).toEqual([
      [["move", ana, "other"]],
      false,
    ]);
    expect([send(searchOf(ana).searchId, 3n), send(searchOf(ana).searchId, bo, "third")]).toEqual([false, false]);
    expect(world.matches.pack(ana).search).toMatchObject({ userId: ana, phase: "moving" });
  });

  test("waits on if it is another search by now, or if its page cannot move", () => {
    expect(send(searchOf(ana).searchId + 1)).toBe(false);
    canMove = false;
    expect([send(), pool.waiting.has(ana)]).toEqual([false, true]);
  });

  test("goes on after 5 s without a move, and is not asked to move again for 30 s", () => {
    send();
    world.clock.advance(4_999);
    expect(pool.waiting.has(ana)).toBe(false);
    world.clock.advance(1);
    expect([pool.waiting.has(ana), searchOf(ana).isFixed]).toEqual([true, true]);
    world.clock.advance(30_000);
    expect([pool.waiting.has(ana), searchOf(ana).isFixed]).toEqual([true, undefined]);
  });

  test("does not come back after its user has stopped", () => {
    send();
    world.matches.stop(ana);
    world.clock.advance(40_000);
    expect([pool.waiting.has(ana), world.matches.counts.searching]).toEqual([false, 0]);
  });
});
