import { afterEach, beforeAll, expect, test } from "vitest";
import { homePeopleMax, recentMs, ringMs } from "@fava/wire/limits.ts";
import { RingWorld } from "#test/fixtures/ring-world.ts";
import { contextOf } from "#test/fixtures/social-world.ts";

let world: RingWorld;
beforeAll(async () => {
  world = await RingWorld.open(1_000);
});
afterEach(() => world.stopAll());

async function home(userId: bigint) {
  const { meets, missed, friends } = await world.social.handlers.homePeople(contextOf(userId), {
    user_id: Number(userId),
  });
  return {
    meets: meets.map(({ person, until }) => [person.user_id, until]),
    missed: missed.map(({ user_id }) => user_id),
    friends: friends.map(({ user_id }) => user_id),
  };
}

const nobody = { meets: [], missed: [], friends: [] };
const meet = (userId: bigint, otherId: bigint, on: 0 | 1 = 1) =>
  world.social.handlers.meetAgain(contextOf(userId), { user_id: Number(userId), other_id: Number(otherId), on });

async function miss(callerId: bigint, calleeId: bigint): Promise<void> {
  await world.rung(callerId, calleeId);
  world.clock.advance(ringMs);
  await world.settled();
}

test("lists online friends only, and not another user's", async () => {
  const [ana, bo, cem] = await world.friends(3);
  const dia = await world.social.person();
  await world.open(dia);
  await world.social.call(ana, dia);
  expect(new Set((await home(ana)).friends)).toEqual(new Set([Number(bo), Number(cem)]));
  world.close(cem);
  await world.settled();
  expect(await home(ana)).toEqual({ ...nobody, friends: [Number(bo)] });
  expect(await home(dia)).toEqual(nobody);
  await expect(world.social.handlers.homePeople(contextOf(ana), { user_id: Number(ana) + 1 })).rejects.toMatchObject({
    code: 400,
  });
});

test("lists at most `homePeopleMax` friends", async () => {
  const ana = await world.social.person();
  for (let made = 0; made <= homePeopleMax; made += 1) {
    const friend = await world.social.person();
    await world.social.call(ana, friend);
    await world.social.friends(ana, friend);
    await world.open(friend);
  }
  expect((await home(ana)).friends).toHaveLength(homePeopleMax);
});

test("[PEOPLE-31] lists a wish to meet again only while it is mutual", async () => {
  const [ana, bo] = await world.social.metPeople(2);
  await meet(ana, bo);
  expect([await home(ana), await home(bo)]).toEqual([nobody, nobody]);
  const askedMs = world.clock.nowMs();
  world.clock.advance(60_000);
  await meet(bo, ana);
  expect(await home(ana)).toEqual({ ...nobody, meets: [[Number(bo), askedMs + recentMs]] });
  expect(await home(bo)).toEqual({ ...nobody, meets: [[Number(ana), askedMs + recentMs]] });
  await meet(bo, ana, 0);
  expect([await home(ana), await home(bo)]).toEqual([nobody, nobody]);
  await meet(bo, ana);
  world.clock.advance(recentMs - 60_000);
  expect((await home(ana)).meets).toHaveLength(1);
  world.clock.advance(1);
  expect([await home(ana), await home(bo)]).toEqual([nobody, nobody]);
});

test("omits a blocked user with whom a wish was mutual", async () => {
  const [ana, bo] = await world.social.metPeople(2);
  await meet(ana, bo);
  await meet(bo, ana);
  await world.social.social.block(bo, ana);
  expect([await home(ana), await home(bo)]).toEqual([nobody, nobody]);
});

test("lists a missed ring for the callee until a message, a call or a day has followed", async () => {
  const [ana, bo] = await world.friends(2);
  await miss(ana, bo);
  expect((await home(bo)).missed).toEqual([Number(ana)]);
  expect((await home(ana)).missed).toEqual([]);
  await miss(bo, ana);
  expect([(await home(ana)).missed, (await home(bo)).missed]).toEqual([[Number(bo)], []]);
  world.clock.advance(5_000);
  await world.social.call(bo, ana, { agoMs: 1_000, seconds: 1 });
  expect((await home(ana)).missed).toEqual([]);
  await miss(ana, bo);
  world.clock.advance(recentMs - 2 * ringMs);
  expect((await home(bo)).missed).toEqual([Number(ana)]);
  world.clock.advance(2 * ringMs + 1);
  expect((await home(bo)).missed).toEqual([]);
});

test("omits the missed ring of a former friend", async () => {
  const [ana, bo] = await world.friends(2);
  await miss(ana, bo);
  await world.social.social.follow(ana, bo, false);
  expect((await home(bo)).missed).toEqual([]);
});
