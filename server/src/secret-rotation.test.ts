import { pino } from "pino";
import { expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { noticeAdd, noticeStatus } from "@fava/wire/endpoints/notices.ts";
import { myInfo } from "@fava/wire/endpoints/profile.ts";
import { login } from "@fava/wire/endpoints/session.ts";
import { CallTickets } from "#calls/call-tickets.ts";
import { AddressSeal } from "#db/mail-outbox.ts";
import { ServerSecret } from "#lib/server-secret.ts";
import { Seal } from "#lib/seal.ts";
import { AgeRefusals } from "#people/profile-store.ts";
import { ImageAddresses } from "#people/media-route.ts";
import { SessionKeys } from "#people/session-keys.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { type Caller, injectedInto, signedCall } from "#test/fixtures/signed-call.ts";
import { readConfig } from "./config.ts";
import { AppContext } from "./context.ts";

const [before, after] = ["the secret before, long enough to be one", "the secret after it, long enough to be one"];
const old = new ServerSecret(before);
const rotated = new ServerSecret(after, { secret: before, isLeaked: false });
const leaked = new ServerSecret(after, { secret: before, isLeaked: true });
const replaced = new ServerSecret(after);

const logger = pino({ level: "silent" });
const clock = new TestClock(1_767_225_600_000);

/** Runs one server over the database, with this secret. */
async function withServer<T>(
  database: TestDatabase,
  serverSecret: ServerSecret,
  use: (visitor: Caller, app: AppContext) => Promise<T>,
): Promise<T> {
  await using app = await AppContext.create(
    { config: readConfig({ MODERATION: "off" }), database, serverSecret, logger },
    { clock },
  );
  // A server rejects requests that were signed before it started.
  clock.advance(1_000);
  return await use({ target: injectedInto(app.http), nowMs: () => clock.nowMs() }, app);
}

/** Whether a server with this secret accepts what a server with the old secret made. */
const readers = {
  "a chat signature": (secret: ServerSecret) =>
    new SessionKeys(secret).sessionOfChatSign("ana", new SessionKeys(old).chatSign("ana", "s", 0), 1) === "s",
  "the key of a session": (secret: ServerSecret) => {
    const key = new SessionKeys(old).signKey("s");
    return new SessionKeys(secret).signKeys("s").some((one) => one.equals(key));
  },
  "the token of an appeal": (secret: ServerSecret) =>
    new SessionKeys(secret).banOfAppealToken(new SessionKeys(old).appealToken(7n, 0), 1) === 7n,
  "the token of a restored account": (secret: ServerSecret) => {
    const token = new SessionKeys(old).restoreToken({ userId: 7n, deletedAtMs: 0 }, 0);
    return new SessionKeys(secret).deletionOfRestoreToken(token, 1)?.userId === 7n;
  },
  "the address of a picture": (secret: ServerSecret) => {
    const { searchParams } = new URL(new ImageAddresses({ serverSecret: old, clock }).signed("key"), "http://fava");
    return new ImageAddresses({ serverSecret: secret, clock }).opens("key", Object.fromEntries(searchParams));
  },
  "the ticket of a call": (secret: ServerSecret) =>
    new CallTickets(secret).roomOf(new CallTickets(old).of("room", 7n), 7n) === "room",
  "the token of a room": (secret: ServerSecret) =>
    new CallTickets(secret).isTokenOf("room", 7n, new CallTickets(old).tokenOf("room", 7n)),
};

test.each(Object.entries(readers))("[START-103] accepts %s from before, unless the secret leaked", (_name, accepts) => {
  expect([rotated, leaked, replaced].map(accepts)).toEqual([true, false, false]);
});

test("[START-103] opens what the secret of before sealed, also if it leaked, and seals with the current one", () => {
  const sealOf = (serverSecret: ServerSecret) =>
    new Seal({ serverSecret, random: seededRandom(1), purpose: "test/v1" });
  const bytes = Buffer.from("the bytes");
  const sealed = sealOf(old).seal("id", bytes);
  for (const secret of [rotated, leaked]) expect(sealOf(secret).open("id", sealed)).toEqual(bytes);
  expect(() => sealOf(replaced).open("id", sealed)).toThrow("authenticate");
  expect(() => sealOf(rotated).open("other", sealed)).toThrow("authenticate");
  expect(sealOf(replaced).open("id", sealOf(rotated).seal("id", bytes))).toEqual(bytes);
});

test("[START-103] seals mail addresses again, so that they outlast the secret of before", async () => {
  const { db } = await createTestDatabase();
  const user = { user_no: "10000001", external_id: "ana", nickname: "ana", country_id: 18 };
  const { id } = await db.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
  const addressesOf = (serverSecret: ServerSecret) => new AddressSeal({ serverSecret, random: seededRandom(1) });
  const row = { user_id: id, sealed: addressesOf(old).seal(id, "ana@fava.test"), confirmed_at: new Date(0) };
  await db.insertInto("mail_addresses").values(row).execute();
  await addressesOf(leaked).resealAll(db);
  const stored = await db.selectFrom("mail_addresses").select(["sealed"]).executeTakeFirstOrThrow();
  expect(addressesOf(replaced).open(id, stored.sealed ?? Buffer.alloc(0))).toBe("ana@fava.test");
  await addressesOf(rotated).resealAll(db);
  expect(await db.selectFrom("mail_addresses").select(["sealed"]).executeTakeFirstOrThrow()).toEqual(stored);
});

test("[START-103] finds the age refusal that a hash of the secret before stores", async () => {
  const { db } = await createTestDatabase();
  const identity = { login_type: 1, third_party_id: "ana" };
  await new AgeRefusals(old).add(db, [identity], "2030-01-01");
  const found = (secret: ServerSecret) => new AgeRefusals(secret).tryAgainOn(db, [identity], "2026-01-01");
  expect([await found(rotated), await found(leaked), await found(replaced)]).toEqual([
    "2030-01-01",
    "2030-01-01",
    null,
  ]);
});

test("[START-103] keeps sessions and notices over a rotation of the secret, and ends the sessions of a leaked one", async () => {
  const database = await createTestDatabase();
  const sent = {
    kind: "minor",
    text: "a notice",
    account: "",
    name: "",
    seen: "",
    signature: "",
    good_faith: 1,
  } as const;
  const { caller, notice } = await withServer(database, old, async (visitor, app) => {
    const grant = await app.http.inject({
      method: "POST",
      url: "/sandbox/identity/google/token",
      payload: { name: "Ana" },
    });
    const { third_party_id, third_party_token, nickname } = grant.json<Record<string, string>>();
    const account = { login_type: 1, third_party_id, third_party_token, nickname, source: 1 } as never;
    const { data } = await signedCall(visitor, login, account);
    const { data: notice } = await signedCall(visitor, noticeAdd, sent);
    return { caller: { token: data.token, signKey: data.sign_key, userId: data.user_id }, notice };
  });
  const codesAt = (secret: ServerSecret) =>
    withServer(database, secret, async (visitor) => {
      const info = await signedCall({ ...visitor, ...caller }, myInfo, { user_id: caller.userId });
      const status = await signedCall(visitor, noticeStatus, { token: notice.token });
      const again = await signedCall(visitor, noticeAdd, sent);
      return [info.code, status.code, again.data.no === notice.no];
    });
  expect(await codesAt(rotated)).toEqual([codes.ok, codes.ok, true]);
  expect(await codesAt(leaked)).toEqual([codes.badSignature, codes.badInput, true]);
  expect(await codesAt(replaced)).toEqual([codes.badSignature, codes.badInput, false]);
});
