import { beforeAll, expect, test } from "vitest";
import { passkeyChallengeMs, passkeysMax } from "@fava/wire/limits.ts";
import { SoftwareAuthenticator } from "#test/fakes/software-authenticator.ts";
import { type AccountWorld, accountWorld, passkeyOrigin as origin } from "#test/fixtures/account-world.ts";
import { mailsOf, withMail } from "#test/fixtures/mails.ts";
import { callContext, refusalOf } from "#test/fixtures/session-world.ts";
import { profile } from "./export-queries.ts";

type Person = Awaited<ReturnType<AccountWorld["person"]>>;

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const dayMs = 86_400_000;
const device = { source: 1, imei: "device-1" } as const;
const loginFailed = { code: 400, data: null };
let world: AccountWorld;
let handlers: AccountWorld["handlers"];

beforeAll(async () => {
  world = await accountWorld();
  ({ handlers } = world);
});

const infoOf = (person: Person) => handlers.passkeyInfo(person, { user_id: Number(person.userId) });
const prepare = (person: Person) => handlers.passkeyPrepare(person, { user_id: Number(person.userId) });
const add = (person: Person, answer: Parameters<typeof handlers.passkeyAdd>[1]["answer"]) =>
  handlers.passkeyAdd(person, { user_id: Number(person.userId), answer });
const ask = () => handlers.passkeyLoginPrepare(callContext(), {});
const login = (answer: Parameters<typeof handlers.passkeyLogin>[1]["answer"], imei = "device-1") =>
  handlers.passkeyLogin(callContext(), { answer, source: 1, imei });
const makeCodes = async (person: Person) =>
  (await handlers.recoveryCodes(person, { user_id: Number(person.userId) })).codes;
const recover = (user_no: string, code: string) => handlers.recoveryLogin(callContext(), { user_no, code, ...device });

async function withPasskey(name: string): Promise<{ person: Person; key: SoftwareAuthenticator; userNo: string }> {
  const person = await world.person(name, { userAgent: firefox });
  const key = new SoftwareAuthenticator(origin);
  await add(person, key.create(await prepare(person)));
  return { person, key, userNo: (await world.userRow(person.userId)).user_no };
}

async function ban(userId: bigint): Promise<void> {
  const until = new Date(world.clock.nowMs() + dayMs);
  const at = new Date(world.clock.nowMs());
  await world.db.insertInto("bans").values({ user_id: userId, reason_id: 2, until, created_at: at }).execute();
  await world.sessions.endAllOf(userId, "banned");
}

test("[SIGNIN-93] signs in to the account of its provider by a passkey, and ends the earlier session", async () => {
  const { person, key, userNo } = await withPasskey("Kea");
  expect(await infoOf(person)).toMatchObject({
    passkeys: [{ browser: "Firefox", system: "Linux", at: world.clock.nowMs(), used_at: null }],
  });
  world.ended.length = 0;
  world.clock.advance(1_000);
  const signedIn = await login(key.sign(await ask()));
  expect(signedIn).toMatchObject({ user_id: Number(person.userId), user_no: userNo, is_register: 0 });
  expect(world.ended).toMatchObject([{ sessionId: person.session.id, reason: "kicked" }]);
  await expect(world.sessions.authenticate(signedIn.token)).resolves.toMatchObject({ kind: "live" });
  expect(await infoOf(person)).toMatchObject({ passkeys: [{ used_at: world.clock.nowMs() }] });
  const { sessions } = await world.handlers.accountInfo(person, { user_id: Number(person.userId) });
  expect(sessions).toMatchObject([
    { login_type: 1, ended_at: null },
    { login_type: 1, end_reason: "kicked" },
  ]);
  const events = world.db.selectFrom("login_events").select("id").where("user_id", "=", person.userId);
  expect(await events.execute()).toHaveLength(2);
});

test("[SIGNIN-94] accepts a challenge once, for five minutes, and only from this server", async () => {
  const { key } = await withPasskey("Lori");
  const options = await ask();
  const answer = key.sign(options);
  await login(answer);
  expect(await refusalOf(login(answer))).toEqual(loginFailed);
  expect(await refusalOf(login(key.sign(options)))).toEqual(loginFailed);
  expect(await refusalOf(login(key.sign({ ...options, challenge: "invented" })))).toEqual(loginFailed);
  const late = await ask();
  world.clock.advance(passkeyChallengeMs);
  expect(await refusalOf(login(key.sign(late)))).toEqual(loginFailed);
  const twice = key.sign(await ask());
  const outcomes = await Promise.allSettled([login(twice), login(twice)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("[SIGNIN-94] creates a passkey by a challenge once, and only in the session that asked", async () => {
  const [ana, bo] = [await world.person("Ana Key"), await world.person("Bo Key")];
  const options = await prepare(ana);
  expect(options).toMatchObject({
    rp: { id: "fava.example" },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const answer = new SoftwareAuthenticator(origin).create(options);
  expect(await refusalOf(add(bo, answer))).toEqual(loginFailed);
  await add(ana, answer);
  expect(await refusalOf(add(ana, answer))).toEqual(loginFailed);
  expect((await prepare(ana)).excludeCredentials).toEqual([{ type: "public-key", id: answer.id }]);
  expect(await infoOf(bo)).toEqual({ passkeys: [], codes_left: 0 });
});

test("[SIGNIN-95] rejects another origin, a wrong user, a missing verification and a foreign signature", async () => {
  const { person, key } = await withPasskey("Mina");
  const other = await withPasskey("Nils");
  const [mine, theirs] = [key.sign(await ask()), other.key.sign(await ask())];
  const attempts = [
    key.sign(await ask(), { origin: "https://fava.example.evil.example" }),
    key.sign(await ask(), { isVerified: false }),
    key.sign(await ask(), { userHandle: theirs.response.userHandle }),
    { ...mine, response: { ...mine.response, signature: theirs.response.signature } },
    { ...theirs, id: mine.id, rawId: mine.id },
    { ...mine, response: { ...mine.response, clientDataJSON: "e30", authenticatorData: "AAAA" } },
  ];
  for (const attempt of attempts) expect(await refusalOf(login(attempt))).toEqual(loginFailed);
  for (const change of [{ origin: "https://evil.example" }, { isVerified: false }]) {
    const answer = new SoftwareAuthenticator(origin).create(await prepare(person), change);
    expect(await refusalOf(add(person, answer))).toEqual(loginFailed);
  }
  expect((await infoOf(person)).passkeys).toHaveLength(1);
  expect(world.logged.join()).toContain("passkey of another user");
});

test("[SIGNIN-95] rejects a cloned authenticator, whose counter is behind", async () => {
  const { key } = await withPasskey("Olga");
  await login(key.sign(await ask()));
  await login(key.sign(await ask()));
  key.counter = 1;
  expect(await refusalOf(login(key.sign(await ask())))).toEqual(loginFailed);
  key.counter = 9;
  const one = key.sign(await ask());
  key.counter = 9;
  const outcomes = await Promise.allSettled([login(one), login(key.sign(await ask()))]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("accepts an authenticator that does not count", async () => {
  const { key } = await withPasskey("Zora");
  for (let round = 0; round < 2; round += 1) {
    key.counter = -1;
    expect(await login(key.sign(await ask()))).toMatchObject({ is_register: 0 });
  }
});

test("[SIGNIN-95] rejects a removed passkey, and keeps those of others", async () => {
  const { person, key } = await withPasskey("Pia");
  const other = await withPasskey("Quin");
  const id = (await infoOf(person)).passkeys[0]?.id ?? "";
  await handlers.passkeyDel(other.person, { user_id: Number(other.person.userId), id });
  await login(key.sign(await ask()));
  await handlers.passkeyDel(person, { user_id: Number(person.userId), id });
  expect(await refusalOf(login(key.sign(await ask())))).toEqual(loginFailed);
});

test("stores at most ten passkeys of a user", async () => {
  const { person } = await withPasskey("Rosa");
  const last = await prepare(person);
  for (let count = 1; count < passkeysMax; count += 1)
    await add(person, new SoftwareAuthenticator(origin).create(await prepare(person)));
  const full = { code: 406, data: { reason: "too_many" } };
  expect(await refusalOf(prepare(person))).toEqual(full);
  expect(await refusalOf(add(person, new SoftwareAuthenticator(origin).create(last)))).toEqual(full);
});

test("[SIGNIN-96] answers a banned user who signs in by passkey or code as by the provider", async () => {
  const { person, key, userNo } = await withPasskey("Sven");
  const codes = await makeCodes(person);
  await ban(person.userId);
  const byProvider = await refusalOf(world.login("Sven"));
  expect(byProvider).toMatchObject({ code: 408, data: { isBan: true, id: userNo } });
  expect(await refusalOf(login(key.sign(await ask())))).toEqual(byProvider);
  expect(await refusalOf(recover(userNo, codes[0] ?? ""))).toEqual(byProvider);
});

test("[SIGNIN-96] restores a deleted account after a passkey's sign-in, and erases passkeys and codes", async () => {
  const { person, key, userNo } = await withPasskey("Tara");
  const codes = await makeCodes(person);
  const remove = (who: Person) => world.handlers.accountDel(who, { user_id: Number(who.userId), user_no: userNo });
  await remove(person);
  const { code, data } = await refusalOf(login(key.sign(await ask())));
  expect([code, data]).toMatchObject([403, { reason: "account_deleted" }]);
  const { restore_token } = data as { restore_token: string };
  await world.handlers.accountRestore(callContext(), { restore_token, ...device });
  await remove(await world.person("Tara"));
  world.clock.advance(15 * dayMs);
  expect(await refusalOf(login(key.sign(await ask())))).toEqual(loginFailed);
  await world.account.erasure.runDue();
  for (const table of ["passkeys", "recovery_codes"] as const) {
    const left = world.db.selectFrom(table).select("user_id").where("user_id", "=", person.userId);
    expect(await left.execute()).toEqual([]);
  }
  expect(await refusalOf(recover(userNo, codes[0] ?? ""))).toEqual(loginFailed);
});

test("[SIGNIN-97] signs in by each recovery code once, and only until new ones are made", async () => {
  const person = await world.person("Ugo");
  const { user_no: userNo } = await world.userRow(person.userId);
  const codes = await makeCodes(person);
  expect(new Set(codes)).toHaveLength(10);
  const [first = "", second = "", third = ""] = codes;
  expect(first).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  expect(await recover(userNo, first)).toMatchObject({ user_no: userNo, is_register: 0 });
  expect(await refusalOf(recover(userNo, first))).toEqual(loginFailed);
  const together = await Promise.allSettled([recover(userNo, second), recover(userNo, second)]);
  expect(together.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect((await infoOf(person)).codes_left).toBe(8);
  const [fresh = ""] = await makeCodes(person);
  expect(await refusalOf(recover(userNo, third))).toEqual(loginFailed);
  const other = await world.person("Vera");
  expect(await refusalOf(recover((await world.userRow(other.userId)).user_no, fresh))).toEqual(loginFailed);
  expect(await refusalOf(recover("00000000", fresh))).toEqual(loginFailed);
  const typed = fresh.replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "L").toUpperCase();
  await recover(` ${userNo} `, typed);
  const rows = await world.db.selectFrom("recovery_codes").selectAll().where("user_id", "=", person.userId).execute();
  expect(rows.every(({ code_hash }) => code_hash.length === 32)).toBe(true);
});

test("[DATA-30] exports passkeys without their keys, and how many codes are left", async () => {
  const { person } = await withPasskey("Xenia");
  await makeCodes(person);
  const { passkeys, unused_recovery_codes: codes } = await profile(world.db, person.userId);
  const at = new Date(world.clock.nowMs());
  expect(passkeys).toEqual([{ browser: "Firefox", system: "Linux", created_at: at, used_at: null }]);
  expect(codes).toEqual(Array.from({ length: 10 }, () => ({ created_at: at })));
});

test("[MAIL-2] mails a sign-in by passkey or code on a new device", async () => {
  const { person, key } = await withPasskey("Wim");
  const site = { db: world.db, clock: world.clock };
  await withMail(site, person.userId);
  await login(key.sign(await ask()));
  expect(await mailsOf(site)).toEqual([]);
  await login(key.sign(await ask()), "device-2");
  expect(await mailsOf(site)).toMatchObject([{ template: "sign_in", facts: { atMs: world.clock.nowMs() } }]);
});
