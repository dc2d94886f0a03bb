import { beforeEach, expect, test } from "vitest";
import { pushCodes } from "@fava/wire/pushes.ts";
import { untilDecidedMs } from "#ports/moderation.ts";
import { MatchWorld } from "#test/fixtures/match-world.ts";

const [ana, bo, cem] = [1n, 2n, 3n];
const refusal = (data: unknown) => expect.objectContaining({ code: 403, data });

let world: MatchWorld;
beforeEach(async () => {
  world = new MatchWorld();
  for (const userId of [ana, bo, cem]) await world.arrive(userId);
});

test("[SAFE-44] tells a user who is paused until a review the end of the pause, and matches them afterwards", async () => {
  const until = world.clock.nowMs() + 60_000;
  world.restrictions.set(ana, { pausedUntil: until });
  await world.start(bo);
  await expect(world.start(ana)).rejects.toEqual(refusal({ reason: "paused", until }));
  world.rematchRequests.add("1 2").add("2 1");
  const again = world.matches.start({
    userId: ana,
    language: "en",
    filters: { sex: 0, country: 0 },
    offer: null,
    withUserId: bo,
  });
  await expect(again).rejects.toEqual(refusal({ reason: "paused", until }));
  expect([world.matches.info(ana).status, world.matches.info(bo).status]).toEqual([0, 1]);
  world.clock.advance(60_000);
  await world.start(ana);
  expect(world.matches.info(ana).status).toBe(2);
});

test.each([
  ["for a time", 45_000],
  ["until a person has decided", null],
])("[SAFE-44] tells a user who is paused %s during a search, and matches the other at once", async (_, endMs) => {
  await world.start(ana);
  const until = endMs === null ? null : world.clock.nowMs() + endMs;
  world.restrictions.set(ana, { pausedUntil: until ?? untilDecidedMs });
  world.clock.advance(1);
  world.bus.take(ana);
  await world.start(bo);
  expect([world.matches.info(ana).status, world.matches.info(bo).status]).toEqual([0, 1]);
  const closed = { code: pushCodes.callMessage, roomId: "", type: 2, is_enough: 0, meter: null };
  expect(world.bus.take(ana)).toEqual([{ ...closed, why: "paused", until }]);
  await world.start(cem);
  expect([bo, cem].map((userId) => world.calls.current(userId)?.match.user_Id)).toEqual([3, 2]);
});

test("[SAFE-44] does not match two who want to meet again while one of them is paused", async () => {
  world.rematchRequests.add("1 2").add("2 1");
  const meet = async (userId: bigint, withUserId: bigint) => {
    const filters = { sex: 0, country: 0 } as const;
    await world.matches.start({ userId, language: "en", filters, offer: null, withUserId });
    await world.settled();
  };
  await meet(ana, bo);
  world.restrictions.set(ana, { pausedUntil: world.clock.nowMs() + 45_000 });
  await expect(meet(bo, ana)).rejects.toEqual(refusal({ reason: "not_met" }));
  expect(world.calls.current(bo)).toBeNull();
});

test("[AGE-20] refuses a search and a rematch to a user who needs an age check", async () => {
  world.restrictions.set(ana, { ageGate: "country" });
  world.rematchRequests.add("1 2").add("2 1");
  await world.start(bo);
  const refused = refusal({ reason: "age_check", why: "country", state: "none", retry_at: null });
  await expect(world.start(ana)).rejects.toEqual(refused);
  const again = { userId: ana, language: "en", filters: { sex: 0, country: 0 }, offer: null, withUserId: bo } as const;
  await expect(world.matches.start(again)).rejects.toEqual(refused);
  await expect(world.matches.start({ ...again, userId: bo, withUserId: ana })).rejects.toEqual(
    refusal({ reason: "not_met" }),
  );
  expect(world.calls.current(ana)).toBeNull();
});

test("[AGE-29] ends the search of a user who needs an age check since, and matches the other at once", async () => {
  await world.start(ana);
  world.restrictions.set(ana, { ageGate: "asked" });
  world.clock.advance(1);
  world.bus.take(ana);
  await world.start(bo);
  expect([world.matches.info(ana).status, world.matches.info(bo).status]).toEqual([0, 1]);
  const closed = { code: pushCodes.callMessage, roomId: "", type: 2, is_enough: 0, meter: null };
  expect(world.bus.take(ana)).toEqual([{ ...closed, why: "age_check" }]);
  await world.start(cem);
  expect([bo, cem].map((userId) => world.calls.current(userId)?.match.user_Id)).toEqual([3, 2]);
});

test("[AGE-29] does not match a search that another server hands over", async () => {
  world.restrictions.set(ana, { ageGate: "country" });
  const filters = { sex: 0, country: 0 } as const;
  const facts = await world.people.matchFacts(ana);
  const rest = { facts, price: 0, sinceMs: world.clock.nowMs(), missed: 0 };
  await world.matches.continueSearch({ userId: ana, language: "en", filters, offer: null, ...rest });
  await world.start(bo);
  expect([ana, bo].map((userId) => world.calls.current(userId))).toEqual([null, null]);
});
