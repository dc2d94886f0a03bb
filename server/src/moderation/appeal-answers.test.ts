import * as v from "valibot";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { appealPushAdd } from "@fava/wire/endpoints/appeals.ts";
import {
  appealNotificationRetryMs,
  decisionNotificationTtlSeconds,
  pushFailuresMax,
  pushKeptMs,
} from "@fava/wire/limits.ts";
import { type NotificationPayload, notificationPayloadSchema } from "@fava/wire/notifications.ts";
import type { PushOutcome } from "#ports/pusher.ts";
import { type FakeBrowser, fakeBrowser } from "#test/fakes/fake-browser.ts";
import { AppealWorld, type Banned } from "#test/fixtures/appeal-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { enqueueNotices } from "./outbox-service.ts";
import { runModerationUpkeep } from "./upkeep.ts";

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const visitor = { session: null, ip: "127.0.0.1", userAgent: "test", language: "tr" };
let world: AppealWorld;
let first: bigint;
let second: bigint;
let browsersMade = 0;

beforeAll(async () => {
  world = await AppealWorld.open();
  // Noon UTC, when a browser with offset 0 has no quiet hours.
  world.cases.clock.advance(12 * hourMs);
});
beforeEach(async () => {
  [first, second] = [await world.cases.moderator(), await world.cases.moderator()];
});

const browser = (): FakeBrowser => fakeBrowser(`https://push.test/appeal-${(browsersMade += 1)}`);
const fieldsOf = ({ token }: Pick<Banned, "token">, { target }: FakeBrowser, change: object = {}) =>
  v.parse(appealPushAdd.input, { appeal_token: token, ...target, offset_min: 0, ...change });

async function choose(ban: Pick<Banned, "token">, one = browser(), change: object = {}): Promise<FakeBrowser> {
  await world.push.appealPushAdd(visitor, fieldsOf(ban, one, change));
  return one;
}

const isOn = async ({ token }: Banned, { target }: FakeBrowser) =>
  (await world.push.appealPushInfo(visitor, { appeal_token: token, endpoint: target.endpoint })).on;

const rowOf = (id: string) =>
  world.cases.db.selectFrom("appeal_subscriptions").selectAll().where("appeal_id", "=", BigInt(id)).executeTakeFirst();

async function sentTo({ target }: FakeBrowser) {
  return world.pushes.pusher.kept
    .filter(({ endpoint }) => endpoint === target.endpoint)
    .map(({ payload, ...rest }) => ({ ...rest, payload: JSON.parse(payload) as NotificationPayload }))
    .toReversed();
}

/** Runs what the queued job runs; `upkeep` also runs the upkeep of each minute. */
const sendDue = () => world.outbox.sendDue();
const upkeep = async () => {
  await sendDue();
  await runModerationUpkeep({ ...world.cases.parts, ...world.cases.upkept, answers: world.answers });
};

/** Stores an answer whose server has not sent the notification. */
const answered = ({ userId, id }: Pick<Banned, "userId"> & { id: string }) =>
  world.cases.db.transaction().execute(async (trx) => {
    const about = BigInt(id);
    await trx.updateTable("appeals").set({ state: "upheld" }).where("id", "=", about).execute();
    await enqueueNotices(trx, [{ userId, kind: "appeal", about }], world.at());
  });

const triesOf = async (id: string) =>
  (await world.cases.db.selectFrom("outbox").select("tries").where("about", "=", BigInt(id)).executeTakeFirst())?.tries;

/** Makes the push service respond with `outcome` until `over` is called. */
function answering(outcome: PushOutcome) {
  const { pusher } = world.pushes;
  const send = pusher.send.bind(pusher);
  let asked = 0;
  pusher.send = async () => {
    asked += 1;
    return outcome;
  };
  return { asked: () => asked, over: () => void (pusher.send = send) };
}

describe("the push subscription of an appeal", () => {
  test("is added with the ban's token, replaced by a second one, and removed, also twice", async () => {
    const ban = await world.appealed(first);
    const [one, other] = [browser(), browser()];
    const asked = { appeal_token: ban.token };
    expect(await world.push.appealPushInfo(visitor, asked)).toEqual({ key: "", on: false });
    expect(await world.push.appealPushAdd(visitor, fieldsOf(ban, one))).toEqual({ on: true });
    expect([await isOn(ban, one), await isOn(ban, other)]).toEqual([true, false]);
    await choose(ban, other);
    expect([await isOn(ban, one), await isOn(ban, other)]).toEqual([false, true]);
    await world.push.appealPushDel(visitor, asked);
    await world.push.appealPushDel(visitor, asked);
    expect(await isOn(ban, other)).toBe(false);
  });

  test("belongs to one ban, and is rejected before the appeal and after its answer", async () => {
    const [ban, other, silent] = [await world.appealed(first), await world.appealed(first), await world.banned(first)];
    const one = await choose(ban);
    expect(await isOn(other, one)).toBe(false);
    await world.push.appealPushDel(visitor, { appeal_token: other.token });
    expect(await isOn(ban, one)).toBe(true);
    expect(await world.push.appealPushAdd(visitor, fieldsOf(silent, browser()))).toEqual({ on: false });
    await world.push.appealPushDel(visitor, { appeal_token: silent.token });
    await world.decide(second, other.id, { outcome: "upheld" });
    expect(await world.push.appealPushAdd(visitor, fieldsOf(other, browser()))).toEqual({ on: false });
    expect([await isOn(silent, one), await rowOf(other.id)]).toEqual([false, undefined]);
  });

  test("is rejected for an invalid token, as the status is", async () => {
    const one = browser();
    const token = "999999999";
    const wrong = await refusalOf(world.status({ token } as Banned));
    const asked = { appeal_token: token };
    const calls = [
      () => world.push.appealPushInfo(visitor, { ...asked, endpoint: one.target.endpoint }),
      () => world.push.appealPushAdd(visitor, fieldsOf({ token }, one)),
      // The token opens no ban, so the response says nothing about the browser's address.
      () => world.push.appealPushAdd(visitor, fieldsOf({ token }, fakeBrowser("https://evil.test/1"))),
      () => world.push.appealPushDel(visitor, asked),
    ];
    for (const call of calls) expect(await refusalOf(call())).toEqual(wrong);
  });

  test("is rejected with its field when no push service issues such an endpoint, and stores nothing", async () => {
    const ban = await world.appealed(first);
    const good = { appeal_token: ban.token, ...browser().target, offset_min: 0 };
    const refused = (fields: object) =>
      v.safeParse(appealPushAdd.input, { ...good, ...fields }).issues?.[0].path?.[0]?.key;
    expect(refused({})).toBeUndefined();
    for (const [field, values] of Object.entries({
      appeal_token: ["", "x".repeat(257), undefined],
      endpoint: ["", "x".repeat(1_025), undefined],
      p256dh: ["", `A${good.p256dh.slice(1)}`, `${good.p256dh}A`, good.p256dh.slice(1)],
      auth: ["", good.auth.slice(1), `${good.auth}A`, undefined],
      offset_min: ["841", "-841", "1.5", "", undefined],
    }))
      for (const value of values) expect([field, value, refused({ [field]: value })]).toEqual([field, value, field]);
    const beside = Buffer.from(good.p256dh, "base64url");
    beside[64]! ^= 1;
    for (const [field, one, change] of [
      ["endpoint", fakeBrowser("https://evil.test/1"), {}],
      ["endpoint", fakeBrowser("http://push.test/1"), {}],
      ["endpoint", fakeBrowser("https://push.test:8443/1"), {}],
      ["p256dh", browser(), { p256dh: beside.toString("base64url") }],
    ] as const)
      expect(await refusalOf(choose(ban, one, change))).toEqual({ code: 400, data: { field } });
    expect(await rowOf(ban.id)).toBeUndefined();
  });

  test("can be changed sixty times an hour, counted per appeal", async () => {
    const [ban, other] = [await world.appealed(first), await world.appealed(first)];
    const one = browser();
    for (let time = 0; time < 60; time += 1) await choose(ban, one);
    expect(await refusalOf(choose(ban, one))).toMatchObject({ code: 429 });
    expect(await isOn(other, await choose(other, one))).toBe(true);
  });

  test("is unreadable in a copy of the database", async () => {
    const ban = await world.appealed(first);
    const { target } = await choose(ban);
    const { sealed, ...rest } = (await rowOf(ban.id))!;
    const stored = JSON.stringify(rest, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
    for (const secret of Object.values(target)) expect(stored + sealed.toString("latin1")).not.toContain(secret);
  });
});

describe("the notification of an answered appeal", () => {
  test.each([{ outcome: "upheld" }, { outcome: "shortened", hours: 24 }, { outcome: "lifted" }] as const)(
    "is sent once in the language of its subscription, for seven days, whatever the outcome: $outcome",
    async (decision) => {
      const ban = await world.appealed(first);
      const one = await choose(ban);
      expect(await sentTo(one)).toEqual([]);
      await world.decide(second, ban.id, decision);
      const [told, ...more] = await sentTo(one);
      expect(more).toEqual([]);
      expect(v.is(notificationPayloadSchema, told?.payload)).toBe(true);
      expect(told).toMatchObject({ ttlSeconds: decisionNotificationTtlSeconds, isUrgent: false });
      expect(told?.payload.notification).toEqual({
        title: "Fava’dan size bir yanıt var",
        lang: "tr",
        dir: "ltr",
        tag: told?.topic,
        navigate: "https://fava.test/appeal#told",
      });
      await upkeep();
      expect([(await sentTo(one)).length, await rowOf(ban.id)]).toEqual([1, undefined]);
    },
  );

  test("is sent by one of several servers", async () => {
    const ban = await world.appealed(first);
    const one = await choose(ban);
    await answered(ban);
    const others = [world.anotherServer(), world.anotherServer(), world.anotherServer()];
    await Promise.all([upkeep(), ...others.map((other) => other.sendDue())]);
    expect(await sentTo(one)).toHaveLength(1);
  });

  test("waits from the night of the browser's time zone until morning, and is sent once", async () => {
    const { clock } = world.cases;
    const ban = await world.appealed(first);
    // At noon UTC it is 23:30 at an offset of 690 minutes.
    const one = await choose(ban, browser(), { offset_min: 690 });
    await world.decide(second, ban.id, { outcome: "lifted" });
    expect(await sentTo(one)).toEqual([]);
    clock.advance(8.5 * hourMs - 1);
    await upkeep();
    expect(await sentTo(one)).toEqual([]);
    clock.advance(1);
    await upkeep();
    await upkeep();
    expect(await sentTo(one)).toHaveLength(1);
    clock.advance(15.5 * hourMs);
  });

  test("is retried with doubling pauses while the push service fails", async () => {
    const { clock } = world.cases;
    const ban = await world.appealed(first);
    const one = await choose(ban);
    const away = answering("failed");
    await world.decide(second, ban.id, { outcome: "lifted" });
    await sendDue();
    expect(away.asked()).toBe(1);
    clock.advance(appealNotificationRetryMs);
    await upkeep();
    await upkeep();
    expect(away.asked()).toBe(2);
    clock.advance(2 * appealNotificationRetryMs - 1);
    await upkeep();
    expect(away.asked()).toBe(2);
    away.over();
    clock.advance(1);
    await upkeep();
    await upkeep();
    expect([(await sentTo(one)).length, await rowOf(ban.id)]).toEqual([1, undefined]);
  });

  test("is dropped when the browser is gone, and after ten failures", async () => {
    const { clock } = world.cases;
    const [gone, failing] = [await world.appealed(first), await world.appealed(first)];
    for (const [ban, outcome] of [
      [gone, "gone"],
      [failing, "failed"],
    ] as const) {
      await choose(ban, browser());
      const service = answering(outcome);
      await world.decide(second, ban.id, { outcome: "upheld" });
      await sendDue();
      const tries = outcome === "gone" ? 1 : pushFailuresMax;
      for (let time = 1; time < tries; time += 1) {
        expect([await triesOf(ban.id), await rowOf(ban.id)]).toEqual([time, expect.anything()]);
        clock.advance(appealNotificationRetryMs * 2 ** (time - 1));
        // The clock advances by hours. The browser's offset follows, so that quiet hours never delay the notification.
        await world.cases.db
          .updateTable("appeal_subscriptions")
          .set({ offset_min: noonAt(clock.nowMs()) })
          .execute();
        await upkeep();
      }
      expect([service.asked(), await rowOf(ban.id), await triesOf(ban.id)]).toEqual([tries, undefined, undefined]);
      service.over();
    }
    expect(world.pushes.notifications.figures.appeal).toMatchObject({ gone: 1, sent: expect.any(Number) });
    clock.advance(dayMs - (clock.nowMs() % dayMs) + 12 * hourMs);
  });

  test("is sent by the next server when a server crashes while sending it", async () => {
    const { clock } = world.cases;
    const ban = await world.appealed(first);
    const one = await choose(ban);
    await answered(ban);
    const notifying = vi.spyOn(world.pushes.notifications, "notifyBrowser");
    notifying.mockReturnValueOnce(new Promise(() => {}));
    void world.anotherServer().sendDue();
    await vi.waitUntil(() => notifying.mock.calls.length > 0);
    await upkeep();
    expect(await sentTo(one)).toEqual([]);
    clock.advance(appealNotificationRetryMs);
    await upkeep();
    expect(await sentTo(one)).toHaveLength(1);
  });

  test("is sent to other browsers although one of them cannot be decrypted", async () => {
    const { db } = world.cases;
    const [ban, other] = [await world.appealed(first), await world.appealed(first)];
    await choose(ban);
    const another = await choose(other);
    // Bytes that this server cannot decrypt, as if another server's secret had sealed them.
    await db
      .updateTable("appeal_subscriptions")
      .set({ sealed: Buffer.alloc(64) })
      .where("appeal_id", "=", BigInt(ban.id))
      .execute();
    for (const one of [ban, other]) await answered(one);
    await upkeep();
    expect([(await sentTo(another)).length, await triesOf(ban.id)]).toEqual([1, 1]);
  });

  test("is not sent once the user has read the answer or removed the subscription", async () => {
    const [read, takenBack] = [await world.appealed(first), await world.appealed(first)];
    const away = answering("failed");
    const browsers = [await choose(read), await choose(takenBack)];
    await world.status(read);
    expect(await rowOf(read.id)).toBeDefined();
    for (const ban of [read, takenBack]) await world.decide(second, ban.id, { outcome: "upheld" });
    await sendDue();
    away.over();
    expect(await world.status(read)).toMatchObject({ appeal: { state: "upheld" } });
    await world.push.appealPushDel(visitor, { appeal_token: takenBack.token });
    world.cases.clock.advance(appealNotificationRetryMs);
    await upkeep();
    for (const one of browsers) expect(await sentTo(one)).toEqual([]);
  });

  test("is not sent after 60 days, or once the account was deleted", async () => {
    const { db, clock } = world.cases;
    const [deleted, old] = [await world.appealed(first), await world.appealed(first)];
    const browsers = [await choose(deleted), await choose(old)];
    await db.updateTable("users").set({ deleted_at: world.at() }).where("id", "=", deleted.userId).execute();
    expect(await world.push.appealPushAdd(visitor, fieldsOf(deleted, browser()))).toEqual({ on: false });
    await world.decide(second, deleted.id, { outcome: "upheld" });
    expect(await sentTo(browsers[0]!)).toEqual([]);
    await upkeep();
    expect([await rowOf(deleted.id), await rowOf(old.id)]).toEqual([undefined, expect.anything()]);
    clock.advance(pushKeptMs);
    await upkeep();
    expect(await rowOf(old.id)).toBeDefined();
    clock.advance(1);
    await upkeep();
    expect(await rowOf(old.id)).toBeUndefined();
  });
});

/** The offset in minutes of a time zone in which it is noon now. */
function noonAt(nowMs: number): number {
  const ahead = (12 * hourMs - (nowMs % dayMs)) / minuteMs;
  return Math.round(ahead);
}
