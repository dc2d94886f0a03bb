import { beforeAll, expect, test } from "vitest";
import { aboutLengthMax, nicknameChangeMs } from "@fava/wire/limits.ts";
import type { LiveSession } from "#ports/handlers.ts";
import { callContext, refusalOf, sessionWorld, type SessionWorld } from "#test/fixtures/session-world.ts";
import { cleanLine, cleanParagraph } from "./profile-edits.ts";
import { profileHandlers } from "./profile-routes.ts";

let world: SessionWorld;
let calls: ReturnType<typeof profileHandlers>;

beforeAll(async () => {
  world = await sessionWorld();
  await world.seed();
  calls = profileHandlers(world.profiles);
});

type Edit = Omit<Parameters<typeof calls.userUpdate>[1], "user_id">;

const update = (session: LiveSession, edit: Edit) =>
  calls.userUpdate({ ...callContext(), session }, { user_id: Number(session.userId), ...edit });
const stored = (session: LiveSession) =>
  world.database.db.selectFrom("users").selectAll().where("id", "=", session.userId).executeTakeFirstOrThrow();

test("stores and returns about, location and searchability", async () => {
  const ana = await world.enter("ana");
  await expect(
    update(ana, { about: " Hello,\r\n\r\n\r\n\r\nI draw. ", location: " São  Paulo ", searchable: 0 }),
  ).resolves.toMatchObject({ about: "Hello,\n\nI draw.", location: "São Paulo", searchable: 0 });
  await expect(update(ana, { location: "" })).resolves.toMatchObject({ about: "Hello,\n\nI draw.", location: "" });
});

test("stores and returns whether friends may ring, which is the default", async () => {
  const ana = await world.enter("ana");
  await expect(update(ana, { location: "Izmir" })).resolves.toMatchObject({ ringable: 1 });
  await expect(update(ana, { ringable: 0 })).resolves.toMatchObject({ ringable: 0, location: "Izmir" });
  expect((await stored(ana)).ringable).toBe(false);
  await expect(update(ana, { ringable: 1 })).resolves.toMatchObject({ ringable: 1 });
});

test("[USER-21] rejects an about text that is empty after cleaning, and keeps the stored one", async () => {
  const bo = await world.enter("bo");
  await update(bo, { about: "I cook" });
  for (const about of ["  \n ", "\u202e\u200f"]) {
    expect(await refusalOf(update(bo, { about }))).toEqual({ code: 400, data: { field: "about" } });
  }
  expect((await stored(bo)).about).toBe("I cook");
});

test("rejects an invisible text, and keeps the stored one", async () => {
  const bo = await world.enter("bo");
  await update(bo, { about: "I cook", location: "Izmir" });
  for (const field of ["nickname", "about", "location"] as const) {
    for (const text of ["\u3164", "\u2800\u200b", "\u00ad", "\u{e0041}"]) {
      const refusal = { code: 406, data: { reason: "invisible_text", field } };
      expect(await refusalOf(update(bo, { [field]: text }))).toEqual(refusal);
    }
  }
  expect(await stored(bo)).toMatchObject({ nickname: "Bo", about: "I cook", location: "Izmir" });
});

test("keeps four combining marks per base in texts", async () => {
  const bo = await world.enter("bo");
  const [over, few] = [`x${"\u0323".repeat(30)}`, `x${"\u0323".repeat(4)}`];
  const texts = { about: few, location: few };
  await expect(update(bo, { about: over, location: over })).resolves.toMatchObject(texts);
});

test("reserves names of the site and its staff for the official account", async () => {
  const bo = await world.enter("bo");
  for (const nickname of ["Fava", "Fava Support", "M0derator", "Ѕuрроrt", "客服", "Yönetici"]) {
    const refusal = { code: 406, data: { reason: "name_reserved", field: "nickname" } };
    expect(await refusalOf(update(bo, { nickname }))).toEqual(refusal);
  }
  expect((await stored(bo)).nickname).toBe("Bo");
});

test("rejects a text that composition makes too long, instead of cutting it", async () => {
  const theo = await world.enter("theo");
  const growing = "\u0958".repeat(aboutLengthMax);
  expect(await refusalOf(update(theo, { about: growing }))).toEqual({ code: 400, data: { field: "about" } });
  await expect(update(theo, { about: "👋".repeat(aboutLengthMax / 2) })).resolves.toMatchObject({
    about: "👋".repeat(aboutLengthMax / 2),
  });
});

test("cleans a nickname, and allows another change after 30 days", async () => {
  const mira = await world.enter("mira");
  const changedMs = world.clock.nowMs();
  await expect(update(mira, { nickname: " Mira\u202e  M. " })).resolves.toMatchObject({
    nickname: "Mira M.",
    nickname_next: changedMs + nicknameChangeMs,
  });
  world.clock.advance(nicknameChangeMs - 1);
  expect(await refusalOf(update(mira, { nickname: "Miri" }))).toEqual({
    code: 406,
    data: { reason: "nickname_too_soon", until: changedMs + nicknameChangeMs },
  });
  world.clock.advance(1);
  await expect(update(mira, { nickname: "Miri" })).resolves.toMatchObject({ nickname: "Miri" });
  world.clock.advance(nicknameChangeMs);
  const again = await world.enter("mira");
  await expect(update(again, { about: "x" })).resolves.toMatchObject({ nickname_next: null });
});

test("treats the same nickname as no change, and rejects an empty one", async () => {
  const sam = await world.enter("sam");
  await expect(update(sam, { nickname: "Sam", about: "hi" })).resolves.toMatchObject({ nickname_next: null });
  expect(await refusalOf(update(sam, { nickname: "\u200f \u202e" }))).toEqual({
    code: 400,
    data: { field: "nickname" },
  });
});

test("stores one of two simultaneous nicknames", async () => {
  const lale = await world.enter("lale");
  const outcomes = await Promise.allSettled([update(lale, { nickname: "One" }), update(lale, { nickname: "Two" })]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("[USER-24] rejects texts with contact data with their places, and stores nothing of the request", async () => {
  const putri = await world.enter("putri");
  for (const field of ["nickname", "about", "location"] as const) {
    expect(await refusalOf(update(putri, { searchable: 0, [field]: "my forbidden words" }))).toMatchObject({
      code: 406,
      data: { reason: "personal_data", field },
    });
  }
  expect(await stored(putri)).toMatchObject({ nickname: "Putri", about: "", location: "", searchable: true });
});

test("stores edits and facts of one request together or not at all", async () => {
  const omar = await world.enter("omar");
  expect(await refusalOf(update(omar, { about: "hello", sex: 2 }))).toMatchObject({ code: 403 });
  expect((await stored(omar)).about).toBe("");
  expect(await refusalOf(update(omar, { about: "hello", avatar: "nothing" }))).toEqual({
    code: 400,
    data: { field: "avatar" },
  });
  expect((await stored(omar)).about).toBe("");
  const fresh = await world.enter("Fresh");
  await expect(update(fresh, { about: "hello", sex: 2 })).resolves.toMatchObject({ about: "hello", sex: 2 });
});

test("shows the new nickname in the next match", async () => {
  const kate = await world.enter("kate");
  await expect(world.profiles.remoteUser(kate.userId, "en")).resolves.toMatchObject({ nickname: "Kate" });
  await update(kate, { nickname: "Katie" });
  await expect(world.profiles.remoteUser(kate.userId, "en")).resolves.toMatchObject({ nickname: "Katie" });
});

test("shows a user their own profile as others see it", async () => {
  const noor = await world.enter("noor");
  await update(noor, { about: "I sail", location: "Dubai" });
  const userId = Number(noor.userId);
  await expect(calls.userInfo({ ...callContext(), session: noor }, { userId, otherId: userId })).resolves.toMatchObject(
    { about: "I sail", location: "Dubai", photos: [], can_message: "no", official: 0 },
  );
});

test("removes controls, direction marks and double spaces from a line; keeps breaks of a paragraph", () => {
  expect(cleanLine("a\u202eb\tc\n d\u0000\ud800")).toBe("ab c d");
  expect(cleanLine("e\u0301")).toBe("\u00e9");
  expect(cleanParagraph("a \r b\u2028c\n\n\n\nd\u0007")).toBe("a\nb\nc\n\nd");
});
