import { expect, test } from "vitest";
import { serverLostGiveUpMs } from "@fava/wire/limits.ts";
import { InspectionWorld } from "#test/fixtures/inspection-world.ts";
import { matchedFor } from "#test/fixtures/matched.ts";

const [ana, bo] = [1n, 2n];

/** A call that this server adopted from a dead one. Both users had just passed an inspection at this server. */
async function adopted(): Promise<InspectionWorld> {
  const world = new InspectionWorld();
  for (const userId of [ana, bo]) await world.arrive(userId);
  world.keepApart(ana, bo);
  for (const userId of [ana, bo]) {
    await world.search(userId);
    await world.answer(userId);
    world.matches.stop(userId);
    world.pushes(userId);
  }
  world.log.calls.set("r1", {} as never);
  const [offerer, answerer] = [matchedFor(ana, 0), matchedFor(bo, 0)];
  world.calls.adopt({ id: "r1", epoch: 2, liveMs: 30_000, pair: { offerer, answerer, preparedOffer: null } });
  return world;
}

test("[CALL-134] covers the video of an adopted call, whatever was judged before, until a frame passes", async () => {
  await using world = await adopted();
  expect(world.inspection.figures).toMatchObject({ openedClear: 0, openedCovered: 2 });
  for (const userId of [ana, bo]) world.calls.join(userId, "r1");
  world.playing(ana, bo);
  for (const userId of [ana, bo]) expect(new Set(world.shields(userId))).toEqual(new Set(["checking/checking"]));
  await world.pass(1_000);
  for (const userId of [ana, bo]) expect(world.shields(userId).at(-1)).toBe("clear/clear");
});

test("[CALL-134] counts no missing frames of a user who has not returned to the call yet", async () => {
  await using world = await adopted();
  await world.pass(serverLostGiveUpMs - 1_000);
  expect(world.inspection.figures.missed).toBe(0);
  expect(world.moderation.noted).toEqual([]);
  for (const userId of [ana, bo]) world.calls.join(userId, "r1");
  world.playing(ana, bo);
  await world.pass(30_000);
  expect(world.shields(ana).at(-1)).toBe("clear/clear");
});
