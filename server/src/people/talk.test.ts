import * as v from "valibot";
import { beforeAll, expect, test } from "vitest";
import { talkInfo, talkUpdate } from "@fava/wire/endpoints/talk.ts";
import type { LiveSession } from "#ports/handlers.ts";
import { limitRules, type Limits } from "#ports/rate-limits.ts";
import { callContext, refusalOf, sessionWorld, type SessionWorld } from "#test/fixtures/session-world.ts";
import { profileHandlers, talkHandlers } from "./profile-routes.ts";
import { TalkService } from "./talk-service.ts";

let world: SessionWorld;
let calls: ReturnType<typeof profileHandlers> & ReturnType<typeof talkHandlers>;

beforeAll(async () => {
  world = await sessionWorld();
  await world.seed();
  const { database, clock, profiles } = world;
  const talk = new TalkService({
    db: database.db,
    clock,
    limits: countedLimits(),
    forget: (userId) => profiles.forget(userId),
  });
  calls = { ...profileHandlers(profiles), ...talkHandlers(talk) };
});

/** Of each rule the first window, whose time never passes. */
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

/** As a form brings it. */
function update(session: LiveSession, fields: { languages?: string; interests?: string; prefer?: 0 | 1 }) {
  return calls.talkUpdate(as(session), v.parse(talkUpdate.input, { user_id: Number(session.userId), ...fields }));
}

/** Which field the schema of the call refuses; null: none. */
function refusedField(fields: object): string | null {
  const read = v.safeParse(talkUpdate.input, { user_id: 1, ...fields });
  return read.success ? null : String(read.issues[0].path?.[0]?.key);
}

test("[DATA-186] languages, interests and the preference are stored in the person's order; what is left out stays", async () => {
  const ana = await world.enter("ana");
  expect(await info(ana)).toEqual({ languages: [], interests: [], prefer: 1 });
  expect(await update(ana, { languages: "12,1" })).toEqual({ languages: [12, 1], interests: [], prefer: 1 });
  await update(ana, { interests: "7,0", prefer: 0 });
  expect(await info(ana)).toEqual({ languages: [12, 1], interests: [7, 0], prefer: 0 });
  expect(await update(ana, { languages: "1,12", interests: "" })).toEqual({
    languages: [1, 12],
    interests: [],
    prefer: 0,
  });
  expect(v.is(talkInfo.output, await info(ana))).toBe(true);
  expect((await world.profiles.matchFacts(ana.userId)).talk).toEqual({ languages: [1, 12], interests: [], prefer: 0 });
});

test("[TALK-3] what is unknown, comes twice or is too much is refused with its field, and nothing is stored", () => {
  const ids = (count: number) => Array.from(Array(count).keys()).join(",");
  expect([refusedField({ languages: ids(5) }), refusedField({ interests: ids(6) })]).toEqual([null, null]);
  expect([refusedField({ languages: "" }), refusedField({ interests: "" })]).toEqual([null, null]);
  for (const languages of ["63", "1,1", ids(6), "pt", "-1", "1,", "1.5"])
    expect([languages, refusedField({ languages })]).toEqual([languages, "languages"]);
  for (const interests of ["48", "7,7", ids(7), "chess"])
    expect([interests, refusedField({ interests })]).toEqual([interests, "interests"]);
  expect(refusedField({ prefer: "2" })).toBe("prefer");
});

test("[TALK-3] the database holds to the same numbers", async () => {
  const lale = await world.enter("lale");
  const store = (languages: number[], interests: number[]) =>
    world.database.db
      .insertInto("talk")
      .values({ user_id: lale.userId, languages, interests, prefer: true, changed_at: new Date(0) })
      .execute();
  await expect(store([0, 1, 2, 3, 4, 5], [])).rejects.toThrow("talk_languages_check");
  await expect(store([63], [])).rejects.toThrow("talk_languages_check");
  await expect(store([], [64])).rejects.toThrow("talk_interests_check");
  expect(await info(lale)).toEqual({ languages: [], interests: [], prefer: 1 });
});

test("[DATA-187] ten changes a day are stored, the eleventh is refused; what changes nothing does not count", async () => {
  const kim = await world.enter("kim");
  for (let change = 0; change < 10; change += 1) {
    await update(kim, { interests: String(change) });
    await update(kim, { interests: String(change), prefer: 1 });
  }
  expect(await refusalOf(update(kim, { interests: "20" }))).toMatchObject({ code: 429 });
  expect(await update(kim, { interests: "9" })).toEqual({ languages: [], interests: [9], prefer: 1 });
  expect(await info(kim)).toEqual({ languages: [], interests: [9], prefer: 1 });
});

test("[TALK-4] [TALK-5] others are told what both chose, in their own order, and nothing of the rest", async () => {
  const [mira, sam] = [await world.enter("mira"), await world.enter("sam")];
  await update(mira, { languages: "12,1,62", interests: "7,30,2" });
  await update(sam, { languages: "5,1,12", interests: "2,7" });
  const at = new Date(world.clock.nowMs());
  const pair = { offerer_id: mira.userId, answerer_id: sam.userId, offerer_price: 0, answerer_price: 0 };
  await world.database.db
    .insertInto("calls")
    .values({ id: "mira-sam", ...pair, matched_at: at })
    .execute();
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

test("[TALK-5] a sign language is told where both chose it, and to nobody else", async () => {
  const [noor, omar] = [await world.enter("noor"), await world.enter("omar")];
  await update(noor, { languages: "62,2" });
  await update(omar, { languages: "2" });
  const shared = async () => (await world.profiles.remoteUser(noor.userId, "en", omar.userId)).shared;
  expect(await shared()).toEqual({ languages: [2], interests: [] });
  await update(omar, { languages: "62" });
  expect(await shared()).toEqual({ languages: [62], interests: [] });
});

test("[TALK-5] without a word of who is told, and of oneself, nothing is shared", async () => {
  const theo = await world.enter("theo");
  await update(theo, { languages: "7" });
  const input = { userId: Number(theo.userId), otherId: Number(theo.userId) };
  expect((await calls.userInfo(as(theo), input)).shared).toBeUndefined();
  expect((await world.profiles.remoteUser(theo.userId, "fr")).shared).toBeUndefined();
});
