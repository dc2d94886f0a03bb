import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { roles } from "@fava/wire/people.ts";
import { DeskService } from "#moderation/desk-service.ts";
import type { LiveSession } from "#ports/handlers.ts";
import { callContext, refusalOf, sessionWorld, type SessionWorld } from "#test/fixtures/session-world.ts";
import { profileHandlers } from "./profile-routes.ts";

let world: SessionWorld;
let zoe: LiveSession;

beforeEach(async () => {
  world = await sessionWorld();
  zoe = await world.enter("Zoë");
});

afterEach(async () => {
  await world.database[Symbol.asyncDispose]();
});

const given = (day: string) => ({ birthday: day, birth_year: Number(day.slice(0, 4)) });

function update(input: { birthday?: string; birth_year?: number; sex?: 1 | 2 }, session = zoe) {
  const calls = profileHandlers(world.profiles);
  return calls.userUpdate({ ...callContext(), session }, { user_id: Number(session.userId), ...input });
}

const stored = () =>
  world.database.db.selectFrom("users").selectAll().where("id", "=", zoe.userId).executeTakeFirstOrThrow();
const refusals = () => world.database.db.selectFrom("age_refusals").selectAll().execute();

/** The tables in which a user's sign-in or profile could leave a birthday, as text. */
async function everythingStored(): Promise<string> {
  const { db } = world.database;
  const tables = ["users", "identities", "age_refusals", "bans", "sessions", "login_events", "match_filters"] as const;
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

test("[AGE-1] stores an adult's birthday and returns it", async () => {
  await expect(update(given("2008-01-01"))).resolves.toMatchObject({ birthday: "2008-01-01", birth_year: 2008 });
  expect((await stored()).birthday).toBe("2008-01-01");
  expect(await refusals()).toEqual([]);
});

test("[AGE-1] rejects a user who is one day too young, by the full date in UTC", async () => {
  expect(await refusalOf(update(given("2008-01-02")))).toEqual({
    code: 403,
    data: { reason: "under_age", try_again_on: "2026-01-02" },
  });
});

test("[AGE-6] keeps of an underage user only a keyed hash and the day", async () => {
  await refusalOf(update({ ...given("2010-07-13"), sex: 2 }));
  expect(await refusals()).toEqual([
    { identity_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string, try_again_on: "2028-07-13" },
  ]);
  expect(await stored()).toMatchObject({ birthday: null, sex: 0 });
  expect(await everythingStored()).not.toContain("2010");
});

test("[AGE-6] computes another hash without the server's secret", async () => {
  await refusalOf(update(given("2010-07-13")));
  const { thirdPartyId } = await world.profiles.mine(zoe, "en");
  for (const text of [thirdPartyId, `1:${thirdPartyId}`, `age/v1\x00\x31\x00${thirdPartyId}`]) {
    const plain = createHash("sha256").update(text).digest("hex");
    expect((await refusals()).map(({ identity_hash }) => identity_hash)).not.toContain(plain);
  }
});

test("[AGE-7] rejects another date and a new sign-in until the day has come", async () => {
  const refused = await refusalOf(update(given("2008-01-11")));
  expect(refused.data).toEqual({ reason: "under_age", try_again_on: "2026-01-11" });
  expect(await refusalOf(update(given("1990-01-01")))).toEqual(refused);
  const again = await world.enter("Zoë");
  expect(await refusalOf(update(given("1990-01-01"), again))).toEqual(refused);
  expect(await refusalOf(update({ sex: 2 }, again))).toEqual(refused);
  await expect(world.profiles.mine(again, "en")).resolves.toMatchObject({
    age_try_again: "2026-01-11",
    profile_complete: false,
  });
  world.clock.advance(10 * 86_400_000);
  await expect(update(given("2008-01-11"), again)).resolves.toMatchObject({
    birthday: "2008-01-11",
    age_try_again: null,
  });
  expect(await refusals()).toEqual([]);
});

test("[AGE-7] rejects an underage date again after the day has come", async () => {
  await refusalOf(update(given("2008-01-11")));
  world.clock.advance(10 * 86_400_000);
  expect((await refusalOf(update(given("2009-01-11")))).data).toEqual({
    reason: "under_age",
    try_again_on: "2027-01-11",
  });
  expect(await refusals()).toHaveLength(1);
});

test("lets an administrator, but no moderator, clear a birthday or a refusal for age, and the user enter another", async () => {
  const desk = new DeskService({
    db: world.database.db,
    clock: world.clock,
    profiles: world.profiles,
    images: world.images,
    profileChanged: (userId) => world.profiles.forget(userId),
    refreshSession: (userId) => world.sessions.refresh(userId),
    moderation: { open: () => Promise.reject(new Error("no case is opened here")) },
  });
  const deskOf = async (who: string, role: number) => ({
    userId: (await world.enter(who)).userId,
    role,
    language: "en",
  });
  const mistyped = given("2010-07-13");
  const other = await world.enter("Young");
  await refusalOf(update(mistyped));
  await refusalOf(update(mistyped, other));
  const reset = { field: "birthday", note: "shown a passport" } as const;
  const byModerator = desk.reset(await deskOf("mia", roles.moderator), zoe.userId, reset);
  expect(await refusalOf(byModerator)).toEqual({ code: 403, data: { reason: "role" } });
  expect((await refusalOf(update(given("1990-01-01")))).code).toBe(403);
  await desk.reset(await deskOf("Ada", roles.administrator), zoe.userId, reset);
  expect(await world.profiles.mine(zoe, "en")).toMatchObject({ age_try_again: null });
  await expect(update(given("1990-01-01"))).resolves.toMatchObject({ birthday: "1990-01-01", age_try_again: null });
  expect((await refusalOf(update(given("1990-01-01"), other))).code).toBe(403);
});

test.each([
  ["the year alone", { birth_year: 1990 }],
  ["the date without its year", { birthday: "1990-01-01" }],
  ["a year that is not the date's", { birthday: "1990-01-01", birth_year: 1991 }],
  ["29 February of a common year", { birthday: "2001-02-29", birth_year: 2001 }],
  ["a month that does not exist", { birthday: "2001-13-01", birth_year: 2001 }],
  ["words", { birthday: "yesterday!", birth_year: 2001 }],
  ["nothing", {}],
])("rejects %s and changes nothing", async (_what, input) => {
  expect((await refusalOf(update(input))).code).toBe(400);
  expect(await stored()).toMatchObject({ birthday: null, sex: 0 });
  expect(await refusals()).toEqual([]);
});

test("[AGE-1] treats a birthday on 29 February as reached on 1 March of a common year", async () => {
  await expect(update(given("2004-02-29"))).resolves.toMatchObject({ birthday: "2004-02-29" });
  const leap = await world.enter("Leap");
  expect((await refusalOf(update(given("2008-02-29"), leap))).data).toEqual({
    reason: "under_age",
    try_again_on: "2026-03-01",
  });
  world.clock.advance(58 * 86_400_000);
  expect((await refusalOf(update(given("2008-02-29"), leap))).code).toBe(403);
  world.clock.advance(86_400_000);
  await expect(update(given("2008-02-29"), leap)).resolves.toMatchObject({ birthday: "2008-02-29" });
});

test("[AGE-5] stores birthday and gender once and for good", async () => {
  await update({ ...given("1990-01-01"), sex: 2 });
  expect(await refusalOf(update(given("1991-01-01")))).toEqual({
    code: 403,
    data: { reason: "already_set", field: "birthday" },
  });
  expect(await refusalOf(update({ sex: 1 }))).toEqual({ code: 403, data: { reason: "already_set", field: "sex" } });
  expect(await stored()).toMatchObject({ birthday: "1990-01-01", sex: 2 });
});

test("[AGE-5] stores one of two simultaneous birthdays", async () => {
  const outcomes = await Promise.allSettled([update({ sex: 1 }), update({ sex: 2 })]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("updates the session as soon as the profile is complete", async () => {
  const { token } = await world.login("Zoë");
  const found = await world.sessions.authenticate(token);
  if (found.kind !== "live") throw new Error("no session");
  const { session } = found;
  expect(session.profileComplete).toBe(false);
  await update({ ...given("1990-01-01"), sex: 1 }, session);
  await expect(world.sessions.authenticate(token)).resolves.toMatchObject({ session: { profileComplete: true } });
});
