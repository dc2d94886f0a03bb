import { beforeEach, expect, test } from "vitest";
import { MatchWorld } from "#test/fixtures/match-world.ts";

const [ana, bo, cem] = [1n, 2n, 3n];

let world: MatchWorld;
beforeEach(async () => {
  world = new MatchWorld();
  for (const userId of [ana, bo, cem]) await world.arrive(userId);
});

const statusOf = (userId: bigint) => world.matches.info(userId).status;
const partnerOf = (userId: bigint) => world.calls.current(userId)?.match.user_Id ?? null;

/** A read that is pending until `give` is called. */
function held(): { promise: Promise<void>; give: () => void } {
  let give = () => {};
  const promise = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { promise, give: () => give() };
}

test("lets both search on at their original place after a match that was not joined, but not for each other", async () => {
  const { since } = await world.start(ana);
  world.clock.advance(7_000);
  const later = await world.start(bo);
  world.clock.advance(10_000);
  expect([statusOf(ana), statusOf(bo)]).toEqual([1, 1]);
  world.clock.advance(6_000);
  expect(await world.start(bo)).toMatchObject({ since: later.since });
  expect(await world.start(ana)).toMatchObject({ since });
  await world.start(cem);
  // Matches Ana, who waited longest, not Bo, who pressed Start before her this time.
  expect(partnerOf(cem)).toBe(Number(ana));
  expect([statusOf(ana), statusOf(bo)]).toEqual([2, 1]);
});

test("matches a user who was put back without a new Start, and without the old offer", async () => {
  await world.start(ana, undefined, "used");
  world.clock.advance(1);
  await world.start(bo);
  world.clock.advance(10_000);
  world.takeMatch(bo);
  await world.start(cem);
  await world.settled();
  expect(world.takeMatch(cem)).toMatchObject({ user_Id: Number(ana), media: { peerOffer: null } });
});

test("does not put back a user who left, or whose page ignored three matches in a row", async () => {
  await world.matched(ana, bo);
  world.bus.close(bo, 1001);
  world.clock.advance(10_000);
  expect([statusOf(ana), statusOf(bo)]).toEqual([0, 0]);

  await world.start(ana);
  const statuses: number[] = [];
  for (const other of [cem, 4n, 5n]) {
    await world.arrive(other);
    await world.start(other);
    world.calls.join(other, world.calls.current(other)?.match.roomId ?? "");
    world.clock.advance(10_000);
    statuses.push(statusOf(ana));
    world.matches.stop(other);
  }
  expect(statuses).toEqual([1, 1, 0]);
});

test('does not treat a Start as "next" if it was being read while the match was made', async () => {
  await world.start(ana);
  world.clock.advance(1);
  const { promise: reading, give: finish } = held();
  world.readingFacts = () => reading;
  const late = world.start(ana);
  await world.settled();
  world.readingFacts = async () => {};
  await world.start(bo);
  await world.settled();
  const { roomId } = world.takeMatch(ana);
  world.calls.join(ana, roomId);
  finish();
  expect(await late).toMatchObject({ state: "not_searching" });
  expect(world.calls.isIn(ana, roomId)).toBe(true);
});

test("applies a Stop to the Start in progress, and not to a later one", async () => {
  const { promise: reading, give: finish } = held();
  world.readingFacts = () => reading;
  const stopped = world.start(ana);
  await world.settled();
  world.matches.stop(ana);
  const next = world.start(bo);
  world.matches.stop(cem);
  finish();
  expect([await stopped, await next]).toMatchObject([{ state: "not_searching" }, { state: "searching" }]);
  await world.settled();
  expect([partnerOf(ana), partnerOf(bo)]).toEqual([null, null]);
  expect(await world.start(ana)).toMatchObject({ state: "searching" });
  await world.settled();
  expect(partnerOf(ana)).toBe(Number(bo));
});

test("matches the pair again once it was kept apart for a while", async () => {
  await world.matched(ana, bo);
  world.clock.advance(10_000);
  await world.start(ana);
  await world.start(bo);
  expect([partnerOf(ana), partnerOf(bo)]).toEqual([null, null]);
  for (let second = 0; second < 40 && partnerOf(ana) === null; second += 1) {
    world.clock.advance(1_000);
    await world.settled();
  }
  expect(partnerOf(ana)).toBe(Number(bo));
});

test("keeps the place of the user who stayed when the other leaves before they see each other", async () => {
  const { since } = await world.start(ana);
  world.clock.advance(100);
  await world.start(bo);
  world.clock.advance(2_000);
  world.matches.stop(bo);
  expect(await world.start(ana)).toMatchObject({ since });
  expect(await world.start(bo)).toMatchObject({ since: world.clock.nowMs() });
});

test("returns the partner to the old place if a user leaves while the pair is being settled", async () => {
  const acts = [() => world.matches.stop(bo), () => world.bus.close(bo, 1001), () => world.bus.close(bo, 1006)];
  for (const act of acts) {
    const { since } = await world.start(ana);
    world.clock.advance(1_000);
    let finish = () => {};
    const reading = new Promise<void>((resolve) => {
      finish = resolve;
    });
    world.readingCard = () => reading;
    await world.start(bo);
    expect([statusOf(ana), statusOf(bo), world.calls.roomCount]).toEqual([1, 1, 0]);
    act();
    finish();
    await world.settled();
    expect([statusOf(ana), world.calls.roomCount, world.took(ana)]).toEqual([1, 0, []]);
    expect(await world.start(ana)).toMatchObject({ since });
    world.readingCard = async () => {};
    world.matches.stop(ana);
    world.bus.arrive(bo);
    world.clock.advance(1_000_000);
  }
});

test("returns both to the search after a moment when the pair cannot be made", async () => {
  await world.start(ana);
  world.clock.advance(6_000);
  world.readingCard = () => Promise.reject(new Error("no database"));
  await world.start(bo);
  expect([statusOf(ana), statusOf(bo), world.calls.roomCount]).toEqual([1, 1, 0]);
  world.readingCard = async () => {};
  for (let second = 0; second < 20 && world.calls.roomCount === 0; second += 1) {
    world.clock.advance(1_000);
    await world.settled();
  }
  expect(partnerOf(ana)).toBe(Number(bo));
});
