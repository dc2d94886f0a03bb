import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { LiveSession } from "#ports/handlers.ts";
import { callContext, refusalOf, sessionWorld, type SessionWorld } from "#test/fixtures/session-world.ts";
import { profileHandlers } from "./profile-routes.ts";
import { storeCall } from "#test/fixtures/stored-calls.ts";

let world: SessionWorld;
let calls: ReturnType<typeof profileHandlers>;

beforeAll(async () => {
  world = await sessionWorld();
  await world.seed();
  calls = profileHandlers(world.profiles);
});

const as = (session: LiveSession, language = "en") => ({ ...callContext({ language }), session });

async function meet(one: LiveSession, other: LiveSession): Promise<void> {
  const at = new Date(world.clock.nowMs());
  const people = { offerer_id: one.userId, answerer_id: other.userId };
  await storeCall(world.database.db, { ...people, matched_at: at });
}

describe("own data", () => {
  test("[PRIV-1] shows the owner every field of the specification, including private ones", async () => {
    const ana = await world.enter("ana", { ip: "203.0.113.7" });
    const mine = await calls.myInfo(as(ana, "tr"), { user_id: Number(ana.userId) });
    expect(mine).toEqual({
      id: Number(ana.userId),
      user_id: Number(ana.userId),
      user_no: "10000001",
      nickname: "Ana",
      sex: 2,
      role: 0,
      birthday: "1998-04-17",
      birth_year: 1998,
      credit5: 0,
      language: "en",
      accountType: 1,
      country: "TR",
      country_id: expect.any(Number) as number,
      country_name: "Türkiye",
      country_flag: "/flags/TR.svg",
      avatar: expect.stringMatching(/^\/media\/avatars\/[0-9a-f]{64}\.webp$/) as string,
      createTime: "2026-01-01T00:00:00.000Z",
      loginTime: "2026-01-01T00:00:00.000Z",
      externalId: ana.externalId,
      loginIp: "203.0.113.7",
      imei: "device-1",
      thirdPartyId: "google-ana",
      profile_complete: true,
      age_try_again: null,
      tencent_sign: expect.any(String) as string,
      about: "",
      location: "",
      nickname_next: null,
      searchable: 1,
      ringable: 1,
    });
    await expect(world.sessions.verifyChatSign(ana.externalId, mine.tencent_sign)).resolves.toMatchObject({
      id: ana.id,
    });
  });

  test("[SIGN-13] rejects a user id that is not the caller's in every request that names one", async () => {
    const [ana, bo] = [await world.enter("ana"), await world.enter("bo")];
    const other = Number(bo.userId);
    const answers = await Promise.all([
      refusalOf(calls.myInfo(as(ana), { user_id: other })),
      refusalOf(calls.userUpdate(as(ana), { user_id: other, sex: 1 })),
      refusalOf(calls.active(as(ana), { user_id: other, type: 1 })),
      refusalOf(calls.userInfo(as(ana), { userId: other, otherId: other })),
    ]);
    expect(answers.map(({ code }) => code)).toEqual([400, 400, 400, 400]);
  });
});

describe("other people", () => {
  test("[PRIV-2] rejects a user never met exactly like an unknown one", async () => {
    const [kate, omar] = [await world.enter("kate"), await world.enter("omar")];
    const userId = Number(kate.userId);
    const stranger = await refusalOf(calls.userInfo(as(kate), { userId, otherId: Number(omar.userId) }));
    expect(stranger).toEqual({ code: 403, data: { reason: "not_met" } });
    expect(await refusalOf(calls.userInfo(as(kate), { userId, otherId: 999_999_999 }))).toEqual(stranger);
    expect(await refusalOf(calls.getUserId(as(kate), { externalId: omar.externalId }))).toEqual(stranger);
    expect(await refusalOf(calls.getUserId(as(kate), { externalId: "nobody" }))).toEqual(stranger);
  });

  test("[PRIV-1] shows users who met each other's card for a day, without private fields", async () => {
    const [lale, sam] = [await world.enter("lale"), await world.enter("sam")];
    await meet(lale, sam);
    for (const [one, other] of [
      [lale, sam],
      [sam, lale],
    ] as const) {
      const input = { userId: Number(one.userId), otherId: Number(other.userId) };
      const card = await calls.userInfo(as(one), input);
      expect(Object.keys(card).toSorted()).toEqual([
        "about",
        "avatar",
        "can_message",
        "country_flag",
        "country_id",
        "country_name",
        "externalId",
        "followStatus",
        "likeStatus",
        "location",
        "nickname",
        "official",
        "photos",
        "presence",
        "sex",
        "user_id",
        "user_no",
      ]);
      expect(JSON.stringify(card)).not.toMatch(/device-1|127\.0\.0\.1|google-/);
      await expect(calls.getUserId(as(one), { externalId: other.externalId })).resolves.toBe(Number(other.userId));
    }
    world.clock.advance(86_400_001);
    expect(await refusalOf(calls.getUserId(as(lale), { externalId: sam.externalId }))).toMatchObject({ code: 403 });
  });

  test("[PRIV-1] sends a match the partner's public facts and nothing else", async () => {
    const mira = await world.enter("mira");
    const remote = await world.profiles.remoteUser(mira.userId, "ar");
    expect(remote).toEqual({
      user_id: Number(mira.userId),
      external_id: mira.externalId,
      nickname: "Mira",
      sex: 2,
      avatar: expect.stringContaining("/media/avatars/") as string,
      country_id: expect.any(Number) as number,
      country_name: "اليابان",
      country_flag: "/flags/JP.svg",
    });
  });

  test("always shows one's own card and id", async () => {
    const mira = await world.enter("mira");
    const userId = Number(mira.userId);
    await expect(calls.userInfo(as(mira), { userId, otherId: userId })).resolves.toMatchObject({ nickname: "Mira" });
    await expect(calls.getUserId(as(mira), { externalId: mira.externalId })).resolves.toBe(userId);
  });
});

describe("data report", () => {
  const wishes = (userId: bigint) =>
    world.database.db.selectFrom("match_filters").select(["sex", "country"]).where("user_id", "=", userId).execute();

  test("stores the last chosen filters by type 3", async () => {
    const bo = await world.enter("bo");
    const user_id = Number(bo.userId);
    await calls.active(as(bo), { user_id, type: 3, sex: 2, country: -1 });
    await calls.active(as(bo), { user_id, type: 3, sex: 0, country: 18 });
    await expect(wishes(bo.userId)).resolves.toEqual([{ sex: 0, country: 18 }]);
  });

  test("changes nothing for an unknown country, or without filters", async () => {
    const theo = await world.enter("theo");
    const user_id = Number(theo.userId);
    expect(await refusalOf(calls.active(as(theo), { user_id, type: 3, sex: 0, country: 9_999 }))).toMatchObject({
      code: 400,
    });
    expect(await refusalOf(calls.active(as(theo), { user_id, type: 3, sex: 0 }))).toMatchObject({ code: 400 });
    await calls.active(as(theo), { user_id, type: 1 });
    await calls.active(as(theo), { user_id, type: 2 });
    await calls.active(as(theo), { user_id, type: 3 });
    await expect(wishes(theo.userId)).resolves.toEqual([]);
  });
});

describe("facts for the matcher", () => {
  let session: LiveSession;

  beforeEach(async () => {
    session = await world.enter(`Fresh ${world.clock.monotonicMs()}`);
    world.clock.advance(1);
  });

  test("are complete once both birthday and gender are stored", async () => {
    const user_id = Number(session.userId);
    await expect(world.profiles.matchFacts(session.userId)).resolves.toMatchObject({ complete: false });
    await calls.userUpdate(as(session), { user_id, sex: 2 });
    await expect(world.profiles.matchFacts(session.userId)).resolves.toMatchObject({ complete: false });
    await calls.userUpdate(as(session), { user_id, birthday: "1990-01-01", birth_year: 1990 });
    await expect(world.profiles.matchFacts(session.userId)).resolves.toMatchObject({
      complete: true,
      sex: 2,
      countryId: 18,
    });
  });

  test("are not cached if they changed while they were read", async () => {
    const { database, profiles } = world;
    const { userId } = session;
    const early = profiles.matchFacts(userId);
    profiles.forget(userId);
    await expect(early).resolves.toMatchObject({ complete: false });
    const { db } = database;
    await db.updateTable("users").set({ sex: 2, birthday: "1990-01-01" }).where("id", "=", userId).execute();
    await expect(profiles.matchFacts(userId)).resolves.toMatchObject({ complete: true, sex: 2 });
  });
});
