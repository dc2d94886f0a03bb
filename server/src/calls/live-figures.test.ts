import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Emitter } from "#lib/emitter.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { LiveFigures } from "./live-figures.ts";
import type { Search } from "./match-eligibility.ts";
import type { MatchService } from "./match-service.ts";
import type { RoomEvent } from "./room-events.ts";

const slotMs = 10_000;

/** Live figures at the beginning of a step, with searches and calls that the test sets. */
function openFigures() {
  const clock = new TestClock(Math.ceil(1_795_900_000_000 / slotMs) * slotMs);
  const ended = new Emitter<Parameters<Parameters<MatchService["onWaitEnded"]>[0]>>();
  const over = new Emitter<Parameters<Parameters<MatchService["onSearchEnded"]>[0]>>();
  const state = { searches: [] as Search[], calls: 0, reports: 0 };
  const figures = new LiveFigures({
    matches: {
      get counts() {
        return { searching: state.searches.length, waiting: 0 };
      },
      openSearches: () => state.searches,
      onWaitEnded: (listener) => ended.on(listener),
      onSearchEnded: (listener) => over.on(listener),
    },
    calls: {
      get roomCount() {
        return state.calls;
      },
      rungCounts: { 0: 0, 1: 0, 2: 1, 3: 0, 4: 3 },
    },
    reportCount: () => state.reports,
    clock,
    logger: { error: (details) => expect(details).toBeUndefined() },
  });
  leftovers.push(figures);
  const finds = (search: Search, waitedMs: number, outcome: "found" | "withdrawn" = "found") =>
    ended.emit({ ...search, sinceMs: clock.nowMs() - waitedMs }, { outcome, ms: waitedMs });
  return { clock, figures, state, finds, ends: over.emit.bind(over) };
}

/** Advances the clock, and lets periodic work that was due schedule its next run. */
async function pass(clock: TestClock, ms: number): Promise<void> {
  clock.advance(ms);
  await nextTurn();
}

const searchOf = (sex: 1 | 2, wished: 0 | 1 | 2, { country = 0, countryId = 18 } = {}) =>
  ({ facts: { sex, countryId, zone: 1, complete: true }, filters: { sex: wished, country } }) as Search;

function event(id: string, kind: "matched" | "live" | "ended", wasLive = false): RoomEvent {
  return { id, kind, wasLive, side: null } as unknown as RoomEvent;
}

test("counts searching users by sex and wish, and calls by the level of video", () => {
  const { figures, state } = openFigures();
  state.searches = [searchOf(1, 2), searchOf(1, 2), searchOf(2, 0), searchOf(2, 1, { country: 77 })];
  state.calls = 2;
  const { searching, calls, rungs } = figures.counts();
  expect(searching.filter(({ people }) => people > 0)).toEqual([
    { sex: 1, wish: "women", people: 2 },
    { sex: 2, wish: "any", people: 1 },
    { sex: 2, wish: "country", people: 1 },
  ]);
  expect(searching).toHaveLength(8);
  expect([calls, rungs]).toEqual([2, [0, 0, 1, 0, 3]]);
});

test("counts completed steps of ten seconds, and forgets them after ten minutes", async () => {
  const { clock, figures, state, finds } = openFigures();
  await pass(clock, 1);
  finds(searchOf(1, 0), 900);
  finds(searchOf(2, 0, { countryId: 77 }), 2_100);
  finds(searchOf(2, 1), 100, "withdrawn");
  finds({ ...searchOf(2, 1), withUserId: 7n }, 100);
  expect(figures.counts().slots).toEqual([]);
  state.searches = [searchOf(1, 0)];
  state.reports = 3;
  await pass(clock, slotMs);
  await pass(clock, slotMs);
  const [first, second] = figures.counts().slots;
  expect(first).toMatchObject({ found: 2, searching: 0, reports: 0 });
  expect(second).toMatchObject({ found: 0, searching: 1, reports: 3 });
  const { waitsByWish, waitsByCountry } = figures.counts();
  expect(Object.keys(waitsByWish)).toEqual(["any"]);
  // Buckets up to 1 s and up to 3 s.
  expect([waitsByWish["any"]?.[3], waitsByWish["any"]?.[6]]).toEqual([1, 1]);
  expect(Object.keys(waitsByCountry).toSorted()).toEqual(["18", "77"]);
  for (let step = 0; step < 60; step += 1) await pass(clock, slotMs);
  expect(figures.counts().slots).toHaveLength(60);
  expect(figures.counts().slots[0]?.number).toBe((second?.number ?? 0) + 1);
  expect(figures.counts().waitsByWish).toEqual({});
});

test("totals by wish how searches ended, without those for one specific user", () => {
  const { figures, ends } = openFigures();
  ends(searchOf(1, 0), "matched");
  ends(searchOf(2, 0), "unmatched");
  ends(searchOf(2, 0), "unmatched");
  ends(searchOf(2, 1, { country: 77 }), "matched");
  const before = figures.searchTotals;
  ends({ ...searchOf(2, 0), withUserId: 7n }, "unmatched");
  ends(searchOf(1, 2), "matched");
  expect(before.ends).toEqual({ any: [1, 2], men: [0, 0], women: [0, 0], country: [1, 0] });
  expect(figures.searchTotals.ends).toEqual({ ...before.ends, women: [1, 0] });
});

test("measures from the match to the first picture, and counts calls that never connected", async () => {
  const { clock, figures } = openFigures();
  figures.onRoomEvent(event("a", "matched"));
  figures.onRoomEvent(event("b", "matched"));
  await pass(clock, 1_400);
  figures.onRoomEvent(event("a", "live"));
  figures.onRoomEvent(event("b", "ended"));
  figures.onRoomEvent(event("a", "ended", true));
  expect(figures.counts().firstPictures[4]).toBe(1);
  await pass(clock, slotMs);
  expect(figures.counts().slots[0]).toMatchObject({ ended: 2, neverConnected: 1 });
});

test("measures no call that a dead server had matched", () => {
  const { figures } = openFigures();
  figures.onRoomEvent({ ...event("a", "matched"), isAdopted: true } as RoomEvent);
  figures.onRoomEvent(event("a", "live"));
  expect(figures.counts().firstPictures.every((count) => count === 0)).toBe(true);
});
