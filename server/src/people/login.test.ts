import { sql } from "kysely";
import sharp from "sharp";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { countryByCode } from "@fava/wire/countries.ts";
import { callContext, refusalOf, sessionWorld, type SessionWorld } from "#test/fixtures/session-world.ts";

let world: SessionWorld;

beforeAll(async () => {
  world = await sessionWorld({ adminIdentities: new Set(["1:google-ana", "lale@people.example"]) });
  await world.seed();
});

beforeEach(() => {
  world.ended.length = 0;
  world.logged.length = 0;
});

function liveSessions(userId: bigint) {
  return world.database.db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .execute();
}

const loginFailed = { code: 400, data: null };

test("[SIGNIN-61] creates the account at the first sign-in, and finds it at the second", async () => {
  const first = await world.login("Zoë");
  const second = await world.login("Zoë");
  expect([first.isNew, second.isNew]).toEqual([true, false]);
  expect(second.user.id).toBe(first.user.id);
  expect(first.user).toMatchObject({ nickname: "Zoë", sex: 0, birthday: null, role: 0 });
  expect(first.user.user_no).toMatch(/^[1-9]\d{7}$/);
  expect(first.user.external_id).not.toBe(String(first.user.id));
});

test("replaces a provider's name that users could not choose by the account's number", async () => {
  for (const name of ["kill all jews", "send nudes", "t.me/ana"]) {
    const { user } = await world.login(name);
    expect(user.nickname).toBe(user.user_no);
  }
});

test("accepts a likely insult as a name from a provider, asks a moderator, and replaces a sure one", async () => {
  const asked = (userId: bigint) =>
    world.database.db.selectFrom("text_questions").selectAll().where("user_id", "=", userId).execute();
  const { user } = await world.login("Puta", { language: "en" });
  expect(user.nickname).toBe("Puta");
  const place = { place: "nickname", source: "provider", state: "open" };
  expect(await asked(user.id)).toMatchObject([{ ...place, text: "Puta", before: "Puta" }]);
  await world.login("Puta", { language: "en" });
  expect(await asked(user.id)).toHaveLength(1);
  const spanish = await world.login("Hijo de puta", { language: "es" });
  expect(spanish.user.nickname).toBe(spanish.user.user_no);
  const plain = await world.login("Ana Lima");
  expect([await asked(spanish.user.id), await asked(plain.user.id)]).toEqual([[], []]);
});

test("replaces an invisible or reserved name from a provider by the account's number", async () => {
  for (const name of ["\u3164", "\u2800", "Fava Support", "Adm1n", "Moderatör"]) {
    const { user } = await world.login(name);
    expect(user.nickname).toBe(user.user_no);
  }
  const { user } = await world.login("Fava Bianchi");
  expect(user.nickname).toBe("Fava Bianchi");
});

test("[SIGNIN-61] opens the session by its token, which is not stored, and returns a key of 32 bytes", async () => {
  const { token, signKey, user } = await world.login("ana");
  const session = await world.sessions.authenticate(token);
  expect(session).toMatchObject({
    kind: "live",
    session: { userId: user.id, externalId: user.external_id, profileComplete: true },
    signKeys: [signKey],
  });
  expect(signKey).toHaveLength(32);
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  const rows = await world.database.db.selectFrom("sessions").selectAll().execute();
  expect(
    JSON.stringify(rows, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
  ).not.toContain(token);
});

test("[SIGNIN-62] answers a forged token with nothing but login failed, and logs the reason", async () => {
  const input = await world.loginInput("mia");
  const [header, , signature] = input.third_party_token.split(".");
  const claims = (await world.loginInput("bo")).third_party_token.split(".")[1];
  const forged = { ...input, third_party_token: `${header}.${claims}.${signature}` };
  expect(await refusalOf(world.sessions.login(forged, callContext()))).toEqual(loginFailed);
  expect(world.logged.join()).toContain("ERR_JWS_SIGNATURE_VERIFICATION_FAILED");
  expect(world.logged.join()).not.toContain(forged.third_party_token);
});

test("[SIGNIN-62] rejects an expired token and one of another user", async () => {
  const borrowed = { ...(await world.loginInput("bo")), third_party_id: "google-mia" };
  expect(await refusalOf(world.sessions.login(borrowed, callContext()))).toEqual(loginFailed);
  const old = await world.loginInput("bo");
  world.clock.advance(631_000);
  expect(await refusalOf(world.sessions.login(old, callContext()))).toEqual(loginFailed);
});

test("[SIGNIN-62] does not spend a nonce by a rejected copy of a token", async () => {
  const input = await world.loginInput("bo");
  await refusalOf(world.sessions.login({ ...input, third_party_id: "google-mia" }, callContext()));
  await expect(world.sessions.login(input, callContext())).resolves.toMatchObject({ isNew: false });
});

test("[SIGNIN-69] accepts a nonce once, for ten minutes, and only from this server", async () => {
  const person = { name: "Nadia", picture: null };
  const { nonce } = await world.sessions.prepare();
  const [first, second, invented] = [
    await world.sandbox.grant("google", person, nonce),
    await world.sandbox.grant("google", person, nonce),
    await world.sandbox.grant("google", person, "invented"),
  ];
  const login = (grant: typeof first) =>
    world.sessions.login({ login_type: 1, ...grant, source: 1, imei: "" }, callContext());
  await expect(login(first)).resolves.toMatchObject({ isNew: true });
  expect(await refusalOf(login(second))).toEqual(loginFailed);
  expect(await refusalOf(login(invented))).toEqual(loginFailed);
  const late = (await world.sessions.prepare()).nonce;
  world.clock.advance(600_001);
  expect(await refusalOf(login(await world.sandbox.grant("google", person, late)))).toEqual(loginFailed);
});

test("[SIGNIN-70] accepts a token once, with and without a nonce, also when two arrive together", async () => {
  for (const provider of ["google", "facebook"] as const) {
    const input = await world.loginInput("Replay", provider);
    const outcomes = await Promise.allSettled([
      world.sessions.login(input, callContext()),
      world.sessions.login(input, callContext()),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await refusalOf(world.sessions.login(input, callContext()))).toEqual(loginFailed);
  }
});

test("[SIGNIN-71] ends the old session as kicked on a new sign-in, and notifies its socket", async () => {
  const first = await world.login("bo");
  const before = await world.sessions.authenticate(first.token);
  world.ended.length = 0;
  await world.login("bo");
  if (before.kind !== "live") throw new Error("the first session is gone");
  expect(world.ended).toEqual([{ sessionId: before.session.id, userId: first.user.id, reason: "kicked" }]);
  await expect(world.sessions.authenticate(first.token)).resolves.toMatchObject({ kind: "ended", reason: "kicked" });
  expect(await liveSessions(first.user.id)).toHaveLength(1);
});

test("[SIGNIN-71] leaves one live session and one account after simultaneous sign-ins", async () => {
  const grants = Array.from({ length: 5 }, async () =>
    world.sandbox.grant("google", { name: "Racer", picture: "none" }, (await world.sessions.prepare()).nonce),
  );
  const inputs = (await Promise.all(grants)).map((grant) => ({
    login_type: 1 as const,
    ...grant,
    source: 1 as const,
    imei: "",
  }));
  // This lock keeps accounts from being created until all five requests wait.
  const racing = world.database.db.transaction().execute(async (trx) => {
    await sql`lock table users in share row exclusive mode`.execute(trx);
    const running = Promise.all(inputs.map((input) => world.sessions.login(input, callContext())));
    await vi.waitFor(async () => expect(await waitingForLocks()).toBe(5), { timeout: 5_000 });
    return { running };
  });
  const results = await (await racing).running;
  expect(new Set(results.map(({ user }) => user.id)).size).toBe(1);
  expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
  const userId = results[0]?.user.id ?? 0n;
  expect(await liveSessions(userId)).toHaveLength(1);
  const answers = await Promise.all(results.map(({ token }) => world.sessions.authenticate(token)));
  expect(answers.filter((answer) => answer.kind === "live")).toHaveLength(1);
  expect(answers.filter((answer) => answer.kind === "ended" && answer.reason === "kicked")).toHaveLength(4);
  expect(world.ended).toHaveLength(4);
});

async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(world.database.db);
  return rows[0]?.count ?? 0;
}

async function idleInTransaction(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(world.database.db);
  return rows[0]?.count ?? 0;
}

test("takes the country from the IP address, or the default country of the server if the address is unknown", async () => {
  const abroad = await world.login("Traveller", { ip: "203.0.113.7" });
  expect(abroad.user.country_id).toBe(countryByCode("TR")?.id);
  expect((await world.login("Traveller")).user.country_id).toBe(countryByCode("TR")?.id);
  expect((await world.login("Local")).user.country_id).toBe(world.settings.defaultCountryId);
});

test("imports the provider's picture square, small and in our format", async () => {
  const { user } = await world.login("Painter");
  const stored = world.blobs.get(user.avatar_key);
  await expect(sharp(stored ?? Buffer.alloc(0)).metadata()).resolves.toMatchObject({
    format: "webp",
    width: 256,
    height: 256,
  });
});

test.each([
  ["elsewhere", "https://pictures.example/zoe.png"],
  ["of our own network", "http://127.0.0.1:1/zoe.png"],
  ["that is no address", "zoe"],
])("signs in without a picture %s", async (what, picture) => {
  const grant = await world.sandbox.grant(
    "google",
    { name: `Picture ${what}`, picture },
    (await world.sessions.prepare()).nonce,
  );
  const { user } = await world.sessions.login({ login_type: 1, ...grant, source: 1, imei: "" }, callContext());
  expect(user.avatar_key).toBe("");
});

test("signs in without the picture after three seconds of a silent bucket, and holds no connection", async () => {
  using put = vi.spyOn(world.storage, "put").mockReturnValue(new Promise(() => undefined));
  const signingIn = world.login("Patient");
  await vi.waitFor(() => expect(put).toHaveBeenCalled(), { timeout: 5_000 });
  expect(await idleInTransaction()).toBe(0);
  world.clock.advance(3_000);
  const { user, token, isNew } = await signingIn;
  expect([user.avatar_key, isNew]).toEqual(["", true]);
  await expect(world.sessions.authenticate(token)).resolves.toMatchObject({ kind: "live" });
  put.mockRestore();
  expect((await world.login("Patient")).user.avatar_key).toMatch(/\.webp$/);
  expect(await world.database.db.selectFrom("images").where("removed_at", "is", null).selectAll().execute()).toEqual(
    [],
  );
});

test("[ROLE-1] makes an identity or a mail address of ADMIN_IDENTITIES an administrator at sign-in", async () => {
  expect((await world.login("ana")).user.role).toBe(3);
  expect((await world.login("lale")).user.role).toBe(3);
  expect((await world.login("bo")).user.role).toBe(0);
  expect((await world.login("mia")).user.role).toBe(2);
});

test("[BAN-61] tells a banned user the end, the reason and the account, and opens no session", async () => {
  const rex = await world.database.db
    .selectFrom("users")
    .selectAll()
    .where("nickname", "=", "Rex")
    .executeTakeFirstOrThrow();
  const { code, data } = await refusalOf(world.login("rex"));
  expect(code).toBe(408);
  expect(data).toEqual({
    isBan: true,
    id: rex.user_no,
    reason_id: 2,
    reason: "Harassment",
    time: new Date(Date.UTC(2026, 0, 31)).toISOString(),
    appeal_token: expect.stringMatching(/^\d+\.\d+\.[\w-]{43}$/) as string,
    facts: expect.objectContaining({ reason_id: 2, by: "person", is_provisional: false, strike: 0 }) as object,
  });
  expect(await liveSessions(rex.id)).toEqual([]);
});

test("[BAN-62] ends the session of a user who is banned, and answers every request with the notice", async () => {
  const { token, user } = await world.login("Rude");
  await world.sessions.authenticate(token);
  await world.database.db
    .insertInto("bans")
    .values({ user_id: user.id, reason_id: 1, reason: "", until: null })
    .execute();
  await world.sessions.endAllOf(user.id, "banned");
  expect(world.ended).toMatchObject([{ userId: user.id, reason: "banned" }]);
  await expect(world.sessions.authenticate(token)).resolves.toMatchObject({
    kind: "banned",
    notice: { isBan: true, id: user.user_no, reason_id: 1, reason: "Pornography", time: null },
  });
});

test("[APPEAL-10] accepts an appeal token for the requests of a banned user only, while the ban lasts", async () => {
  const { user } = await world.login("Appealing");
  const bans = world.database.db;
  const ban = { user_id: user.id, reason_id: 2, reason: "", until: new Date(world.clock.nowMs() + 3_600_000) };
  const { id } = await bans.insertInto("bans").values(ban).returning("id").executeTakeFirstOrThrow();
  const { data } = await refusalOf(world.login("Appealing"));
  const token = (data as { appeal_token: string }).appeal_token;
  await expect(world.sessions.authenticate(token)).resolves.toMatchObject({
    kind: "appeal",
    session: { userId: user.id, role: 0, id: `appeal:${id}` },
  });
  await expect(world.sessions.banOfAppealToken(token)).resolves.toMatchObject({ userId: user.id, ban: { id } });
  const forged = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
  const other = token.replace(/^\d+/, String(id + 1n));
  for (const wrong of [forged, other]) {
    await expect(world.sessions.authenticate(wrong)).resolves.toMatchObject({ kind: "ended", reason: "expired" });
    await expect(world.sessions.banOfAppealToken(wrong)).resolves.toBeNull();
  }
  await bans
    .updateTable("bans")
    .set({ ended_early_at: new Date(world.clock.nowMs()) })
    .where("id", "=", id)
    .execute();
  await expect(world.sessions.authenticate(token)).resolves.toMatchObject({ kind: "ended", reason: "expired" });
  await expect(world.sessions.banOfAppealToken(token)).resolves.not.toBeNull();
});

test("records every sign-in with its address and device", async () => {
  const { user } = await world.login("Recorded", { ip: "203.0.113.7", userAgent: "x".repeat(1_000) });
  const events = await world.database.db
    .selectFrom("login_events")
    .selectAll()
    .where("user_id", "=", user.id)
    .execute();
  expect(events).toMatchObject([{ ip: "203.0.113.7", device_id: "device-1", user_agent: "x".repeat(300) }]);
});

test("[GUARD-21] limits new accounts by address and device, but not existing users", async () => {
  const limited = await sessionWorld({}, { take: async (limit) => (limit === "registerByAddress" ? 3_600 : null) });
  await limited.seed();
  await expect(refusalOf(limited.login("Somebody new"))).resolves.toEqual({ code: 429, data: { retry_after: 3_600 } });
  await expect(limited.login("ana")).resolves.toMatchObject({ isNew: false });
});
