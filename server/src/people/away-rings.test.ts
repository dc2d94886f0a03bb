import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { ringMs, ringNotificationsPerDayMax } from "@fava/wire/limits.ts";
import { conversationIn, notificationKinds, type NotificationPayload } from "@fava/wire/notifications.ts";
import { type FakeBrowser, fakeBrowser } from "#test/fakes/fake-browser.ts";
import { type Hindrance, RingWorld } from "#test/fixtures/ring-world.ts";
import { refusals } from "#test/fixtures/social-world.ts";

const hourMs = 3_600_000;
const unavailable = { state: "unavailable" };

let world: RingWorld;
let browsersMade = 0;
beforeAll(async () => {
  world = await RingWorld.open(1_000);
  // Noon UTC, when a browser with offset 0 has no quiet hours.
  world.clock.advance(12 * hourMs);
});
afterEach(() => world.stopAll());

async function subscribe(userId: bigint, change: { kinds?: number[]; names?: 0 | 1; quiet?: 0 | 1 } = {}) {
  const browser = fakeBrowser(`https://push.test/away-${(browsersMade += 1)}`);
  const choice = { kinds: [notificationKinds.indexOf("ring")], names: 0, quiet: 1, offset_min: 0, ...change } as const;
  const session = { id: `session-${userId}`, userId } as Parameters<typeof world.notifications.add>[0];
  await world.notifications.add(session, browser.target, { ...choice, kinds: [...choice.kinds] });
  return browser;
}

async function sentTo({ target }: FakeBrowser) {
  await world.settled();
  return world.pushed
    .filter(({ endpoint }) => endpoint === target.endpoint)
    .map(({ payload, ...rest }) => ({ ...rest, ...(JSON.parse(payload) as NotificationPayload).notification }))
    .toReversed();
}

/** Two friends, the second without an open page, and the browser that receives the second's notifications. */
async function awayFriend(change?: Parameters<typeof subscribe>[1]) {
  const [ana, bo] = await world.friends(2);
  world.close(bo);
  await world.settled();
  return { ana, bo, at: await subscribe(bo, change) };
}

const lines = async (one: bigint, other: bigint) =>
  (await world.thread(one, other)).map(({ msgType }) => msgType).filter((kind) => kind === "missed");

async function wait(ms: number): Promise<void> {
  world.clock.advance(ms);
  await world.settled();
}

describe("an absent friend", () => {
  test("gets one notification without a name while it rings; a page that opens meanwhile can accept", async () => {
    const { ana, bo, at } = await awayFriend();
    const until = world.clock.nowMs() + ringMs;
    const answer = await world.ring(ana, bo, "offer of ana");
    expect(answer).toEqual({ state: "ringing", id: expect.any(String), until });
    const { id } = answer as Extract<typeof answer, { state: "ringing" }>;
    expect(await world.ring(ana, bo)).toMatchObject({ state: "ringing", id });
    const [told, ...more] = await sentTo(at);
    expect(more).toEqual([]);
    expect(told).toMatchObject({
      title: "Call from a friend",
      ttlSeconds: ringMs / 1_000,
      isUrgent: true,
      renotify: true,
      tag: told?.topic,
    });
    const { navigate, ...shown } = told!;
    const { hash, search } = new URL(navigate);
    const [other, to] = await Promise.all([ana, bo].map((person) => world.social.externalIdOf(person)));
    expect([conversationIn(hash), search]).toEqual([{ with: other, to }, "?open=messages"]);
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`${other}|${to}|person \\d`));
    await wait(20_000);
    await world.social.arrive(bo);
    await world.open(bo);
    expect(await world.answer(bo, id, 1)).toEqual({ state: "connected" });
    await world.inOneRoom(ana, bo);
    expect(await sentTo(at)).toHaveLength(1);
    expect(await lines(bo, ana)).toEqual([]);
  });

  test("sees the ring on a page at any server", async () => {
    const { ana, bo } = await awayFriend();
    const id = await world.rung(ana, bo);
    world.social.bus.arrive(bo);
    await world.settled();
    expect(world.told(bo)).toMatchObject([{ kind: "ring", id, from: { userId: Number(ana) } }]);
  });

  test("gets a later ring in place of the earlier one, with the caller's name if wanted, in their language", async () => {
    const { ana, bo, at } = await awayFriend({ names: 1 });
    const cem = await world.social.person();
    await world.social.call(bo, cem);
    await world.social.friends(bo, cem);
    await world.open(cem);
    await world.db.updateTable("users").set({ language: "tr" }).where("id", "=", bo).execute();
    for (const friend of [ana, cem]) {
      await world.rung(friend, bo);
      await world.settled();
      await wait(ringMs);
    }
    const names = await world.db
      .selectFrom("users")
      .select("nickname")
      .where("id", "in", [ana, cem])
      .orderBy("id")
      .execute();
    const told = await sentTo(at);
    expect(told.map(({ title, lang }) => [title, lang])).toEqual(
      names.map(({ nickname }) => [`Arayan: ${nickname}`, "tr"]),
    );
    expect(new Set(told.flatMap(({ tag, topic }) => [tag, topic])).size).toBe(1);
  });

  test("is unavailable without a browser to notify", async () => {
    const { ana, bo, at } = await awayFriend({ kinds: [0, 1] });
    expect([await world.ring(ana, bo), await sentTo(at)]).toEqual([unavailable, []]);
    await wait(ringMs);
    expect(await lines(bo, ana)).toEqual([]);
  });

  test("is not notified of a user who may not ring, and the answer does not say why", async () => {
    const { ana, bo, at } = await awayFriend();
    const cem = await world.social.person();
    await world.social.call(bo, cem);
    await world.social.friends(bo, cem);
    await world.open(cem);
    const reasons: Hindrance[] = [
      ...world.hindrances(ana, bo),
      ["is rung", () => world.rung(cem, bo), () => wait(ringMs)],
    ];
    for (const [why, begin, end] of reasons) {
      await begin();
      const before = (await sentTo(at)).length;
      expect([why, JSON.stringify(await world.ring(ana, bo))]).toEqual([why, JSON.stringify(unavailable)]);
      expect([why, await sentTo(at)]).toEqual([why, expect.objectContaining({ length: before })]);
      await end();
      expect([why, await lines(bo, ana)]).toEqual([why, []]);
    }
    const before = (await sentTo(at)).length;
    await world.social.social.block(bo, ana);
    await expect(world.ring(ana, bo)).rejects.toMatchObject(refusals.notMet);
    const stranger = await world.social.person();
    await world.open(stranger);
    await expect(world.ring(stranger, bo)).rejects.toMatchObject(refusals.notMet);
    expect(await sentTo(at)).toHaveLength(before);
  });

  test("is notified of at most three rings of one friend in ten minutes", async () => {
    const limited = await RingWorld.open();
    const [ana, bo] = await limited.friends(2);
    limited.close(bo);
    const browser = fakeBrowser("https://push.test/limited");
    const session = { id: "s", userId: bo } as Parameters<typeof limited.notifications.add>[0];
    const choice = { kinds: [notificationKinds.indexOf("ring")], names: 0, quiet: 0, offset_min: 0 } as const;
    await limited.notifications.add(session, browser.target, { ...choice, kinds: [...choice.kinds] });
    let refused = 0;
    for (let ring = 0; ring < 100; ring += 1) {
      const answer = await limited.ring(ana, bo).catch(() => null);
      // The caller cancelled the ring before its notification was due.
      await limited.settled();
      if (answer?.state === "ringing") await limited.cancel(ana, answer.id);
      else refused += 1;
      await limited.settled();
    }
    expect([refused, limited.pushed.length]).toEqual([97, 3]);
  });

  test("gets nothing in quiet hours or after thirty a day, which the caller cannot tell", async () => {
    const { ana, bo, at } = await awayFriend();
    for (let ring = 0; ring <= ringNotificationsPerDayMax; ring += 1) {
      await world.rung(ana, bo);
      await world.settled();
      await wait(ringMs);
    }
    expect(await sentTo(at)).toHaveLength(ringNotificationsPerDayMax);
    const quiet = await awayFriend();
    const loud = await awayFriend({ quiet: 0 });
    const toNightMs = 24 * hourMs - (world.clock.nowMs() % (24 * hourMs));
    await wait(toNightMs);
    for (const { ana: ringer, bo: rung } of [quiet, loud]) {
      await world.open(ringer);
      expect(await world.ring(ringer, rung)).toMatchObject({ state: "ringing" });
    }
    expect([await sentTo(quiet.at), (await sentTo(loud.at)).length]).toEqual([[], 1]);
    await wait(ringMs);
    expect(await lines(quiet.bo, quiet.ana)).toHaveLength(1);
    await wait(12 * hourMs);
  });

  test("is not notified of a ring that ended, was cancelled or was seen before sending", async () => {
    const { ana, bo, at } = await awayFriend();
    await world.open(ana);
    const unheard = (id: string) => ({
      ring: { callerId: ana, calleeId: bo, untilMs: world.clock.nowMs() + ringMs },
      isStillRinging: async () => (await world.stateOf(id))?.state === "ringing",
    });
    const id = await world.rung(ana, bo);
    await world.cancel(ana, id);
    const before = (await sentTo(at)).length;
    world.notifications.notifyOfRing(unheard(id));
    expect(await sentTo(at)).toHaveLength(before);
    const second = await world.rung(ana, bo);
    expect(await sentTo(at)).toHaveLength(before + 1);
    await world.social.social.block(bo, ana);
    await world.settled();
    world.notifications.notifyOfRing({ ...unheard(second), isStillRinging: async () => true });
    expect(await sentTo(at)).toHaveLength(before + 1);
  });

  test("finds a cancelled ring, or one whose caller left, as missed, and no trace of one declined on a page", async () => {
    const { ana, bo } = await awayFriend();
    await world.open(ana);
    await world.cancel(ana, await world.rung(ana, bo));
    await world.settled();
    expect(await lines(bo, ana)).toEqual(["missed"]);
    await world.rung(ana, bo);
    world.close(ana);
    await world.settled();
    expect(await lines(bo, ana)).toHaveLength(2);
    expect(await world.unread(bo)).toBe(0);
    await world.open(ana);
    const id = await world.rung(ana, bo);
    await world.open(bo);
    await world.answer(bo, id, 0);
    await world.settled();
    expect(await lines(bo, ana)).toHaveLength(2);
  });
});
