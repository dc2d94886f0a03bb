import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  decisionNotificationsPerDayMax,
  decisionNotificationTtlSeconds,
  reportOutcomeDeliveryMs,
  socketResumeMs,
} from "@fava/wire/limits.ts";
import { notificationKinds, type NotificationPayload } from "@fava/wire/notifications.ts";
import type { NotificationService } from "#people/notification-service.ts";
import { fakeBrowser } from "#test/fakes/fake-browser.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { sandboxNotifications } from "#test/fixtures/sandbox-notifications.ts";

const hourMs = 3_600_000;
let world: ModerationWorld;
let mia: bigint;
let bo: bigint;
let browsersMade = 0;
beforeAll(async () => {
  world = await ModerationWorld.open();
  // Noon UTC, when a browser with offset 0 has no quiet hours.
  world.clock.advance(12 * hourMs);
});
beforeEach(async () => {
  [mia, bo] = [await world.moderator("Mia"), await world.person()];
  world.absent.notifyOfDecision = () => undefined;
});

async function operate(caseId: bigint, operation: 1 | 3): Promise<void> {
  await world.withClaim(mia, `case:${caseId}`, async () =>
    world.cases.decisions.operate(await world.viewer(mia), caseId, { operation, note: "" }),
  );
  await world.told();
}

/** Mia decides a case about Bo: 1 finds nothing, 3 warns. */
async function decide(operation: 1 | 3, by: bigint): Promise<void> {
  await operate(await world.reported(bo, { by }), operation);
}

/** Notifies absent users by web push, as the product does. */
function withPushes() {
  const { pusher, notifications } = sandboxNotifications(world);
  world.absent.notifyOfDecision = (userId, isDue) => notifications.notifyOfDecision(userId, isDue);
  const told = async () => {
    await notifications.idle();
    return pusher.kept.map(({ payload, ...rest }) => ({
      ...rest,
      ...(JSON.parse(payload) as NotificationPayload).notification,
    }));
  };
  return { notifications, told };
}

async function subscribe(
  notifications: NotificationService,
  userId: bigint,
  { kind = "decision", quiet = 1 }: { kind?: "decision" | "message"; quiet?: 0 | 1 } = {},
) {
  const { target } = fakeBrowser(`https://push.test/outcome-${(browsersMade += 1)}`);
  const session = { id: `session-${userId}`, userId } as Parameters<typeof notifications.add>[0];
  await notifications.add(session, target, {
    kinds: [notificationKinds.indexOf(kind)],
    names: 0,
    quiet,
    offset_min: 0,
  });
}

test("sends the outcome of a report at once to a present reporter, and once on return to an absent one", async () => {
  const [ana, cem] = [await world.person(), await world.person()];
  world.bus.arrive(cem);
  await decide(1, ana);
  await decide(3, cem);
  expect(world.bus.take(cem)).toMatchObject([{ code: 100_004, outcome: "acted", reason_id: 4 }]);
  world.bus.arrive(ana);
  await world.outbox[Symbol.asyncDispose]();
  expect(world.bus.take(ana)).toMatchObject([{ code: 100_004, outcome: "nothing_found", reason_id: 4 }]);
  for (const userId of [ana, cem]) world.outbox.arrived(userId);
  await world.told();
  expect([world.bus.take(ana), world.bus.take(cem)]).toEqual([[], []]);
});

test("sends an outcome once when two servers see the reporter arrive, and once for several reports of a case", async () => {
  const ana = await world.person();
  const caseId = await world.reported(bo, { by: ana });
  await world.reported(bo, { by: ana });
  await operate(caseId, 3);
  world.bus.arrive(ana);
  await using other = world.openOutbox({ notify: async () => "done" });
  other.arrived(ana);
  await Promise.all([other[Symbol.asyncDispose](), world.outbox[Symbol.asyncDispose]()]);
  expect(world.bus.take(ana)).toHaveLength(1);
});

test("drops outcomes after thirty days", async () => {
  const ana = await world.person();
  await decide(3, ana);
  world.clock.advance(reportOutcomeDeliveryMs);
  world.bus.arrive(ana);
  await world.outbox[Symbol.asyncDispose]();
  expect(world.bus.take(ana)).toEqual([]);
});

test("notifies subscribed browsers that there is a decision, without details, for at most the time until night", async () => {
  const { notifications, told } = withPushes();
  const [ana, cem, dia] = [await world.person({ language: "tr" }), await world.person(), await world.person()];
  await subscribe(notifications, ana);
  await subscribe(notifications, cem, { kind: "message" });
  await subscribe(notifications, dia, { quiet: 0 });
  world.bus.arrive(dia);
  await decide(3, ana);
  await decide(3, cem);
  await decide(3, dia);
  expect(await told()).toMatchObject([{ title: "Fava’dan size bir yanıt var", lang: "tr", ttlSeconds: 10 * 3_600 }]);
  const [{ navigate, title, tag } = { navigate: "", title: "", tag: "" }] = await told();
  expect(navigate).toBe("https://fava.test/");
  expect(`${title}${tag}`).not.toMatch(/person \d/);
  world.bus.disconnect(dia, 4_001);
  await decide(1, dia);
  expect((await told())[0]).toMatchObject({
    title: "Fava has an answer for you",
    ttlSeconds: decisionNotificationTtlSeconds,
  });
});

test("sends no notification once the reporter has returned or received the outcome", async () => {
  const { notifications, told } = withPushes();
  const ana = await world.person();
  await subscribe(notifications, ana);
  notifications.notifyOfDecision(ana, async () => false);
  expect(await told()).toEqual([]);
  const seen: (() => Promise<boolean>)[] = [];
  world.absent.notifyOfDecision = (_userId, isDue) => void seen.push(isDue);
  await decide(3, ana);
  expect(await seen[0]?.()).toBe(true);
  world.bus.arrive(ana);
  await world.outbox[Symbol.asyncDispose]();
  expect(await seen[0]?.()).toBe(false);
  world.bus.disconnect(ana, 4_001);
  expect(await seen[0]?.()).toBe(false);
});

test("sends unacknowledged outcomes again on return, and notifies the browser meanwhile", async () => {
  const { notifications, told } = withPushes();
  const ana = await world.person();
  await subscribe(notifications, ana);
  const arrive = async () => {
    world.bus.arrive(ana);
    await world.outbox[Symbol.asyncDispose]();
    return world.bus.take(ana).map((push) => ("outcome" in push ? push.outcome : push));
  };
  await arrive();
  await decide(3, ana);
  expect(world.bus.take(ana)).toHaveLength(1);
  world.bus.close(ana, 1006);
  for (const operation of [1, 3, 1] as const) await decide(operation, ana);
  expect(await told()).toEqual([]);
  world.clock.advance(socketResumeMs);
  world.bus.tick();
  await world.outbox[Symbol.asyncDispose]();
  expect(await told()).toMatchObject([{ title: "Fava has an answer for you" }]);
  const heard = await arrive();
  const times = (outcome: string) => heard.filter((one) => one === outcome).length;
  expect([heard.length, times("acted"), times("nothing_found")]).toEqual([3, 1, 2]);
  expect(await arrive()).toEqual([]);
});

test("sends at most three notifications a day, each replacing the one before", async () => {
  const { notifications, told } = withPushes();
  const ana = await world.person();
  await subscribe(notifications, ana);
  for (let decision = 0; decision <= decisionNotificationsPerDayMax; decision += 1) await decide(1, ana);
  const all = await told();
  expect([all.length, new Set(all.map(({ tag }) => tag)).size]).toEqual([decisionNotificationsPerDayMax, 1]);
  world.bus.arrive(ana);
  await world.outbox[Symbol.asyncDispose]();
  expect(world.bus.take(ana)).toHaveLength(decisionNotificationsPerDayMax + 1);
});
