import * as v from "valibot";
import { beforeAll, expect, test } from "vitest";
import { talkInfo, talkUpdate } from "@fava/wire/endpoints/talk.ts";
import type { LiveSession } from "#ports/handlers.ts";
import { limitRules, type Limits } from "#ports/rate-limits.ts";
import { callContext, refusalOf, sessionWorld, type SessionWorld } from "#test/fixtures/session-world.ts";
import { profileHandlers, talkHandlers } from "./profile-routes.ts";
import { TalkService } from "./talk-service.ts";
import { storeCall } from "#test/fixtures/stored-calls.ts";

let world: SessionWorld;
let calls: ReturnType<typeof profileHandlers> & ReturnType<typeof talkHandlers>;

beforeAll(async () => {
  world = await sessionWorld();
  await world.seed();
  const { profiles } = world;
  const talk = talkWith(3);
  calls = { ...profileHandlers(profiles), ...talkHandlers(talk) };
});

function talkWith(excludedCountriesMax: number): TalkService {
  const { database, clock, profiles } = world;
  const forget = (userId: bigint) => profiles.forget(userId);
  return new TalkService({
    db: database.db,
    clock,
    limits: countedLimits(),
    settings: { excludedCountriesMax },
    forget,
  });
}

/** Counts against each limit in one window that never ends. */
function countedLimits(): Limits {
  const counts = new Map<string, number>();
  return {
    take: async (limit, key) => {
      const count = (counts.get(`${limit} ${key}`) ?? 0) + 1;
      counts.set(`${limit} ${key}`, count);
      return count > limitRules[limit].windows[0].count ? 60 : null;
    },
    waitSeconds: async () => null,
  };
}

const as = (session: LiveSession) => ({ ...callContext(), session });
const info = (session: LiveSession) => calls.talkInfo(as(session), { user_id: Number(session.userId) });

function update(
  session: LiveSession,
  fields: { languages?: string; interests?: string; prefer?: 0 | 1; leaves_out?: string },
) {
  return calls.talkUpdate(as(session), v.parse(talkUpdate.input, { user_id: Number(session.userId), ...fields }));
}

function refusedField(fields: object): string | null {
  const read = v.safeParse(talkUpdate.input, { user_id: 1, ...fields });
  return read.success ? null : String(read.issues[0].path?.[0]?.key);
}

test("stores languages, interests and the preference in the user's order; keeps what is not given", async () => {
  const ana = await world.enter("ana");
  const none = { leaves_out: [], leaves_out_max: 3 };
  expect(await info(ana)).toEqual({ languages: [], interests: [], prefer: 1, ...none });
  expect(await update(ana, { languages: "12,1" })).toEqual({ languages: [12, 1], interests: [], prefer: 1, ...none });
  await update(ana, { interests: "7,0", prefer: 0 });
  expect(await info(ana)).toEqual({ languages: [12, 1], interests: [7, 0], prefer: 0, ...none });
  expect(await update(ana, { languages: "1,12", interests: "" })).toEqual({
    languages: [1, 12],
    interests: [],
    prefer: 0,
    ...none,
  });
  expect(v.is(talkInfo.output, await info(ana))).toBe(true);
  expect((await world.profiles.matchFacts(ana.userId)).talk).toEqual({ languages: [1, 12], interests: [], prefer: 0 });
});

test("rejects unknown, repeated and too many values with their field, and stores nothing", () => {
  const ids = (count: number) => Array.from(Array(count).keys()).join(",");
  expect([refusedField({ languages: ids(5) }), refusedField({ interests: ids(6) })]).toEqual([null, null]);
  expect([refusedField({ languages: "" }), refusedField({ interests: "" })]).toEqual([null, null]);
  for (const languages of ["63", "1,1", ids(6), "pt", "-1", "1,", "1.5"])
    expect([languages, refusedField({ languages })]).toEqual([languages, "languages"]);
  for (const interests of ["48", "7,7", ids(7), "chess"])
    expect([interests, refusedField({ interests })]).toEqual([interests, "interests"]);
  expect(refusedField({ prefer: "2" })).toBe("prefer");
});

test("enforces the same limits in the database", async () => {
  const lale = await world.enter("lale");
  const store = (languages: number[], interests: number[]) =>
    world.database.db
      .insertInto("talk")
      .values({ user_id: lale.userId, languages, interests, prefer: true, changed_at: new Date(0) })
      .execute();
  await expect(store([0, 1, 2, 3, 4, 5], [])).rejects.toThrow("talk_languages_check");
  await expect(store([63], [])).rejects.toThrow("talk_languages_check");
  await expect(store([], [64])).rejects.toThrow("talk_interests_check");
  expect(await info(lale)).toMatchObject({ languages: [], interests: [], prefer: 1 });
});

test("stores ten changes a day and rejects the eleventh; does not count updates without a change", async () => {
  const kim = await world.enter("kim");
  for (let change = 0; change < 10; change += 1) {
    await update(kim, { interests: String(change) });
    await update(kim, { interests: String(change), prefer: 1 });
  }
  expect(await refusalOf(update(kim, { interests: "20" }))).toMatchObject({ code: 429 });
  expect(await update(kim, { interests: "9" })).toMatchObject({ languages: [], interests: [9], prefer: 1 });
  expect(await info(kim)).toMatchObject({ languages: [], interests: [9], prefer: 1 });
});

test("[TALK-4] shows partners what both chose, in their own order, and nothing else", async () => {
  const [mira, sam] = [await world.enter("mira"), await world.enter("sam")];
  await update(mira, { languages: "12,1,62", interests: "7,30,2" });
  await update(sam, { languages: "5,1,12", interests: "2,7" });
  const at = new Date(world.clock.nowMs());
  await storeCall(world.database.db, { offerer_id: mira.userId, answerer_id: sam.userId, matched_at: at });
  const seen = async (viewer: LiveSession, other: LiveSession) => {
    const input = { userId: Number(viewer.userId), otherId: Number(other.userId) };
    const told = [
      await world.profiles.remoteUser(other.userId, "en", viewer.userId),
      await calls.userInfo(as(viewer), input),
    ];
    expect(JSON.stringify(told)).not.toMatch(/"(prefer|talk)"/);
    return told.map(({ shared }) => shared);
  };
  const sams = { languages: [1, 12], interests: [2, 7] };
  expect(await seen(sam, mira)).toEqual([sams, sams]);
  const miras = { languages: [12, 1], interests: [7, 2] };
  expect(await seen(mira, sam)).toEqual([miras, miras]);
  await update(sam, { languages: "5", interests: "" });
  expect(await seen(mira, sam)).toEqual([undefined, undefined]);
});

test("shows a sign language only if both chose it", async () => {
  const [noor, omar] = [await world.enter("noor"), await world.enter("omar")];
  await update(noor, { languages: "62,2" });
  await update(omar, { languages: "2" });
  const shared = async () => (await world.profiles.remoteUser(noor.userId, "en", omar.userId)).shared;
  expect(await shared()).toEqual({ languages: [2], interests: [] });
  await update(omar, { languages: "62" });
  expect(await shared()).toEqual({ languages: [62], interests: [] });
});

test("shares nothing without a viewer, and with oneself", async () => {
  const theo = await world.enter("theo");
  await update(theo, { languages: "7" });
  const input = { userId: Number(theo.userId), otherId: Number(theo.userId) };
  expect((await calls.userInfo(as(theo), input)).shared).toBeUndefined();
  expect((await world.profiles.remoteUser(theo.userId, "fr")).shared).toBeUndefined();
});

test("accepts as many left-out countries as the site allows, once each; rejects others with the field", async () => {
  const noor = await world.enter("noor");
  expect(await update(noor, { leaves_out: "18,1,250" })).toMatchObject({ leaves_out: [18, 1, 250], leaves_out_max: 3 });
  expect((await world.profiles.matchFacts(noor.userId)).leavesOut).toEqual([18, 1, 250]);
  for (const leaves_out of ["1,2,3,4", "0", "251", "511"])
    expect(await refusalOf(update(noor, { leaves_out }))).toEqual({ code: 400, data: { field: "leaves_out" } });
  for (const leaves_out of ["1,1", "US", "512", "-1", "1,2,3,4,5,6"])
    expect([leaves_out, refusedField({ leaves_out })]).toEqual([leaves_out, "leaves_out"]);
  expect((await info(noor)).leaves_out).toEqual([18, 1, 250]);
  expect((await update(noor, { leaves_out: "" })).leaves_out).toEqual([]);
});

test("applies the first left-out countries when the limit shrinks; none at zero", async () => {
  const omar = await world.enter("omar");
  await update(omar, { leaves_out: "3,2,1" });
  expect(await talkWith(2).mine(omar.userId)).toMatchObject({ leaves_out: [3, 2], leaves_out_max: 2 });
  const without = talkWith(0);
  expect(await without.mine(omar.userId)).toMatchObject({ leaves_out: [], leaves_out_max: 0 });
  expect(await refusalOf(without.update(omar.userId, { leaves_out: [1] }))).toMatchObject({ code: 400 });
  await without.update(omar.userId, { prefer: 0 });
  expect((await info(omar)).leaves_out).toEqual([3, 2, 1]);
});

test("enforces five countries in the database", async () => {
  const theo = await world.enter("theo");
  const store = (leaves_out: number[]) =>
    world.database.db
      .insertInto("talk")
      .values({ user_id: theo.userId, languages: [], interests: [], prefer: true, leaves_out, changed_at: new Date(0) })
      .execute();
  for (const wrong of [[1, 2, 3, 4, 5, 6], [0], [512]]) await expect(store(wrong)).rejects.toThrow("leaves_out_check");
});

test("does not store a left-out country as a filter", async () => {
  const lale = await world.enter("lale");
  await update(lale, { leaves_out: "18" });
  const report = (country: number) =>
    calls.active(as(lale), { user_id: Number(lale.userId), type: 3, sex: 0, country });
  expect(await refusalOf(report(18))).toEqual({ code: 400, data: { field: "country" } });
  expect(await report(19)).toEqual({});
});

test("[TALK-63] answers a left-out user byte for byte as before", async () => {
  const [mira, sam] = [await world.enter("mira"), await world.enter("sam")];
  const answers = async () => {
    const input = { userId: Number(sam.userId), otherId: Number(mira.userId) };
    return JSON.stringify([
      await world.profiles.remoteUser(mira.userId, "en", sam.userId),
      await calls.userInfo(as(sam), input),
      await calls.myInfo(as(sam), { user_id: Number(sam.userId) }),
      await info(sam),
    ]);
  };
  const before = await answers();
  const { countryId } = await world.profiles.matchFacts(sam.userId);
  await update(mira, { leaves_out: String(countryId) });
  expect(await answers()).toBe(before);
});
