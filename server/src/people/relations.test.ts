import { sql } from "kysely";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { relationsMax } from "@fava/wire/limits.ts";
import { limitRules } from "#ports/rate-limits.ts";
import { contextOf, refusals, SocialWorld } from "#test/fixtures/social-world.ts";

let world: SocialWorld;
beforeAll(async () => {
  world = await SocialWorld.open();
});

const follow = (userId: bigint, otherId: bigint, on?: 0 | 1) =>
  world.handlers.follow(contextOf(userId), { userId: Number(userId), followUserId: Number(otherId), on });
const like = (userId: bigint, otherId: bigint, on?: 0 | 1) =>
  world.handlers.like(contextOf(userId), { userId: Number(userId), likeUserId: Number(otherId), on });

describe("follow and like", () => {
  test("[PEOPLE-1] toggle unless `on` is set; two who follow each other are friends", async () => {
    const [ana, bo] = await world.metPeople(2);
    expect(await follow(ana, bo)).toEqual({ followStatus: 1 });
    expect(await follow(ana, bo, 1)).toEqual({ followStatus: 1 });
    expect(await follow(bo, ana)).toEqual({ followStatus: 2 });
    expect(await world.social.areFriends(ana, bo)).toBe(true);
    expect(await world.social.friendIds(ana)).toEqual([bo]);
    expect(await follow(ana, bo)).toEqual({ followStatus: 0 });
    expect(await follow(ana, bo, 0)).toEqual({ followStatus: 0 });
    expect(await world.social.areFriends(ana, bo)).toBe(false);
    expect(await like(ana, bo)).toEqual({ likeStatus: 1 });
    expect(await like(ana, bo, 1)).toEqual({ likeStatus: 1 });
    expect(await like(ana, bo)).toEqual({ likeStatus: 0 });
    expect(await like(ana, bo, 0)).toEqual({ likeStatus: 0 });
  });

  test("push a follow to both, each with their own view, and only on a change", async () => {
    const [ana, bo] = await world.metPeople(2);
    await world.arrive(ana, bo);
    const seenBy = async (other: bigint, change: object) => ({
      kind: "relation",
      userId: Number(other),
      externalId: await world.externalIdOf(other),
      likeStatus: 0,
      ...change,
    });
    await follow(ana, bo);
    const stranger = { isContact: false, presence: null };
    expect(world.tookSocial(ana)).toEqual([await seenBy(bo, { followStatus: 1, ...stranger })]);
    expect(world.tookSocial(bo)).toEqual([await seenBy(ana, { followStatus: 0, ...stranger })]);
    await follow(ana, bo, 1);
    expect([world.tookSocial(ana), world.tookSocial(bo)]).toEqual([[], []]);
    await follow(bo, ana);
    const friend = { followStatus: 2, isContact: true, presence: "online" };
    expect(world.tookSocial(ana)).toEqual([await seenBy(bo, friend)]);
    expect(world.tookSocial(bo)).toEqual([await seenBy(ana, friend)]);
    await follow(ana, bo);
    expect(world.tookSocial(ana)).toEqual([await seenBy(bo, { followStatus: 0, ...stranger })]);
    expect(world.tookSocial(bo)).toEqual([await seenBy(ana, { followStatus: 1, ...stranger })]);
  });

  describe("repeated changes", () => {
    /** Like the real limit: one event per key and minute of the test's clock. */
    const once = new Map<string, number>();
    beforeEach(() => {
      once.clear();
      world.takeFromLimit = async (limit, key) => {
        if (limit !== "relationEventByPair") throw new Error(`the limit ${limit} is not expected here`);
        const nowMs = world.clock.nowMs();
        const endsAtMs = once.get(key) ?? 0;
        if (endsAtMs > nowMs) return Math.ceil((endsAtMs - nowMs) / 1_000);
        once.set(key, nowMs + 60_000);
        return null;
      };
    });
    afterEach(() => {
      world.takeFromLimit = async () => null;
    });

    test("pushes follows and unfollows at most once a minute, and then the current state", async () => {
      expect(limitRules.relationEventByPair.windows).toEqual([{ count: 1, windowSeconds: 60 }]);
      const [ana, bo] = await world.metPeople(2);
      await follow(bo, ana);
      await world.arrive(ana, bo);
      for (let round = 0; round < 5; round += 1) await follow(ana, bo);
      expect(world.tookSocial(ana)).toHaveLength(5);
      expect(world.tookSocial(bo)).toMatchObject([{ kind: "relation", followStatus: 2 }]);
      world.clock.advance(59_999);
      await follow(ana, bo);
      await world.social.idle();
      expect(world.tookSocial(bo)).toEqual([]);
      world.clock.advance(1);
      await world.social.idle();
      expect(world.tookSocial(bo)).toMatchObject([{ kind: "relation", followStatus: 1 }]);
      world.clock.advance(120_000);
      await world.social.idle();
      expect(world.tookSocial(bo)).toEqual([]);
      await follow(ana, bo);
      expect(world.tookSocial(bo)).toMatchObject([{ kind: "relation", followStatus: 2 }]);
    });

    test("pushes nothing later if one has blocked the other meanwhile", async () => {
      const [ana, bo] = await world.metPeople(2);
      await world.arrive(ana, bo);
      await follow(ana, bo);
      await follow(ana, bo);
      await world.social.block(bo, ana);
      world.bus.take(bo);
      world.clock.advance(60_000);
      await world.social.idle();
      expect(world.tookSocial(bo)).toEqual([]);
    });

    test("pushes mutual rematch requests at most once a minute", async () => {
      const [ana, bo] = await world.metPeople(2);
      await world.arrive(ana, bo);
      await world.social.sendRematchRequest(bo, ana, true);
      for (let round = 0; round < 3; round += 1)
        for (const on of [true, false]) await world.social.sendRematchRequest(ana, bo, on);
      expect(world.tookSocial(bo)).toMatchObject([{ kind: "meet", state: "both" }]);
      world.clock.advance(60_000);
      await world.social.sendRematchRequest(ana, bo, true);
      expect(world.tookSocial(bo)).toMatchObject([{ kind: "meet", state: "both" }]);
    });
  });

  test("[PEOPLE-3] notify the other pages of the user who likes, and never the liked user", async () => {
    const [ana, bo] = await world.metPeople(2);
    await world.arrive(ana, bo);
    await like(ana, bo);
    expect(world.tookSocial(ana)).toMatchObject([{ kind: "relation", userId: Number(bo), likeStatus: 1 }]);
    expect(world.bus.take(bo)).toEqual([]);
  });

  test("push simultaneous changes of both in order, ending with the truth", async () => {
    const [ana, bo] = await world.metPeople(2);
    await world.arrive(ana, bo);
    await Promise.all([follow(ana, bo), follow(bo, ana), follow(ana, bo), follow(bo, ana), follow(ana, bo)]);
    const cards = await world.social.cards(ana, [bo], "en");
    const told = world.tookSocial(ana);
    expect(told).toHaveLength(5);
    expect(told.at(-1)).toMatchObject({ followStatus: cards.get(bo)?.followStatus });
    expect((await world.rowsBetween("follows", [ana, bo])).length).toBe(1);
  });

  test("[PEOPLE-4] reject oneself, strangers, unknown and hidden users alike", async () => {
    const [ana, bo, cem] = await world.metPeople(3);
    const stranger = await world.person();
    await world.social.block(bo, ana);
    await world.delete(cem);
    for (const otherId of [stranger, 999_999n, bo, cem]) {
      await expect(follow(ana, otherId)).rejects.toMatchObject(refusals.notMet);
      await expect(like(ana, otherId, 1)).rejects.toMatchObject(refusals.notMet);
    }
    await expect(follow(ana, ana)).rejects.toMatchObject({ code: 400, data: { field: "followUserId" } });
    await expect(like(ana, ana)).rejects.toMatchObject({ code: 400, data: { field: "likeUserId" } });
    const foreign = world.handlers.follow(contextOf(ana), { userId: Number(bo), followUserId: Number(bo) });
    await expect(foreign).rejects.toMatchObject({ code: 400, data: { field: "userId" } });
  });

  test("reject one more than the limit with a reason, and accept it after a removal", async () => {
    const [ana, bo, cem] = await world.metPeople(3);
    await sql`
      with crowd as (
        insert into users (user_no, external_id, nickname, country_id)
        select (50000000 + n)::text, 'crowd-' || n, 'crowd', 18 from generate_series(1, ${relationsMax - 1}) as n
        returning id
      )
      insert into follows (user_id, other_id, at) select ${ana}, id, now() from crowd`.execute(world.database.db);
    expect(await follow(ana, bo)).toEqual({ followStatus: 1 });
    await expect(follow(ana, cem)).rejects.toMatchObject(refusals.tooMany);
    expect(await follow(ana, bo, 1)).toEqual({ followStatus: 1 });
    await follow(ana, bo, 0);
    expect(await follow(ana, cem)).toEqual({ followStatus: 1 });
  });
});

describe("a user's card", () => {
  test("contains the viewer's relation to the user, and presence of friends only", async () => {
    const [ana, bo, cem] = await world.metPeople(3);
    await world.friends(ana, bo);
    await world.social.like(ana, bo, true);
    await world.social.follow(cem, ana, true);
    await world.arrive(bo, cem);
    const cards = await world.social.cards(ana, [bo, cem, 999_999n], "tr");
    expect(cards.get(bo)).toEqual({
      user_id: Number(bo),
      externalId: await world.externalIdOf(bo),
      nickname: expect.stringContaining("person") as string,
      avatar: "",
      sex: 1,
      country_id: 18,
      country_name: "Amerika Birleşik Devletleri",
      country_flag: "/flags/US.svg",
      followStatus: 2,
      likeStatus: 1,
      presence: "online",
    });
    expect(cards.get(cem)).toMatchObject({ followStatus: 0, likeStatus: 0, presence: null });
    expect(cards.size).toBe(2);
  });

  test("[PEOPLE-7] can be opened after a call, from a list or conversation, and for the official account", async () => {
    const ana = await world.person();
    const { social } = world;
    const others = await Promise.all(Array.from({ length: 6 }, () => world.person()));
    const [met, long, followed, fan, liked, partner] = others as [bigint, bigint, bigint, bigint, bigint, bigint];
    const official = await world.person({ official: true });
    await world.call(ana, met, { live: false });
    await world.call(long, ana, { agoMs: 86_500_000 });
    const at = new Date();
    const { db } = world.database;
    await db
      .insertInto("follows")
      .values([
        { user_id: ana, other_id: followed, at },
        { user_id: fan, other_id: ana, at },
      ])
      .execute();
    await db.insertInto("likes").values({ user_id: ana, other_id: liked, at }).execute();
    await sql`
      with conversation as (
        insert into conversations (low_id, high_id, created_at) values (${ana}, ${partner}, now()) returning id
      ), message as (
        insert into messages (conversation_id, sender_id, client_id, kind, text, sent_at)
        select id, ${partner}, 'c', 'text', 'hello', now() from conversation returning id, conversation_id
      )
      insert into conversation_sides (user_id, other_id, conversation_id, last_message_id)
      select ${ana}, ${partner}, conversation_id, id from message`.execute(db);
    const known = [ana, met, followed, fan, liked, partner, official];
    for (const otherId of known) expect(await social.isKnown(ana, otherId)).toBe(true);
    for (const otherId of [long, await world.person(), 999_999n])
      expect(await social.isKnown(ana, otherId)).toBe(false);
    // A match without video lets the two open each other's profile, but does not count as a meeting.
    expect([await social.haveMet(ana, met), await social.haveMet(long, ana)]).toEqual([false, false]);
    await world.delete(followed);
    await social.block(fan, ana);
    expect([await social.isKnown(ana, followed), await social.isKnown(ana, fan)]).toEqual([false, false]);
    expect([await social.isHidden(ana, followed), await social.isHidden(ana, 999_999n)]).toEqual([true, true]);
  });

  test("[PEOPLE-7] is found by chat id, and hidden once the account is deleted", async () => {
    const [ana, bo] = await world.metPeople(2);
    const official = await world.person({ official: true });
    await world.delete(bo);
    const { social } = world;
    expect(await social.byExternalId(await world.externalIdOf(ana))).toEqual({ userId: ana, official: false });
    expect(await social.byExternalId(await world.externalIdOf(official))).toEqual({ userId: official, official: true });
    expect(await social.byExternalId(await world.externalIdOf(bo))).toEqual({ userId: bo, official: false });
    expect(await social.isKnown(ana, bo)).toBe(false);
    expect(await social.byExternalId("nobody")).toBeNull();
  });
});

test("is reported as gone to everybody with the user in a list or conversation", async () => {
  const [ana, bo, cem, dia] = await world.metPeople(4);
  await world.friends(ana, bo);
  await world.social.like(cem, ana, true);
  await world.arrive(ana, bo, cem, dia);
  world.unread.set(bo, 4);
  await world.delete(ana);
  await world.social.announceDeletion(ana);
  const hidden = { kind: "hidden", userId: Number(ana), externalId: await world.externalIdOf(ana) };
  expect(world.tookSocial(bo)).toEqual([{ ...hidden, unread_total: 4 }]);
  expect(world.tookSocial(cem)).toEqual([{ ...hidden, unread_total: 0 }]);
  expect(world.bus.take(dia)).toEqual([]);
  world.bus.close(ana, 1001);
  expect(world.bus.take(bo)).toEqual([]);
  expect((await world.social.cards(bo, [ana], "en")).size).toBe(0);
  expect(await world.social.friendIds(bo)).toEqual([]);
  expect(await world.social.areFriends(ana, bo)).toBe(false);
});
