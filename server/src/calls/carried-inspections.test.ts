import { afterEach, beforeEach, expect, test } from "vitest";
import { InspectionWorld } from "#test/fixtures/inspection-world.ts";
import { troubledSite } from "#test/fixtures/peer-sites.ts";
import { inspectionSettingsDefault as settings } from "./inspection-settings.ts";
import { carriedInspection } from "./search-inspection.ts";

const [ana, bo, cem] = [1n, 2n, 3n];

/** The first of two servers, which inspects Ana. `there` is the second one. */
let world: InspectionWorld;
let there: InspectionWorld;
beforeEach(async () => {
  const [peers, othersPeers] = troubledSite("here", "there");
  world = new InspectionWorld({ peers });
  there = new InspectionWorld({ peers: othersPeers });
  for (const each of [world, there]) await each.arrive(ana);
});
afterEach(async () => {
  for (const each of [world, there]) await each[Symbol.asyncDispose]();
});

/** Moves Ana's inspection result to the second server. */
function carry(): void {
  const { search } = world.inspection;
  there.inspection.search.bring(
    ana,
    carriedInspection(search.known(ana), world.clock.monotonicMs()),
    there.clock.monotonicMs(),
  );
}

/** What a partner at the second server sees of Ana. */
async function shownTo(other: bigint): Promise<string | undefined> {
  await there.arrive(other);
  there.keepApart(ana, other);
  await there.search(ana);
  await there.search(other, { checks: false });
  await there.meet(ana, other);
  return there.shields(other).at(-1);
}

test("opens the next video clear at the new server, for 15 s after the clean frame was requested", async () => {
  await world.search(ana);
  await world.answer(ana);
  world.clock.advance(5_000);
  carry();
  there.clock.advance(settings.freshMs - 5_001);
  expect(await shownTo(bo)).toBe("clear/checking");
});

test("counts the age of a clean frame across the move", async () => {
  await world.search(ana);
  await world.answer(ana);
  world.clock.advance(5_000);
  carry();
  there.clock.advance(settings.freshMs - 4_999);
  expect(await shownTo(bo)).toBe("checking/checking");
});

test("applies a result that arrives after the search began, unless its own is newer", async () => {
  await world.search(ana);
  await world.answer(ana);
  world.clock.advance(5_000);
  await there.search(ana);
  carry();
  expect(there.inspection.search.known(ana).cleanMs).toBe(there.clock.monotonicMs() - 5_000);
  expect(await shownTo(bo)).toBe("clear/checking");
  await there.arrive(ana);
  await there.search(ana);
  await there.answer(ana);
  const ownMs = there.inspection.search.known(ana).cleanMs;
  carry();
  expect(ownMs).not.toBeNull();
  expect(there.inspection.search.known(ana).cleanMs).toBe(ownMs);
});

test("covers the video of a user without a clean frame", async () => {
  await world.search(ana);
  carry();
  expect(await shownTo(bo)).toBe("checking/checking");
});

test.each<[string, (world: InspectionWorld) => void]>([
  ["the camera was switched off", ({ inspection }) => inspection.search.searchMedia(ana, "camera_off")],
  ["the page was hidden", ({ inspection }) => inspection.search.searchMedia(ana, "away")],
  ["the socket was lost", ({ inspection }) => inspection.search.dropped(ana)],
])("drops the clean frame where %s, before or after it arrived", async (_what, happen) => {
  await world.search(ana);
  await world.answer(ana);
  world.clock.advance(1_000);
  there.clock.advance(1_000);
  happen(there);
  carry();
  expect(await shownTo(bo)).toBe("checking/checking");
  await there.arrive(ana);
  there.clock.advance(2_000);
  carry();
  there.clock.advance(1);
  happen(there);
  expect(await shownTo(cem)).toBe("checking/checking");
});

test("drops the clean frame with the page", async () => {
  await world.search(ana);
  await world.answer(ana);
  carry();
  await there.arrive(ana);
  expect(await shownTo(bo)).toBe("checking/checking");
});

test("counts calls that opened clear and ended untried across servers", async () => {
  for (let times = 0; times < settings.untriedCallsMax; times += 1) {
    await world.inClearCall(ana, BigInt(100 + times));
    world.matches.stop(ana);
  }
  expect(world.inspection.search.known(ana).untriedCalls).toBe(settings.untriedCallsMax);
  const look = { cleanAgeMs: 0, untriedCalls: settings.untriedCallsMax };
  there.inspection.search.bring(ana, look, there.clock.monotonicMs());
  expect(await shownTo(bo)).toBe("checking/checking");
  there.matches.stop(ana);
  there.inspection.search.bring(ana, { cleanAgeMs: 0, untriedCalls: 0 }, there.clock.monotonicMs());
  expect(await shownTo(cem)).toBe("clear/checking");
});

test("keeps the count for a page opened at another server, and ends it everywhere when a frame passes there", async () => {
  for (let times = 0; times < settings.untriedCallsMax; times += 1) {
    await world.inClearCall(ana, BigInt(100 + times));
    world.matches.stop(ana);
  }
  await there.arrive(ana);
  await there.search(ana);
  expect(there.inspection.search.known(ana).untriedCalls).toBe(settings.untriedCallsMax);
  expect(await shownTo(bo)).toBe("checking/checking");
  await there.answer(ana);
  there.matches.stop(ana);
  expect([world, there].map(({ inspection }) => inspection.search.known(ana).untriedCalls)).toEqual([0, 0]);
});
