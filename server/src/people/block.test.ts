import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { noLimits } from "#test/fakes/no-limits.ts";
import { noUnwrittenCalls } from "#test/fixtures/matched.ts";
import { matchingOver } from "#test/fixtures/social-matching.ts";
import { contextOf, refusals, SocialWorld } from "#test/fixtures/social-world.ts";
import { SocialService } from "./social-service.ts";

let world: SocialWorld;
beforeAll(async () => {
  world = await SocialWorld.open();
});

/** A second service over the same database, as another server has: the two share no queues of pushes. */
const twin = () => {
  const { database, bus, clock, temporaryStore } = world;
  return new SocialService({
    db: database.db,
    bus,
    unreadTotal: async () => 0,
    unwrittenCalls: noUnwrittenCalls,
    limits: noLimits,
    temporaryStore,
    clock,
    logger: pino({ level: "silent" }),
  });
};
const input = (userId: bigint, otherId: bigint) => ({ user_id: Number(userId), other_id: Number(otherId) });
const block = (userId: bigint, otherId: bigint) => world.handlers.block(contextOf(userId), input(userId, otherId));
const unblock = (userId: bigint, otherId: bigint) => world.handlers.unblock(contextOf(userId), input(userId, otherId));

describe("block", () => {
  test("[PEOPLE-10] ends all relations, hides the two from each other, and notifies both with their unread totals", async () => {
    const [ana, bo] = await world.metPeople(2);
    await world.friends(ana, bo);
    for (const [one, other] of [
      [ana, bo],
      [bo, ana],
    ] as const) {
      await world.social.like(one, other, true);
      await world.social.sendRematchRequest(one, other, true);
    }
    await world.arrive(ana, bo);
    world.unread.set(ana, 2).set(bo, 7);
    expect(await block(ana, bo)).toEqual({});
    const hidden = async (userId: bigint, unread_total: number) => ({
      kind: "hidden",
      userId: Number(userId),
      externalId: await world.externalIdOf(userId),
      unread_total,
    });
    expect(world.tookSocial(ana)).toEqual([await hidden(bo, 2)]);
    expect(world.tookSocial(bo)).toEqual([await hidden(ana, 7)]);
    for (const table of ["follows", "likes", "meet_wishes"] as const) {
      expect(await world.rowsBetween(table, [ana, bo])).toEqual([]);
    }
    expect(await world.rowsBetween("blocks", [ana, bo])).toEqual([`${ana} ${bo}`]);
    for (const [one, other] of [
      [ana, bo],
      [bo, ana],
    ] as const) {
      expect(await world.social.isHidden(one, other)).toBe(true);
      expect((await world.social.cards(one, [other], "en")).size).toBe(0);
      await expect(world.social.follow(one, other, true)).rejects.toMatchObject(refusals.notMet);
    }
    await block(ana, bo);
    expect([world.tookSocial(ana), world.tookSocial(bo)]).toEqual([[], []]);
    // Former friends do not receive each other's presence.
    world.bus.close(ana, 1001);
    expect(world.bus.take(bo)).toEqual([]);
  });

  test("[PEOPLE-11] lets a blocked user block too without noticing anything; rejects strangers and oneself", async () => {
    const [ana, bo] = await world.metPeople(2);
    await block(ana, bo);
    expect(await block(bo, ana)).toEqual({});
    expect(await world.rowsBetween("blocks", [ana, bo])).toEqual([`${ana} ${bo}`, `${bo} ${ana}`].toSorted());
    await unblock(ana, bo);
    expect(await world.social.isHidden(ana, bo)).toBe(true);
    await expect(block(ana, await world.person())).rejects.toMatchObject(refusals.notMet);
    await expect(block(ana, 999_999n)).rejects.toMatchObject(refusals.notMet);
    await expect(block(ana, ana)).rejects.toMatchObject({ code: 400 });
  });

  test("shows the two to each other after unblocking, without their former relations", async () => {
    const [ana, bo] = await world.metPeople(2);
    await world.friends(ana, bo);
    await block(ana, bo);
    await unblock(bo, ana);
    expect(await world.social.isHidden(ana, bo)).toBe(true);
    expect(await unblock(ana, bo)).toEqual({});
    expect(await world.social.isHidden(ana, bo)).toBe(false);
    const cards = await world.social.cards(ana, [bo], "en");
    expect(cards.get(bo)).toMatchObject({ followStatus: 0, likeStatus: 0, presence: null });
  });

  test("ends blocked and without a follow when both happen at the same time", async () => {
    for (let round = 0; round < 12; round += 1) {
      const [ana, bo] = await world.metPeople(2);
      const other = twin();
      const outcomes = await Promise.allSettled([
        other.follow(ana, bo, true),
        world.social.block(bo, ana),
        world.social.follow(bo, ana, true),
        other.like(ana, bo, true),
        other.sendRematchRequest(ana, bo, true),
      ]);
      expect(outcomes[1]).toMatchObject({ status: "fulfilled" });
      const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
      expect(refused).toMatchObject(refused.map(() => refusals.notMet));
      for (const table of ["follows", "likes", "meet_wishes"] as const) {
        expect(await world.rowsBetween(table, [ana, bo])).toEqual([]);
      }
      expect(await world.rowsBetween("blocks", [ana, bo])).toEqual([`${bo} ${ana}`]);
    }
  });

  test("does not deadlock when both block and follow each other at the same time", async () => {
    const [ana, bo] = await world.metPeople(2);
    const other = twin();
    await Promise.all([world.social.block(ana, bo), other.block(bo, ana)]);
    expect(await world.rowsBetween("blocks", [ana, bo])).toHaveLength(2);
  });
});

describe("block and matching", () => {
  test("[PEOPLE-14] ends the running call of the two; the partner sees that the other left", async () => {
    const [ana, bo, cem] = await world.metPeople(3);
    await world.arrive(ana, bo, cem);
    const { start, partnerOf, end, log } = matchingOver(world);
    await start(ana);
    world.clock.advance(1);
    await start(bo);
    expect(partnerOf(ana)).toBe(Number(bo));
    await block(ana, cem);
    expect(partnerOf(ana)).toBe(Number(bo));
    world.bus.take(bo);
    await block(bo, ana);
    expect([partnerOf(ana), partnerOf(bo)]).toEqual([null, null]);
    expect(world.bus.take(ana)).toContainEqual(expect.objectContaining({ code: 100_002, reason: "left" }));
    expect(world.bus.take(bo)).not.toContainEqual(expect.objectContaining({ code: 100_002 }));
    expect([...log.calls.values()]).toMatchObject([{ endReason: "stop" }]);
    await end();
  });

  test("[PEOPLE-15] never matches two of whom one blocked the other, even while both wait, until it ends", async () => {
    const [ana, bo, cem] = await world.metPeople(3);
    await block(ana, bo);
    await world.arrive(ana, bo, cem);
    const { start, partnerOf, end } = matchingOver(world);
    await start(bo);
    world.clock.advance(1);
    await start(ana);
    for (let second = 0; second < 40; second += 1) world.clock.advance(1_000);
    expect([partnerOf(ana), partnerOf(bo)]).toEqual([null, null]);
    await unblock(ana, bo);
    await block(bo, ana);
    for (let second = 0; second < 70; second += 1) world.clock.advance(1_000);
    expect(partnerOf(ana)).toBeNull();
    await unblock(bo, ana);
    for (let second = 0; second < 70 && partnerOf(ana) === null; second += 1) {
      world.clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(partnerOf(ana)).toBe(Number(bo));
    await end();
  });
});

test("matches two who both requested a rematch after a call within 24 hours", async () => {
  const [ana, bo] = await world.metPeople(2);
  await world.arrive(ana, bo);
  const { start, partnerOf, end } = matchingOver(world);
  await world.social.sendRematchRequest(ana, bo, true);
  await expect(start(ana, bo)).rejects.toMatchObject(refusals.notMet);
  await world.social.sendRematchRequest(bo, ana, true);
  await start(ana, bo);
  await start(bo, ana);
  while (partnerOf(bo) === null) await new Promise((resolve) => setImmediate(resolve));
  expect([partnerOf(ana), partnerOf(bo)]).toEqual([Number(bo), Number(ana)]);
  await block(ana, bo);
  await expect(start(bo, ana)).rejects.toMatchObject(refusals.notMet);
  await end();
});
