import * as v from "valibot";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { pushAdd, pushInfo } from "@fava/wire/endpoints/push.ts";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { messageNotificationsPerDayMax, socketResumeMs } from "@fava/wire/limits.ts";
import {
  conversationIn,
  notificationKinds,
  type NotificationPayload,
  notificationPayloadSchema,
} from "@fava/wire/notifications.ts";
import { catalogText } from "#lib/catalog-text.ts";
import { type FakeBrowser, fakeBrowser } from "#test/fakes/fake-browser.ts";
import { MessageWorld } from "#test/fixtures/message-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { contextOf } from "#test/fixtures/social-world.ts";
import { notificationHandlers } from "./notification-routes.ts";
import { deleteExpiredData } from "./retention.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

let world: MessageWorld;
let calls: ReturnType<typeof notificationHandlers>;
let browsersMade = 0;

async function open(): Promise<void> {
  world = await MessageWorld.open();
  calls = notificationHandlers(world.notifications);
  world.social.clock.advance(12 * hourMs);
}

const browser = (): FakeBrowser => fakeBrowser(`https://push.test/${(browsersMade += 1)}`);
const sessionOf = (userId: bigint) => `session-${userId}`;
const as = (userId: bigint) => {
  const context = contextOf(userId);
  return { ...context, session: { ...context.session, id: sessionOf(userId) } };
};

/** Form fields; at noon in the browser's time zone, unless `change` says otherwise. */
const fieldsOf = ({ target }: FakeBrowser) => ({
  user_id: 1,
  ...target,
  kinds: "0",
  names: 0,
  quiet: 1,
  offset_min: 0,
});

async function subscribe(userId: bigint, change: object = {}, one = browser()): Promise<FakeBrowser> {
  await calls.pushAdd(as(userId), v.parse(pushAdd.input, { ...fieldsOf(one), ...change }));
  return one;
}

const choiceOf = async (userId: bigint, { target }: FakeBrowser) =>
  (await calls.pushInfo(as(userId), { user_id: 1, endpoint: target.endpoint })).choice;

async function sentTo({ target }: FakeBrowser) {
  await world.notifications.idle();
  return world.pusher.kept
    .filter(({ endpoint }) => endpoint === target.endpoint)
    .map(({ payload, ...rest }) => ({ ...rest, payload: JSON.parse(payload) as NotificationPayload }))
    .toReversed();
}

const titlesOf = async (one: FakeBrowser) => (await sentTo(one)).map(({ payload }) => payload.notification.title);

/** Two friends, only the first with an open page, and the browser of the second. */
async function absentFriend(change: object = {}) {
  const [ana, bo] = await world.social.metPeople(2);
  await world.social.friends(ana, bo);
  await world.social.arrive(ana);
  return { ana, bo, at: await subscribe(bo, change) };
}

describe("push subscriptions", () => {
  beforeAll(open);

  test("[NOTIFY-1] notify a browser of the chosen kinds, and of nothing after removal", async () => {
    const person = await world.social.person();
    const one = await subscribe(person, { kinds: "", names: 1, quiet: 0, offset_min: -210 });
    expect(await choiceOf(person, one)).toEqual({ kinds: [], names: 1, quiet: 0, offset_min: -210 });
    await subscribe(person, {}, one);
    const choice = { kinds: [0], names: 0, quiet: 1, offset_min: 0 };
    expect(await choiceOf(person, one)).toEqual(choice);
    const info = await calls.pushInfo(as(person), { user_id: 1 });
    expect(info).toEqual({ key: world.pusher.publicKey, choice: null });
    expect(v.is(pushInfo.output, { key: "k", choice })).toBe(true);
    await calls.pushDel(as(person), { user_id: 1, endpoint: one.target.endpoint });
    await calls.pushDel(as(person), { user_id: 1, endpoint: one.target.endpoint });
    expect(await choiceOf(person, one)).toBeNull();
  });

  test("[NOTIFY-2] are rejected with the wrong field, and nothing is stored", async () => {
    const person = await world.social.person();
    const good = fieldsOf(browser());
    const refused = (fields: object) => v.safeParse(pushAdd.input, { ...good, ...fields }).issues?.[0].path?.[0]?.key;
    expect(refused({})).toBeUndefined();
    for (const [field, values] of Object.entries({
      endpoint: ["", "x".repeat(1_025), undefined],
      p256dh: ["", `A${good.p256dh.slice(1)}`, `${good.p256dh}A`, good.p256dh.slice(1), `${good.p256dh.slice(0, -1)}=`],
      auth: ["", good.auth.slice(1), `${good.auth}A`, `${good.auth.slice(0, -1)}+`],
      kinds: [String(notificationKinds.length), "0,0", "-1", "message", undefined],
      names: ["2", "true"],
      quiet: ["-1"],
      offset_min: ["841", "-841", "1.5", ""],
    }))
      for (const value of values) expect([field, value, refused({ [field]: value })]).toEqual([field, value, field]);
    const elsewhere = fakeBrowser("https://evil.test/1");
    expect(await refusalOf(subscribe(person, {}, elsewhere))).toEqual({ code: 400, data: { field: "endpoint" } });
    const beside = Buffer.from(good.p256dh, "base64url");
    beside[64]! ^= 1;
    const crooked = subscribe(person, { p256dh: beside.toString("base64url") });
    expect(await refusalOf(crooked)).toEqual({ code: 400, data: { field: "p256dh" } });
    const { rows } = await world.social.database.pool.query("select from push_subscriptions where user_id = $1", [
      person,
    ]);
    expect(rows).toEqual([]);
  });

  test("are five per user, of which the longest unused yields; a browser belongs to its last user", async () => {
    const [person, next] = [await world.social.person(), await world.social.person()];
    const all = Array.from({ length: 6 }, browser);
    for (const one of all) {
      world.social.clock.advance(1_000);
      await subscribe(person, {}, one);
      if (one === all[4]) await subscribe(person, {}, all[0]);
    }
    const choices = await Promise.all(all.map((one) => choiceOf(person, one)));
    expect(choices.map((choice) => choice !== null)).toEqual([true, false, true, true, true, true]);
    await subscribe(next, {}, all[5]);
    expect([await choiceOf(person, all[5]!), await choiceOf(next, all[5]!)]).toEqual([null, expect.anything()]);
    await Promise.all(Array.from({ length: 8 }, () => subscribe(next)));
    const { rows } = await world.social.database.pool.query("select from push_subscriptions where user_id = $1", [
      next,
    ]);
    expect(rows).toHaveLength(5);
  });

  test("are encrypted in the database", async () => {
    const one = await subscribe(await world.social.person());
    const { rows } = await world.social.database.pool.query<object>("select * from push_subscriptions");
    const stored = JSON.stringify(rows, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
    const bytes = rows.map((row) => (row as { sealed: Buffer }).sealed.toString("latin1")).join("");
    for (const secret of Object.values(one.target)) expect(stored + bytes).not.toContain(secret);
  });

  test.each([
    ["signed_out", [true, false]],
    ["kicked", [true, true]],
    ["expired", [true, true]],
    ["banned", [false, false]],
    ["deleted", [false, false]],
  ] as const)("[NOTIFY-6] follow a session that ended as %s", async (reason, [isOtherKept, isOwnKept]) => {
    const person = await world.social.person();
    const other = await subscribe(person);
    await world.social.database.pool.query("update push_subscriptions set session_id = 'another' where user_id = $1", [
      person,
    ]);
    const own = await subscribe(person);
    world.notifications.sessionEnded({ sessionId: sessionOf(person), userId: person, reason });
    await world.notifications.idle();
    expect([(await choiceOf(person, other)) !== null, (await choiceOf(person, own)) !== null]).toEqual([
      isOtherKept,
      isOwnKept,
    ]);
  });

  test("[NOTIFY-6] are deleted after 60 days without a visit, and with the account or a ban", async () => {
    const { database, clock } = world.social;
    const [away, here, deleted, banned] = await world.social.metPeople(4);
    const all = new Map<bigint, FakeBrowser>();
    for (const person of [away, here, deleted, banned]) all.set(person, await subscribe(person));
    clock.advance(60 * dayMs);
    for (const person of [here, deleted, banned]) await subscribe(person, {}, all.get(person));
    await world.social.delete(deleted);
    const at = new Date(clock.nowMs());
    await database.pool.query(
      "insert into bans (user_id, reason_id, until, created_at, is_provisional, strike) values ($1, 1, null, $2, false, 0)",
      [banned, at],
    );
    await deleteExpiredData(database.db, clock.nowMs());
    const left = async () => {
      const choices = await Promise.all([...all].map(([person, one]) => choiceOf(person, one)));
      return choices.map((choice) => choice !== null);
    };
    expect(await left()).toEqual([true, true, false, false]);
    await deleteExpiredData(database.db, clock.nowMs() + 1);
    expect(await left()).toEqual([false, true, false, false]);
  });
});

describe("message notifications", () => {
  beforeAll(open);

  test("reach a user without an open page, once until they read", async () => {
    const { ana, bo, at } = await absentFriend();
    await world.send(ana, bo, "you whore, a secret");
    const { message } = await world.send(ana, bo, "and more");
    const [told, ...more] = await sentTo(at);
    expect(more).toEqual([]);
    expect(v.is(notificationPayloadSchema, told?.payload)).toBe(true);
    expect(told?.payload.notification).toMatchObject({
      title: "New message from a friend",
      lang: "en",
      dir: "ltr",
      tag: told?.topic,
    });
    expect(JSON.stringify(told)).not.toMatch(/whore|secret|person \d/);
    // Valid until quiet hours begin.
    expect(told?.ttlSeconds).toBe(10 * 3_600);
    await world.read(bo, ana, message.id);
    await world.send(ana, bo, "a third");
    await world.send(ana, bo, "a fourth");
    expect(await titlesOf(at)).toHaveLength(2);
  });

  test("skip present users, strangers, own messages, blocked users and other kinds", async () => {
    const here = await absentFriend();
    await world.social.arrive(here.bo);
    await world.send(here.ana, here.bo);
    const stranger = await absentFriend();
    await world.social.social.follow(stranger.bo, stranger.ana, false);
    await world.send(stranger.ana, stranger.bo);
    const other = await absentFriend({ kinds: "" });
    await world.send(other.ana, other.bo);
    const own = await absentFriend();
    await subscribe(own.ana);
    await world.send(own.bo, own.ana);
    const blocked = await absentFriend();
    const { message } = await world.send(blocked.ana, blocked.bo);
    expect(await titlesOf(blocked.at)).toHaveLength(1);
    await world.read(blocked.bo, blocked.ana, message.id);
    await world.social.social.block(blocked.bo, blocked.ana);
    const unseen = { userId: blocked.bo, from: blocked.ana, messageId: BigInt(message.id) + 1n };
    world.notifications.notifyOfMessage(unseen);
    expect(await titlesOf(blocked.at)).toHaveLength(1);
    for (const { at } of [here, stranger, other, own]) expect(await titlesOf(at)).toEqual([]);
  });

  test("open the conversation, and reveal nothing to push services or the lock screen", async () => {
    const { ana, bo, at } = await absentFriend();
    await world.send(ana, bo);
    const [told] = await sentTo(at);
    const { navigate, ...shown } = told!.payload.notification;
    const address = new URL(navigate);
    const [other, to] = await Promise.all([ana, bo].map((person) => world.social.externalIdOf(person)));
    expect(conversationIn(address.hash)).toEqual({ with: other, to });
    expect(address.href.replace(address.hash, "")).toBe("https://fava.test/?open=messages");
    expect(JSON.stringify([shown, told!.topic])).not.toMatch(new RegExp(`${other}|${to}`));
  });

  test("[NOTIFY-13] contain a name only if the user wants it, in the user's language", async () => {
    const named = await absentFriend({ names: 1 });
    await world.social.database.pool.query("update users set language = 'ar' where id = $1", [named.bo]);
    await world.social.database.pool.query("update users set nickname = '{name} $1 <b>' where id = $1", [named.ana]);
    await world.send(named.ana, named.bo);
    const [told] = await sentTo(named.at);
    expect(told?.payload.notification).toMatchObject({ lang: "ar", dir: "rtl" });
    expect(told?.payload.notification.title).toBe(catalogText("ar", "msg.arrived", { name: "{name} $1 <b>" }));
    expect(told?.payload.notification.title).toContain("{name} $1 <b>");
  });

  test("are not sent in quiet hours, and expire before them", async () => {
    const [quiet, awake] = [await absentFriend({ offset_min: 600 }), await absentFriend({ offset_min: 600, quiet: 0 })];
    const evening = await absentFriend({ offset_min: 599 });
    for (const { ana, bo } of [quiet, awake, evening]) await world.send(ana, bo);
    expect(await titlesOf(quiet.at)).toEqual([]);
    expect((await sentTo(awake.at)).map(({ ttlSeconds }) => ttlSeconds)).toEqual([86_400]);
    expect((await sentTo(evening.at)).map(({ ttlSeconds }) => ttlSeconds)).toEqual([60]);
    world.social.clock.advance(10 * hourMs);
    await world.send(quiet.ana, quiet.bo, "good morning");
    expect(await titlesOf(quiet.at)).toHaveLength(1);
    world.social.clock.advance(14 * hourMs);
  });

  test("stop after ten a day", async () => {
    const { bo, at } = await absentFriend();
    for (let count = 0; count < 12; count += 1) {
      const friend = await world.social.person();
      await world.social.call(friend, bo);
      await world.social.friends(friend, bo);
      await world.send(friend, bo);
      await world.notifications.idle();
    }
    expect(await titlesOf(at)).toHaveLength(10);
  });

  test("are sent by one of two servers that handle the same message", async () => {
    const { ana, bo, at } = await absentFriend();
    const { message } = await world.send(ana, bo);
    const unseen = { userId: bo, from: ana, messageId: BigInt(message.id) };
    for (let server = 0; server < 8; server += 1) world.notifications.notifyOfMessage(unseen);
    expect(await titlesOf(at)).toHaveLength(1);
  });

  test("are sent for the next message if no browser was reached; one reached browser suffices", async () => {
    const { ana, bo, at } = await absentFriend();
    const send = world.pusher.send.bind(world.pusher);
    world.pusher.send = async () => "failed";
    await world.send(ana, bo);
    expect(await titlesOf(at)).toEqual([]);
    world.pusher.send = async (target, message) =>
      target.endpoint === at.target.endpoint ? "failed" : send(target, message);
    const other = await subscribe(bo);
    await world.send(ana, bo);
    expect([await titlesOf(at), (await titlesOf(other)).length]).toEqual([[], 1]);
    world.pusher.send = send;
    await world.send(ana, bo);
    expect([await titlesOf(at), (await titlesOf(other)).length]).toEqual([[], 1]);
  });

  test("keep a later claim when an earlier push fails late", async () => {
    const { ana, bo, at } = await absentFriend();
    const send = world.pusher.send.bind(world.pusher);
    let fail = () => {};
    const sending = new Promise<void>((begun) => {
      world.pusher.send = () => {
        begun();
        return new Promise((resolve) => (fail = () => resolve("failed")));
      };
    });
    const { message } = await world.send(ana, bo);
    await sending;
    world.pusher.send = send;
    await world.read(bo, ana, message.id);
    await world.send(ana, bo);
    await vi.waitUntil(() => world.pusher.kept.some(({ endpoint }) => endpoint === at.target.endpoint));
    fail();
    await world.notifications.idle();
    await world.send(ana, bo);
    expect(await titlesOf(at)).toHaveLength(1);
  });

  test("do not count towards the daily limit when another server sends them", async () => {
    const { bo, at } = await absentFriend();
    for (let count = 0; count < messageNotificationsPerDayMax; count += 1) {
      const friend = await world.social.person();
      await world.social.call(friend, bo);
      await world.social.friends(friend, bo);
      const { message } = await world.send(friend, bo);
      const unseen = { userId: bo, from: friend, messageId: BigInt(message.id) };
      for (let server = 0; server < 8; server += 1) world.notifications.notifyOfMessage(unseen);
      await world.notifications.idle();
    }
    expect(await titlesOf(at)).toHaveLength(messageNotificationsPerDayMax);
  });

  test("are sent for what a lost page did not acknowledge, once its session is over", async () => {
    const { ana, bo, at } = await absentFriend();
    await world.social.arrive(bo);
    await world.send(ana, bo, "seen");
    world.social.bus.close(bo, 1006);
    await world.send(ana, bo, "not seen");
    await world.send(ana, bo, "nor this");
    await world.send(bo, ana, "nor one's own");
    expect(await titlesOf(at)).toEqual([]);
    world.social.clock.advance(socketResumeMs);
    world.social.bus.tick();
    expect(await titlesOf(at)).toHaveLength(1);
  });

  test("are not sent to a user whose page came back, or who opened another", async () => {
    const [back, another] = [await absentFriend(), await absentFriend()];
    for (const { ana, bo } of [back, another]) {
      await world.social.arrive(bo);
      world.social.bus.close(bo, 1006);
      await world.send(ana, bo);
    }
    world.social.bus.resume(back.bo);
    world.social.bus.arrive(another.bo);
    world.social.clock.advance(socketResumeMs);
    world.social.bus.tick();
    expect([await titlesOf(back.at), await titlesOf(another.at)]).toEqual([[], []]);
  });

  test("delete a gone browser at once, and a failing one after ten failures in a row", async () => {
    const { ana, bo, at } = await absentFriend();
    let outcome: "gone" | "failed" | "sent" = "failed";
    const send = world.pusher.send.bind(world.pusher);
    world.pusher.send = async () => outcome;
    const told = async (times: number) => {
      for (let count = 0; count < times; count += 1) {
        const { message } = await world.send(ana, bo);
        await world.notifications.idle();
        await world.read(bo, ana, message.id);
      }
      return (await choiceOf(bo, at)) !== null;
    };
    await world.social.database.pool.query("update push_subscriptions set failures = 8 where user_id = $1", [bo]);
    expect(await told(1)).toBe(true);
    outcome = "sent";
    expect(await told(1)).toBe(true);
    outcome = "failed";
    await world.social.database.pool.query("update push_subscriptions set failures = failures + 8 where user_id = $1", [
      bo,
    ]);
    expect(await told(1)).toBe(true);
    expect(await told(1)).toBe(false);
    await subscribe(bo, {}, at);
    outcome = "gone";
    expect(await told(1)).toBe(false);
    world.pusher.send = send;
    expect(world.notifications.figures.message.gone).toBeGreaterThan(0);
  });

  test("[NOTIFY-6] are not sent to signed-out or banned users, whatever is still stored", async () => {
    const { ana, bo, at } = await absentFriend();
    const { pool } = world.social.database;
    const at0 = new Date(world.social.clock.nowMs());
    await pool.query(
      `insert into sessions (id, user_id, token_hash, source, ip, user_agent, created_at, last_seen_at, expires_at, ended_at, end_reason)
       values ($1, $2, $1, 1, '', '', $3, $3, $3, $3, 'signed_out')`,
      [sessionOf(bo), bo, at0],
    );
    await world.send(ana, bo);
    expect(await titlesOf(at)).toEqual([]);
  });
});

test("[NOTIFY-13] have their words in every language, with the name", () => {
  for (const { value } of interfaceLanguages) {
    expect(catalogText(value, "notify.message")).not.toContain("{");
    expect(catalogText(value, "msg.arrived", { name: "Ana" })).toContain("Ana");
  }
});
