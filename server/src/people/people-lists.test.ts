import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { PeoplePage } from "@fava/wire/endpoints/social.ts";
import { listPageRows, recentMs } from "@fava/wire/limits.ts";
import { contextOf, refusals, SocialWorld } from "#test/fixtures/social-world.ts";

let world: SocialWorld;
beforeAll(async () => {
  world = await SocialWorld.open();
});

type ListCall = "followList" | "fansList" | "friendList" | "likeList";
const list = (call: ListCall, userId: bigint, cursor?: string): Promise<PeoplePage> =>
  world.handlers[call](contextOf(userId), { user_id: Number(userId), cursor });
const ids = (page: { rows: readonly { user_id: number }[] }) => page.rows.map(({ user_id }) => BigInt(user_id));
const numbers = (userIds: readonly bigint[]) => userIds.map(Number);

/** Users whom this one follows since the same moment, in the order of their ids. */
async function crowdOf(userId: bigint, count: number): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    with crowd as (
      insert into users (user_no, external_id, nickname, country_id)
      select (20000000 + ${userId}::bigint * 1000 + n)::text, 'crowd-' || ${userId}::text || '-' || n, 'crowd', 18
      from generate_series(1, ${count}::integer) as n returning id
    )
    insert into follows (user_id, other_id, at)
    select ${userId}, id, timestamptz '2026-01-01 00:00:00.123456+00' from crowd
    returning other_id as id`.execute(world.database.db);
  return rows.map(({ id }) => id).toSorted((one, other) => (one < other ? -1 : 1));
}

describe("lists of users", () => {
  test("list follows, fans, friends and likes newest first, with their total", async () => {
    const [ana, bo, cem, dia] = await world.metPeople(4);
    const { social, clock } = world;
    for (const [one, other] of [
      [ana, bo],
      [ana, cem],
      [dia, ana],
      [cem, ana],
      [bo, ana],
    ] as const) {
      await social.follow(one, other, true);
      clock.advance(1_000);
    }
    await social.like(ana, dia, true);
    const pageOf = async (call: ListCall) => {
      const { rows, total, next } = await list(call, ana);
      return [rows.map(({ user_id, followStatus }) => [user_id, followStatus]), total, next];
    };
    const [b, c, d] = numbers([bo, cem, dia]);
    expect(await pageOf("followList")).toEqual([
      [
        [c, 2],
        [b, 2],
      ],
      2,
      null,
    ]);
    expect(await pageOf("fansList")).toEqual([
      [
        [b, 2],
        [c, 2],
        [d, 0],
      ],
      3,
      null,
    ]);
    // The friendship with bo is younger than the one with cem, though ana followed cem last.
    expect(await pageOf("friendList")).toEqual([
      [
        [b, 2],
        [c, 2],
      ],
      2,
      null,
    ]);
    expect(await pageOf("likeList")).toEqual([[[d, 0]], 1, null]);
    expect(await list("likeList", bo)).toEqual({ rows: [], total: 0, next: null });
  });

  test("page without repeating or missing anybody, also with equal times and additions in between", async () => {
    const ana = await world.person();
    const crowd = await crowdOf(ana, 2 * listPageRows + 1);
    const first = await list("followList", ana);
    expect([first.total, first.rows.length]).toEqual([crowd.length, listPageRows]);
    const late = await world.person();
    await world.call(ana, late);
    await world.social.follow(ana, late, true);
    const second = await list("followList", ana, first.next ?? "");
    await world.social.follow(ana, crowd.at(-1) ?? 0n, false);
    const third = await list("followList", ana, second.next ?? "");
    expect([...ids(first), ...ids(second), ...ids(third)]).toEqual(crowd.slice(0, -1));
    expect([second.total, third.total, third.next]).toEqual([crowd.length + 1, crowd.length, null]);
  });

  test("reject an invalid cursor", async () => {
    const ana = await world.person();
    for (const cursor of ["1", "x".repeat(128), Buffer.from("1.2.3").toString("base64url"), "é"]) {
      await expect(list("fansList", ana, cursor)).rejects.toMatchObject({ code: 400, data: { field: "cursor" } });
    }
    await expect(
      world.handlers.fansList(contextOf(ana), { user_id: Number(ana) + 1, cursor: undefined }),
    ).rejects.toMatchObject({ code: 400, data: { field: "user_id" } });
  });

  test("[PEOPLE-22] omit a deleted user, who is back with everything after a restore", async () => {
    const [ana, bo, cem] = await world.metPeople(3);
    await world.friends(ana, bo);
    await world.friends(ana, cem);
    await world.social.like(ana, bo, true);
    await world.delete(bo);
    for (const call of ["followList", "fansList", "friendList"] as const) {
      expect(await list(call, ana)).toMatchObject({ rows: [{ user_id: Number(cem) }], total: 1 });
    }
    expect(await list("likeList", ana)).toMatchObject({ rows: [], total: 0 });
    const { db } = world.database;
    await db.updateTable("users").set({ deleted_at: null }).where("id", "=", bo).execute();
    expect(await list("friendList", ana)).toMatchObject({ total: 2 });
  });

  test("list blocked users with name and time, newest first", async () => {
    const [ana, bo, cem, dia] = await world.metPeople(4);
    await world.social.block(ana, bo);
    world.clock.advance(1_000);
    await world.social.block(ana, cem);
    await world.social.block(dia, ana);
    const at = world.clock.nowMs();
    const blocked = () => world.handlers.blockList(contextOf(ana), { user_id: Number(ana), cursor: undefined });
    expect(await blocked()).toEqual({
      rows: [
        { user_id: Number(cem), nickname: expect.any(String) as string, avatar: "", at },
        { user_id: Number(bo), nickname: expect.any(String) as string, avatar: "", at: at - 1_000 },
      ],
      next: null,
    });
    await world.social.unblock(ana, cem);
    await world.delete(bo);
    expect((await blocked()).rows).toMatchObject([{ user_id: Number(bo) }]);
  });
});

describe("recent users", () => {
  const recent = (userId: bigint, cursor?: string) =>
    world.handlers.recentList(contextOf(userId), { user_id: Number(userId), cursor });
  const meet = (userId: bigint, otherId: bigint, on: 0 | 1) =>
    world.handlers.meetAgain(contextOf(userId), { user_id: Number(userId), other_id: Number(otherId), on });

  test("lists users of connected calls of the last 24 hours once, newest first", async () => {
    const ana = await world.person();
    const people = await Promise.all(Array.from({ length: 6 }, () => world.person()));
    const [bo, cem, dia, early, unseen, blocked] = people as [bigint, bigint, bigint, bigint, bigint, bigint];
    await world.call(ana, bo, { agoMs: 3_600_000, seconds: 999 });
    await world.call(cem, ana, { agoMs: 1_800_000, seconds: 61 });
    const latest = await world.call(bo, ana, { agoMs: 60_000, seconds: 12 });
    await world.call(ana, dia, { agoMs: recentMs, seconds: 5 });
    await world.call(ana, early, { agoMs: recentMs + 1 });
    await world.call(ana, unseen, { live: false });
    await world.call(ana, blocked);
    await world.social.block(blocked, ana);
    const { rows, next } = await recent(ana);
    const met_at = world.clock.nowMs() - 60_000;
    expect(rows.map(({ person, seconds }) => [person.user_id, seconds])).toEqual([
      [Number(bo), 12],
      [Number(cem), 61],
      [Number(dia), 5],
    ]);
    expect(rows[0]).toMatchObject({ call_id: latest, met_at, until: met_at + recentMs, meet: "none" });
    expect(next).toBeNull();
    const only = async (other_id: number) =>
      (await world.handlers.recentList(contextOf(ana), { user_id: Number(ana), other_id, cursor: undefined })).rows;
    expect(await only(Number(bo))).toEqual(rows.slice(0, 1));
    expect(await only(Number(early))).toEqual([]);
    await world.delete(cem);
    expect((await recent(ana)).rows).toHaveLength(2);
    await world.call(cem, dia, { agoMs: 7_000, seconds: null });
    expect((await recent(dia)).rows[0]).toMatchObject({ person: { user_id: Number(ana) } });
    await world.call(bo, dia, { agoMs: 7_000, seconds: null });
    expect((await recent(dia)).rows[0]).toMatchObject({ seconds: 7 });
  });

  test("pages also where calls began at one moment", async () => {
    const ana = await world.person();
    const people = await Promise.all(Array.from({ length: listPageRows + 2 }, () => world.person()));
    for (const other of people) await world.call(ana, other);
    const first = await recent(ana);
    const second = await recent(ana, first.next ?? "");
    const seen = [...first.rows, ...second.rows].map(({ person }) => person.user_id);
    expect([first.rows.length, second.rows.length, second.next]).toEqual([listPageRows, 2, null]);
    expect(seen.toSorted((one, other) => one - other)).toEqual(numbers(people).toSorted((one, other) => one - other));
  });

  test("[PEOPLE-31] keeps a rematch request secret until both have sent one, then notifies both once", async () => {
    const [ana, bo] = await world.metPeople(2);
    await world.arrive(ana, bo);
    const stateFor = async (userId: bigint) => (await recent(userId)).rows[0]?.meet;
    expect(await meet(ana, bo, 1)).toEqual({ meet: "asked" });
    expect([await stateFor(ana), await stateFor(bo)]).toEqual(["asked", "none"]);
    expect([world.bus.take(ana), world.bus.take(bo)]).toEqual([[], []]);
    expect(await meet(bo, ana, 1)).toEqual({ meet: "both" });
    expect([await stateFor(ana), await stateFor(bo)]).toEqual(["both", "both"]);
    const both = { kind: "meet", state: "both", avatar: "" };
    expect(world.tookSocial(ana)).toMatchObject([{ ...both, userId: Number(bo), nickname: expect.any(String) }]);
    expect(world.tookSocial(bo)).toMatchObject([{ ...both, userId: Number(ana) }]);
    expect(await meet(ana, bo, 1)).toEqual({ meet: "both" });
    expect(await meet(ana, bo, 0)).toEqual({ meet: "none" });
    expect([await stateFor(ana), await stateFor(bo)]).toEqual(["none", "asked"]);
    expect([world.bus.take(ana), world.bus.take(bo)]).toEqual([[], []]);
  });

  test("[PEOPLE-31] notifies both once when both send one at the same moment", async () => {
    const [ana, bo] = await world.metPeople(2);
    await world.arrive(ana, bo);
    await Promise.all([meet(ana, bo, 1), meet(bo, ana, 1)]);
    expect([world.tookSocial(ana).length, world.tookSocial(bo).length]).toEqual([1, 1]);
  });

  test("[PEOPLE-31] accepts only users seen in a call of the last 24 hours, and expires then", async () => {
    const [ana, bo] = await world.metPeople(2);
    const unseen = await world.person();
    await world.call(ana, unseen, { live: false });
    await expect(meet(ana, unseen, 1)).rejects.toMatchObject(refusals.notMet);
    await expect(meet(ana, await world.person(), 1)).rejects.toMatchObject(refusals.notMet);
    await expect(meet(ana, ana, 1)).rejects.toMatchObject({ code: 400 });
    await meet(ana, bo, 1);
    world.clock.advance(recentMs + 1);
    await expect(meet(bo, ana, 1)).rejects.toMatchObject(refusals.notMet);
    await world.call(ana, bo);
    // The request of the day before has expired.
    expect(await meet(bo, ana, 1)).toEqual({ meet: "asked" });
    expect(await world.social.bothRequested(ana, bo)).toBe(false);
    expect(await meet(ana, bo, 1)).toEqual({ meet: "both" });
    expect(await world.social.bothRequested(ana, bo)).toBe(true);
    await world.social.markFulfilled(bo, ana);
    expect(await world.rowsBetween("meet_wishes", [ana, bo])).toEqual([]);
  });
});
