import { beforeAll, beforeEach, expect, test } from "vitest";
import { refusalOf, sessionWorld, type SessionWorld } from "#test/fixtures/session-world.ts";
import { sessionHandlers } from "./session-routes.ts";

const dayMs = 86_400_000;
let world: SessionWorld;

beforeAll(async () => {
  world = await sessionWorld();
});

beforeEach(() => {
  world.ended.length = 0;
});

/** Counts the statements that `work` sends. Each statement takes a pool connection of its own. */
async function statements(work: () => Promise<unknown>): Promise<number> {
  const { pool } = world.database;
  const query = pool.connect.bind(pool);
  let count = 0;
  pool.connect = ((...parameters: Parameters<typeof query>) => {
    count += 1;
    return query(...parameters);
  }) as typeof pool.connect;
  await work();
  pool.connect = query;
  return count;
}

test("[SIGNIN-75] reports an unknown token as expired", async () => {
  await expect(world.sessions.authenticate("never handed out")).resolves.toMatchObject({
    kind: "ended",
    reason: "expired",
  });
});

test("reads a session in use without a query for a minute, then stores when it was seen", async () => {
  const { token, user } = await world.login("Busy");
  await world.sessions.authenticate(token);
  expect(await statements(() => world.sessions.authenticate(token))).toBe(0);
  world.clock.advance(60_000);
  expect(await statements(() => world.sessions.authenticate(token))).toBeGreaterThan(0);
  const row = await world.database.db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", user.id)
    .executeTakeFirstOrThrow();
  expect(row.last_seen_at.getTime()).toBe(world.clock.nowMs());
  expect(row.expires_at.getTime()).toBe(world.clock.nowMs() + 30 * dayMs);
});

test("does not cache a session as live that is kicked while it is read", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { token } = await world.login("Racer");
    await Promise.all([world.login("Racer"), ...Array.from({ length: 5 }, () => world.sessions.authenticate(token))]);
    await expect(world.sessions.authenticate(token)).resolves.toMatchObject({ kind: "ended", reason: "kicked" });
  }
});

test("[SIGNIN-75] ends a session after 30 days without a request", async () => {
  const { token, user } = await world.login("Sleeper");
  world.clock.advance(30 * dayMs);
  await expect(world.sessions.authenticate(token)).resolves.toMatchObject({ kind: "ended", reason: "expired" });
  expect(world.ended).toMatchObject([{ userId: user.id, reason: "expired" }]);
});

test("[SIGNIN-75] ends a session in daily use after 180 days", async () => {
  const { token } = await world.login("Regular");
  for (let day = 0; day < 179; day += 20) {
    await expect(world.sessions.authenticate(token)).resolves.toHaveProperty("signKeys");
    world.clock.advance(20 * dayMs);
  }
  await expect(world.sessions.authenticate(token)).resolves.toMatchObject({ kind: "ended", reason: "expired" });
});

test("ends the session at once on sign-out", async () => {
  const { token } = await world.login("Leaver");
  const found = await world.sessions.authenticate(token);
  if (found.kind !== "live") throw new Error("no session");
  const { session } = found;
  await world.sessions.logout(session);
  await expect(world.sessions.authenticate(token)).resolves.toMatchObject({ kind: "ended", reason: "signed_out" });
  expect(world.ended).toEqual([{ sessionId: session.id, userId: session.userId, reason: "signed_out" }]);
});

test("does not end the replacing session by a late sign-out", async () => {
  const old = await world.enter("Twice");
  const { token } = await world.login("Twice");
  await world.sessions.logout(old);
  await expect(world.sessions.authenticate(token)).resolves.toHaveProperty("signKeys");
});

test("[SIGNIN-72] opens the chat of its own session and user by a chat signature, for ten minutes", async () => {
  const session = await world.enter("Chatter");
  const other = await world.enter("Other");
  const sign = world.sessions.chatSign(session.externalId, session.id);
  await expect(world.sessions.verifyChatSign(session.externalId, sign)).resolves.toMatchObject({
    id: session.id,
    userId: session.userId,
  });
  await expect(world.sessions.verifyChatSign(other.externalId, sign)).resolves.toBeNull();
  for (const forged of [
    sign.replace(session.id, other.id),
    sign.replace(/\.\d+\./, ".99999999999999."),
    "",
    "a.1.b",
    `${sign}x`,
  ]) {
    await expect(world.sessions.verifyChatSign(session.externalId, forged)).resolves.toBeNull();
  }
  world.clock.advance(600_000);
  await expect(world.sessions.verifyChatSign(session.externalId, sign)).resolves.toBeNull();
});

test("[SIGNIN-72] rejects a chat signature once its session has ended", async () => {
  const session = await world.enter("Kicked");
  const sign = world.sessions.chatSign(session.externalId, session.id);
  await world.login("Kicked");
  await expect(world.sessions.verifyChatSign(session.externalId, sign)).resolves.toBeNull();
});

test("[SIGNIN-77] answers with the fields of the specification, the signing key and the time", async () => {
  const handlers = sessionHandlers(world.sessions, world.clock, { removeBrowsersOf: async () => undefined });
  const context = { session: null, ip: "127.0.0.1", userAgent: "test", language: "tr" };
  const prepared = await handlers.loginPrepare(context, {});
  expect(prepared.server_time).toBe(world.clock.nowMs());
  expect(prepared.providers.map((one) => [one.login_type, one.mode, one.url])).toEqual([
    [1, "sandbox", "/sandbox/identity/google/authorize"],
    [2, "sandbox", "/sandbox/identity/facebook/authorize"],
    [3, "sandbox", "/sandbox/identity/apple/authorize"],
  ]);
  const answer = await handlers.login(context, await world.loginInput("Fields"));
  expect(Object.keys(answer).toSorted()).toEqual([
    "avatar",
    "country_flag",
    "country_id",
    "country_name",
    "is_register",
    "nickname",
    "server_time",
    "sex",
    "sign_key",
    "tencent_id",
    "tencent_sign",
    "token",
    "user_id",
    "user_no",
  ]);
  expect(answer).toMatchObject({
    is_register: 1,
    sex: 0,
    country_id: 18,
    country_flag: "/flags/US.svg",
    server_time: world.clock.nowMs(),
    country_name: "Amerika Birleşik Devletleri",
  });
  expect(answer.avatar).toMatch(/^\/media\/avatars\/[0-9a-f]{64}\.webp$/);
  expect(Buffer.from(answer.sign_key, "base64url")).toHaveLength(32);
  await expect(world.sessions.verifyChatSign(answer.tencent_id, answer.tencent_sign)).resolves.not.toBeNull();
});

test("uses the language of a request for the user from then on, also for a ban notice", async () => {
  const { token, user } = await world.login("Traveller", { language: "ar" });
  await expect(world.sessions.authenticate(token)).resolves.toMatchObject({ kind: "live", language: "ar" });
  await world.sessions.followLanguage(user.id, "tr");
  await expect(world.sessions.authenticate(token)).resolves.toMatchObject({ kind: "live", language: "tr" });
  await world.database.db
    .insertInto("bans")
    .values({ user_id: user.id, reason_id: 2, reason: "", until: null })
    .execute();
  await world.sessions.endAllOf(user.id, "banned");
  await expect(world.sessions.authenticate(token)).resolves.toMatchObject({ notice: { reason: "Taciz" } });
});

test("shows an unknown reason as Incorrect content, in the language of the sign-in", async () => {
  const { user } = await world.login("Reader", { language: "id" });
  await world.database.db
    .insertInto("bans")
    .values({ user_id: user.id, reason_id: 99, reason: "", until: null })
    .execute();
  await expect(world.sessions.banNotice(user.id)).resolves.toMatchObject({
    isBan: true,
    reason_id: 99,
    reason: "Konten tidak pantas",
  });
  await expect(refusalOf(world.login("Reader", { language: "en" }))).resolves.toMatchObject({
    code: 408,
    data: { isBan: true, reason: "Incorrect content" },
  });
});

test("still knows the key of an ended session; an unknown token has none", async () => {
  const { token, signKey } = await world.login("Gone");
  await world.login("Gone");
  await expect(world.sessions.authenticate(token)).resolves.toEqual({
    kind: "ended",
    reason: "kicked",
    signKeys: [signKey],
  });
  await expect(world.sessions.authenticate("made up")).resolves.toMatchObject({ kind: "ended", signKeys: [] });
});
