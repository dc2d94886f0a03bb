import { beforeAll, expect, test } from "vitest";
import { apartMs, apartsMax, recentMs } from "@fava/wire/limits.ts";
import { matchingOver } from "#test/fixtures/social-matching.ts";
import { contextOf, refusals, SocialWorld } from "#test/fixtures/social-world.ts";

let world: SocialWorld;
beforeAll(async () => {
  world = await SocialWorld.open();
});

const keepApart = (userId: bigint, otherId: bigint, on: 0 | 1) =>
  world.handlers.apart(contextOf(userId), { user_id: Number(userId), other_id: Number(otherId), on });
const meet = (userId: bigint, otherId: bigint, on: 0 | 1) =>
  world.handlers.meetAgain(contextOf(userId), { user_id: Number(userId), other_id: Number(otherId), on });
const recent = async (userId: bigint) =>
  (await world.handlers.recentList(contextOf(userId), { user_id: Number(userId), cursor: undefined })).rows;
const listed = (userId: bigint) =>
  world.handlers.apartList(contextOf(userId), { user_id: Number(userId), cursor: undefined });

/** Advances the clock past the matcher's next rounds, or until `isOver`. */
async function wait(isOver = () => false): Promise<void> {
  for (let second = 0; second < 70 && !isOver(); second += 1) {
    world.clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("[TALK-25] never matches two users of whom one avoids the other, even while both wait, and keeps their relations", async () => {
  const [ana, bo] = await world.metPeople(2);
  await world.friends(ana, bo);
  await world.social.like(ana, bo, true);
  await world.arrive(ana, bo);
  const { start, partnerOf, end } = matchingOver(world);
  await start(ana);
  world.clock.advance(1);
  await start(bo);
  expect(partnerOf(ana)).toBe(Number(bo));
  const until = world.clock.nowMs() + apartMs;
  expect(await keepApart(ana, bo, 1)).toEqual({ until });
  expect(partnerOf(ana)).toBe(Number(bo));
  await start(ana);
  await start(bo);
  await wait();
  expect([partnerOf(ana), partnerOf(bo)]).toEqual([null, null]);
  expect((await world.social.cards(ana, [bo], "en")).get(bo)).toMatchObject({ followStatus: 2, likeStatus: 1 });
  expect(await recent(ana)).toMatchObject([{ person: { user_id: Number(bo) }, apart_until: until }]);
  expect(await keepApart(ana, bo, 0)).toEqual({ until: null });
  await wait(() => partnerOf(ana) !== null);
  expect(partnerOf(ana)).toBe(Number(bo));
  await end();
});

test("accepts up to a thousand users met in calls of the last 24 hours; rejects others and oneself", async () => {
  const { db } = world.database;
  const [ana, bo, cem] = await world.metPeople(3);
  const unseen = await world.person();
  await world.call(ana, unseen, { live: false });
  await expect(keepApart(ana, unseen, 1)).rejects.toMatchObject(refusals.notMet);
  await expect(keepApart(ana, 999_999n, 1)).rejects.toMatchObject(refusals.notMet);
  await expect(keepApart(ana, ana, 1)).rejects.toMatchObject({ code: 400, data: { field: "other_id" } });
  const until = new Date(world.clock.nowMs() + 1);
  const crowd = await Promise.all(Array.from({ length: apartsMax }, () => world.person()));
  await db
    .insertInto("aparts")
    .values(crowd.map((other_id) => ({ user_id: ana, other_id, until })))
    .execute();
  await expect(keepApart(ana, bo, 1)).rejects.toMatchObject(refusals.tooMany);
  await keepApart(ana, crowd[0] ?? 0n, 0);
  await keepApart(ana, bo, 1);
  // Avoiding the same user again takes no second place of the limit.
  await keepApart(ana, bo, 1);
  // An expired entry takes no place of the limit.
  world.clock.advance(1);
  await keepApart(ana, cem, 1);
  expect((await listed(ana)).rows.map(({ user_id }) => user_id)).toEqual([Number(cem), Number(bo)]);
  await world.social.block(bo, ana);
  await expect(keepApart(ana, bo, 1)).rejects.toMatchObject(refusals.notMet);
});

test("ends when the user cancels it, also long after the call, or after 90 days", async () => {
  const [ana, bo, cem] = await world.metPeople(3);
  await keepApart(ana, bo, 1);
  world.clock.advance(1_000);
  await keepApart(ana, cem, 1);
  const until = world.clock.nowMs() + apartMs;
  const names = { nickname: expect.any(String) as string, avatar: "" };
  const [cems, bos] = [
    { user_id: Number(cem), ...names, until },
    { user_id: Number(bo), ...names, until: until - 1_000 },
  ];
  expect(await listed(ana)).toEqual({ rows: [cems, bos], next: null });
  world.clock.advance(recentMs + 1);
  await expect(keepApart(ana, bo, 1)).rejects.toMatchObject(refusals.notMet);
  expect(await keepApart(ana, bo, 0)).toEqual({ until: null });
  expect(await keepApart(ana, bo, 0)).toEqual({ until: null });
  expect(await listed(ana)).toEqual({ rows: [cems], next: null });
  await world.arrive(ana, cem);
  await world.social.blocks.prepare(ana);
  expect(world.social.blocks.isExcluded(ana, cem)).toBe(true);
  world.social.blocks.gone(ana);
  world.clock.advance(until - world.clock.nowMs());
  expect((await listed(ana)).rows).toEqual([]);
  await world.social.blocks.prepare(ana);
  expect(world.social.blocks.isExcluded(ana, cem)).toBe(false);
});

test("[TALK-28] reveals nothing to the avoided user in any answer or push", async () => {
  const [ana, bo] = await world.metPeople(2);
  await world.friends(ana, bo);
  await world.arrive(ana, bo);
  const answers = async () => {
    const words = { userId: Number(ana), followUserId: Number(bo), on: 1 } as const;
    const all: unknown[] = [(await recent(ana)).find(({ person }) => person.user_id === Number(bo))];
    all.push(await meet(ana, bo, 1), await meet(ana, bo, 0), await world.handlers.follow(contextOf(ana), words));
    all.push(await keepApart(ana, bo, 1), await listed(ana), await keepApart(ana, bo, 0), await recent(ana));
    return JSON.stringify(all);
  };
  const before = await answers();
  await keepApart(bo, ana, 1);
  expect(await answers()).toBe(before);
  expect(world.tookSocial(ana)).toEqual([]);
});

test("withdraws a rematch request, and a rematch request ends it", async () => {
  const [ana, bo] = await world.metPeople(2);
  await meet(ana, bo, 1);
  await keepApart(ana, bo, 1);
  expect(await world.rowsBetween("meet_wishes", [ana, bo])).toEqual([]);
  const [apart] = await recent(ana);
  expect(apart).toMatchObject({ meet: "none", apart_until: expect.any(Number) });
  expect(await meet(bo, ana, 1)).toEqual({ meet: "asked" });
  expect(await meet(ana, bo, 1)).toEqual({ meet: "both" });
  expect(await world.rowsBetween("aparts", [ana, bo])).toEqual([]);
  const [asked] = await recent(ana);
  expect(asked).not.toHaveProperty("apart_until");
});
