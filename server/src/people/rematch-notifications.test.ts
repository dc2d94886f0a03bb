import { beforeAll, expect, test } from "vitest";
import { meetNotificationsPerDayMax, recentMs } from "@fava/wire/limits.ts";
import { notificationKinds, type NotificationPayload } from "@fava/wire/notifications.ts";
import { type FakeBrowser, fakeBrowser } from "#test/fakes/fake-browser.ts";
import { MessageWorld } from "#test/fixtures/message-world.ts";
import { contextOf } from "#test/fixtures/social-world.ts";

const hourMs = 3_600_000;
const kind = notificationKinds.indexOf("meet");

let world: MessageWorld;
let browsersMade = 0;
beforeAll(async () => {
  world = await MessageWorld.open();
  // Noon UTC, when a browser with offset 0 has no quiet hours.
  world.social.clock.advance(12 * hourMs);
});

async function subscribe(userId: bigint, change: { kinds?: number[]; names?: 0 | 1; quiet?: 0 | 1 } = {}) {
  const browser = fakeBrowser(`https://push.test/meet-${(browsersMade += 1)}`);
  const choice = { kinds: [kind], names: 0, quiet: 1, offset_min: 0, ...change } as const;
  const session = { id: `session-${userId}`, userId } as Parameters<typeof world.notifications.add>[0];
  await world.notifications.add(session, browser.target, { ...choice, kinds: [...choice.kinds] });
  return browser;
}

async function sentTo({ target }: FakeBrowser) {
  await world.notifications.idle();
  return world.pusher.kept
    .filter(({ endpoint }) => endpoint === target.endpoint)
    .map(({ payload, ...rest }) => ({ ...rest, ...(JSON.parse(payload) as NotificationPayload).notification }));
}

const meet = (userId: bigint, otherId: bigint, on: 0 | 1 = 1) =>
  world.social.handlers.meetAgain(contextOf(userId), { user_id: Number(userId), other_id: Number(otherId), on });

/** Bo, who is absent, wants to meet ana again. */
async function absentAsker(change?: Parameters<typeof subscribe>[1]) {
  const [ana, bo] = await world.social.metPeople(2);
  const at = await subscribe(bo, change);
  await meet(bo, ana);
  return { ana, bo, at };
}

test("[NOTIFY-13] notifies an absent user once that the other one wants to meet again too, without a name", async () => {
  const { ana, bo, at } = await absentAsker();
  expect(await sentTo(at)).toEqual([]);
  world.social.clock.advance(hourMs);
  expect(await meet(ana, bo)).toEqual({ meet: "both" });
  const [told, ...more] = await sentTo(at);
  expect(more).toEqual([]);
  const { navigate, title, ttlSeconds, isUrgent } = told!;
  expect([title, new URL(navigate).pathname]).toEqual(["You both want to talk again", "/"]);
  expect([ttlSeconds, isUrgent]).toEqual([9 * 3_600, false]);
  // Withdrawing and sending the wish again does not notify the other user again.
  for (const on of [0, 1, 0, 1] as const) await meet(ana, bo, on);
  expect(await sentTo(at)).toHaveLength(1);
  // A new wish of the notified user is another one.
  for (const on of [0, 1] as const) await meet(bo, ana, on);
  for (const on of [0, 1] as const) await meet(ana, bo, on);
  expect(await sentTo(at)).toHaveLength(2);
});

test("contains the name if the receiver wants that", async () => {
  const { ana, bo, at } = await absentAsker({ names: 1 });
  await meet(ana, bo);
  const { nickname } = await world.social.database.db
    .selectFrom("users")
    .select("nickname")
    .where("id", "=", ana)
    .executeTakeFirstOrThrow();
  expect(await sentTo(at)).toMatchObject([{ title: `${nickname} wants to meet again too.` }]);
});

test("sends nothing to a user with an open page, without that kind, or in quiet hours", async () => {
  const present = await absentAsker();
  await world.social.arrive(present.bo);
  await meet(present.ana, present.bo);
  expect(await sentTo(present.at)).toEqual([]);
  const other = await absentAsker({ kinds: [0, 1, 2, 3] });
  await meet(other.ana, other.bo);
  expect(await sentTo(other.at)).toEqual([]);
  const quiet = await absentAsker();
  world.social.clock.advance(11 * hourMs);
  await meet(quiet.ana, quiet.bo);
  expect(await sentTo(quiet.at)).toEqual([]);
  world.social.clock.advance(12 * hourMs);
});

test("sends nothing once a block or a withdrawal has ended the wish, nor after a day", async () => {
  for (const end of ["block", "withdrawal", "day"] as const) {
    const { ana, bo, at } = await absentAsker();
    const pair = { userId: ana, otherId: bo };
    await meet(ana, bo, 1);
    await world.notifications.idle();
    await world.social.database.db.updateTable("meet_wishes").set({ told: false }).execute();
    const before = (await sentTo(at)).length;
    if (end === "block") await world.social.social.block(bo, ana);
    if (end === "withdrawal") await meet(bo, ana, 0);
    if (end === "day") world.social.clock.advance(recentMs);
    world.notifications.notifyOfRematch(pair, async () => true);
    expect([end, (await sentTo(at)).length]).toEqual([end, before]);
  }
});

test("notifies at most a few times a day", async () => {
  expect(meetNotificationsPerDayMax).toBe(5);
  const bo = await world.social.person();
  const at = await subscribe(bo);
  for (let made = 0; made <= meetNotificationsPerDayMax; made += 1) {
    const other = await world.social.person();
    await world.social.call(bo, other);
    await meet(bo, other);
    await meet(other, bo);
    await world.notifications.idle();
  }
  expect(await sentTo(at)).toHaveLength(meetNotificationsPerDayMax);
});
