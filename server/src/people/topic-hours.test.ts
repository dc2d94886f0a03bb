import { beforeEach, expect, test } from "vitest";
import { topicHourAheadMs, topicHourShownMs, topicHoursMax, weekMs } from "@fava/wire/limits.ts";
import { notificationKinds, type NotificationPayload } from "@fava/wire/notifications.ts";
import { interests, spokenLanguages } from "@fava/wire/talk.ts";
import { type FakeBrowser, fakeBrowser } from "#test/fakes/fake-browser.ts";
import { MessageWorld } from "#test/fixtures/message-world.ts";
import { contextOf } from "#test/fixtures/social-world.ts";
import { TopicHours, topicHourHandlers } from "./topic-hours.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const portuguese = spokenLanguages.indexOf("pt");
const chess = interests.indexOf("chess");

let world: MessageWorld;
let hours: TopicHours;
let handlers: ReturnType<typeof topicHourHandlers>;
let browsersMade = 0;
beforeEach(async () => {
  world = await MessageWorld.open();
  const { database, clock, tells: bus } = world.social;
  // Noon UTC, when a browser with offset 0 has no quiet hours.
  clock.advance(12 * hourMs);
  hours = new TopicHours({ db: database.db, clock, bus, notifications: world.notifications });
  handlers = topicHourHandlers(hours);
});

const nowMs = () => world.social.clock.nowMs();

function plan(change: Partial<Parameters<TopicHours["add"]>[0]> = {}) {
  const starts_at = nowMs() + 2 * hourMs;
  return hours.add({ spoken: portuguese, interest: -1, starts_at, minutes: 60, is_weekly: 1, ...change } as const);
}

async function shown(userId: bigint) {
  const { rows } = await handlers.hourList(contextOf(userId), { user_id: Number(userId) });
  return rows;
}

const remind = (userId: bigint, id: number, on: 0 | 1 = 1) =>
  handlers.hourRemind(contextOf(userId), { user_id: Number(userId), id, on });

async function subscriber(): Promise<{ userId: bigint; browser: FakeBrowser }> {
  const userId = await world.social.person();
  const browser = fakeBrowser(`https://push.test/hour-${(browsersMade += 1)}`);
  const session = { id: `session-${userId}`, userId } as Parameters<typeof world.notifications.add>[0];
  const kinds = [notificationKinds.indexOf("hour")];
  await world.notifications.add(session, browser.target, { kinds, names: 0, quiet: 1, offset_min: 0 });
  return { userId, browser };
}

function sentTo({ target }: FakeBrowser) {
  return world.pusher.kept
    .filter(({ endpoint }) => endpoint === target.endpoint)
    .map(({ payload, ttlSeconds }) => ({
      ttlSeconds,
      ...(JSON.parse(payload) as NotificationPayload).notification,
    }));
}

test("shows an hour a day ahead until it ends, and a weekly one again a week later", async () => {
  const ana = await world.social.person();
  const starts_at = nowMs() + topicHourShownMs + hourMs;
  const { id } = await plan({ starts_at });
  const once = await plan({ spoken: -1, interest: chess, starts_at: starts_at + hourMs, is_weekly: 0 });
  expect(await shown(ana)).toEqual([]);
  world.social.clock.advance(hourMs);
  const hour = { id, language: portuguese, interest: null, starts_at, ends_at: starts_at + hourMs, reminds: 0 };
  expect(await shown(ana)).toEqual([hour]);
  world.social.clock.advance(topicHourShownMs + hourMs - 1);
  expect((await shown(ana)).map((one) => one.id)).toEqual([id, once.id]);
  world.social.clock.advance(1);
  expect((await shown(ana)).map(({ interest }) => interest)).toEqual([chess]);
  world.social.clock.advance(weekMs - topicHourShownMs - hourMs);
  expect(await shown(ana)).toEqual([{ ...hour, starts_at: starts_at + weekMs, ends_at: hour.ends_at + weekMs }]);
  await hours.runDue();
  expect((await hours.list()).rows.map((one) => one.id)).toEqual([id]);
  expect(await world.social.database.db.selectFrom("topic_hours").select("id").execute()).toHaveLength(1);
});

test("notifies an absent user once when the hour begins, without its topic", async () => {
  const { userId, browser } = await subscriber();
  const { id, starts_at } = await plan();
  await remind(userId, id);
  expect((await shown(userId))[0]).toMatchObject({ id, reminds: 1 });
  await hours.runDue();
  expect(sentTo(browser)).toEqual([]);
  world.social.clock.advance(starts_at - nowMs() + minuteMs);
  await hours.runDue();
  await hours.runDue();
  const [told, ...more] = sentTo(browser);
  expect(more).toEqual([]);
  expect(told).toMatchObject({ title: "The hour you wanted a reminder for has begun", ttlSeconds: 59 * 60 });
  expect(new URL(told!.navigate).pathname).toBe("/");
  // The reminder was for this time only.
  world.social.clock.advance(weekMs);
  await hours.runDue();
  expect(sentTo(browser)).toHaveLength(1);
});

test("notifies nobody who is there, has taken the request back, or whose hour was removed", async () => {
  const present = await subscriber();
  const changed = await subscriber();
  const removed = await subscriber();
  const [kept, gone] = [await plan(), await plan()];
  await remind(present.userId, kept.id);
  await world.social.arrive(present.userId);
  for (const on of [1, 0] as const) await remind(changed.userId, kept.id, on);
  await remind(removed.userId, gone.id);
  await handlers.adminHourRemove(contextOf(1n), { id: gone.id });
  world.social.clock.advance(2 * hourMs);
  await hours.runDue();
  expect([present, changed, removed].flatMap(({ browser }) => sentTo(browser))).toEqual([]);
  expect(await world.social.database.db.selectFrom("topic_hour_reminders").selectAll().execute()).toEqual([]);
});

test("refuses a reminder of an hour that has begun or is unknown, and one for another user", async () => {
  const ana = await world.social.person();
  const { id } = await plan();
  await expect(remind(ana, id + 1)).rejects.toMatchObject({ code: 400, data: { field: "id" } });
  const other = handlers.hourRemind(contextOf(ana), { user_id: Number(ana) + 1, id, on: 1 });
  await expect(other).rejects.toMatchObject({ code: 400, data: { field: "user_id" } });
  world.social.clock.advance(2 * hourMs);
  await expect(remind(ana, id)).rejects.toMatchObject({ code: 400, data: { field: "id" } });
});

test("refuses an hour without a topic or with two, in the past, too far ahead, and too many", async () => {
  const wrong = [
    [{ spoken: -1 }, "spoken"],
    [{ interest: chess }, "spoken"],
    [{ starts_at: nowMs() }, "starts_at"],
    [{ starts_at: nowMs() + topicHourAheadMs + 1 }, "starts_at"],
  ] as const;
  for (const [change, field] of wrong) await expect(plan(change)).rejects.toMatchObject({ code: 400, data: { field } });
  const added = await Promise.allSettled(Array.from({ length: topicHoursMax + 2 }, () => plan()));
  expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(topicHoursMax);
  await expect(plan()).rejects.toMatchObject({ code: 406, data: { reason: "too_many" } });
});
