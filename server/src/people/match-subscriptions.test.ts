import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { MatchFilters } from "@fava/wire/beans.ts";
import { matchSubscriptionTtlMs } from "@fava/wire/limits.ts";
import { notificationKinds, type NotificationPayload, searchIn } from "@fava/wire/notifications.ts";
import { seeds } from "@fava/wire/testing/depth.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { fakeBrowser } from "#test/fakes/fake-browser.ts";
import { matchSubscriptionsOver, type SubscriberState } from "#test/fixtures/match-subscriptions.ts";
import { MessageWorld } from "#test/fixtures/message-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { contextOf } from "#test/fixtures/social-world.ts";
import type { MatchSubscriptions, WaitingSearch } from "./match-subscriptions.ts";
import { matchSubscriptionHandlers, notificationHandlers } from "./notification-routes.ts";
import { storeTalk } from "./profile-store.ts";
import { deleteExpiredData } from "./retention.ts";

const hourMs = 3_600_000;
const home = 18;
const fits = notificationKinds.indexOf("fits");
const anybody: MatchFilters = { sex: 0, country: 0 };

let world: MessageWorld;
let subscriptions: MatchSubscriptions;
let browsersMade = 0;
const gated = new Set<bigint>();
const state: SubscriberState = { pausedUntil: new Map(), busy: new Set(), gated };
const { pausedUntil: paused, busy } = state;

beforeAll(async () => {
  world = await MessageWorld.open();
  world.social.clock.advance(12 * hourMs);
  subscriptions = server();
});

afterEach(async () => {
  await world.social.database.pool.query("delete from match_subscriptions");
  for (const known of [paused, busy, gated]) known.clear();
});

const server = () => matchSubscriptionsOver(world, state);

const ask = (userId: bigint, { sex, country }: MatchFilters = anybody, on: 0 | 1 = 1) =>
  matchSubscriptionHandlers(subscriptions).matchSubscription(contextOf(userId), {
    user_id: Number(userId),
    sex,
    country,
    on,
  });

async function subscribe(userId: bigint, change: object = {}): Promise<string> {
  const { target } = fakeBrowser(`https://push.test/tell-${(browsersMade += 1)}`);
  const choice = { kinds: [fits], names: 0 as const, quiet: 1 as const, offset_min: 0 };
  await notificationHandlers(world.notifications).pushAdd(contextOf(userId), {
    user_id: Number(userId),
    ...target,
    ...choice,
    ...change,
  });
  return target.endpoint;
}

/** Subscribes a new user who has a browser to notify. Later ones come after earlier ones. */
async function asker(filters: MatchFilters = anybody, person: Parameters<typeof world.social.person>[0] = {}) {
  const userId = await world.social.person(person);
  const endpoint = await subscribe(userId);
  world.social.clock.advance(1);
  await ask(userId, filters);
  return { userId, endpoint };
}

function leaveOut(userId: bigint, countryId: number): Promise<void> {
  return storeTalk(world.social.database.db, userId, { leaves_out: [countryId], at: new Date(0) });
}

async function waiting(change: Partial<WaitingSearch> = {}): Promise<WaitingSearch> {
  const userId = await world.social.person();
  world.social.bus.arrive(userId);
  return { userId, filters: anybody, facts: { sex: 1, countryId: home }, isWaiting: () => true, ...change };
}

async function wait(search: WaitingSearch, at = subscriptions): Promise<number> {
  at.waited(search);
  await at.idle();
  const said = world.social.bus.take(search.userId).filter((one) => "type" in one && one.type === "told");
  return said.reduce((sum, one) => sum + ("count" in one ? one.count : 0), 0);
}

const cameTo = (endpoint: string) =>
  world.pusher.kept
    .filter((one) => one.endpoint === endpoint)
    .map(({ payload, ttlSeconds, topic }) => ({
      ...(JSON.parse(payload) as NotificationPayload).notification,
      ttlSeconds,
      topic,
    }));

const asked = async () =>
  (
    await world.social.database.db.selectFrom("match_subscriptions").select("user_id").orderBy("created_at").execute()
  ).map(({ user_id }) => user_id);

describe("subscribing", () => {
  test("keeps one subscription per user for a day; a second replaces it, and the user can cancel", async () => {
    const userId = await world.social.person();
    const nowMs = world.social.clock.nowMs();
    expect(await ask(userId, { sex: 2, country: 19 })).toEqual({ until: nowMs + matchSubscriptionTtlMs });
    await ask(userId, { sex: 1, country: -1 });
    const { db } = world.social.database;
    expect(await db.selectFrom("match_subscriptions").select(["sex", "country_id", "own_sex"]).execute()).toEqual([
      { sex: 1, country_id: -1, own_sex: 1 },
    ]);
    expect(await ask(userId, anybody, 0)).toEqual({ until: null });
    expect(await ask(userId, anybody, 0)).toEqual({ until: null });
    expect(await asked()).toEqual([]);
  });

  test("returns the filters and the expiry of the user's own subscription only", async () => {
    const read = (userId: bigint) =>
      matchSubscriptionHandlers(server()).matchSubscriptionInfo(contextOf(userId), { user_id: Number(userId) });
    const { clock } = world.social;
    const { userId } = await asker({ sex: 2, country: -1 });
    const until = clock.nowMs() + matchSubscriptionTtlMs;
    expect(await read(userId)).toEqual({ wish: { sex: 2, country: -1, until } });
    expect(await read(await world.social.person())).toEqual({ wish: null });
    await ask(userId, anybody, 0);
    expect(await read(userId)).toEqual({ wish: null });
    await ask(userId);
    clock.advance(matchSubscriptionTtlMs);
    expect(await read(userId)).toEqual({ wish: null });
    await ask(userId);
    await wait(await waiting());
    expect(await read(userId)).toEqual({ wish: null });
  });

  test("rejects a country that the user leaves out", async () => {
    const userId = await world.social.person();
    await leaveOut(userId, 19);
    const refused = { code: 400, data: { field: "country" } };
    expect(await refusalOf(ask(userId, { sex: 0, country: 19 }))).toEqual(refused);
    expect(await ask(userId, { sex: 0, country: 18 })).toMatchObject({ until: expect.any(Number) as number });
  });

  test("rejects a country that cannot be chosen, and another user's id", async () => {
    const userId = await world.social.person();
    expect(await refusalOf(ask(userId, { sex: 0, country: 77 }))).toEqual({ code: 400, data: { field: "country" } });
    const forAnother = matchSubscriptionHandlers(subscriptions).matchSubscription(contextOf(userId), {
      user_id: 1,
      ...anybody,
      on: 1,
    });
    expect(await refusalOf(forAnother)).toEqual({ code: 400, data: { field: "user_id" } });
    expect(await asked()).toEqual([]);
  });

  test("notifies nobody after a day, and deletes the subscription", async () => {
    const { endpoint } = await asker();
    const { clock, database } = world.social;
    clock.advance(matchSubscriptionTtlMs - 1);
    await deleteExpiredData(database.db, clock.nowMs());
    expect(await asked()).toHaveLength(1);
    clock.advance(1);
    expect(await wait(await waiting())).toBe(0);
    await deleteExpiredData(database.db, clock.nowMs());
    expect([await asked(), cameTo(endpoint)]).toEqual([[], []]);
  });
});

describe("notifying", () => {
  test("notifies once, without a name, within two minutes; a press opens the search with these filters", async () => {
    const { userId, endpoint } = await asker({ sex: 1, country: home });
    const one = await waiting();
    expect([await wait(one), await wait(one), await wait(await waiting())]).toEqual([1, 0, 0]);
    const [told, ...more] = cameTo(endpoint);
    expect(more).toEqual([]);
    expect(told).toMatchObject({ title: "Someone you asked for is waiting now", ttlSeconds: 120 });
    const { hash, href } = new URL(told!.navigate);
    expect(href.replace(hash, "")).toBe("https://fava.test/?open=search");
    expect(searchIn(hash)).toEqual({ sex: 1, country: home, to: await world.social.externalIdOf(userId) });
    expect(JSON.stringify(told)).not.toContain(await world.social.externalIdOf(one.userId));
    expect(await asked()).toEqual([]);
  });

  test("notifies two users at a time, oldest subscription first", async () => {
    const all = [await asker(), await asker(), await asker(), await asker(), await asker()];
    const one = await waiting();
    const left = (from: number) => all.slice(from).map(({ userId }) => userId);
    expect([await wait(one), await asked()]).toEqual([2, left(2)]);
    expect([await wait(one), await asked()]).toEqual([2, left(4)]);
  });

  test("notifies nobody of a search that has ended or ends meanwhile", async () => {
    await asker();
    await asker();
    expect(await wait(await waiting({ isWaiting: () => false }))).toBe(0);
    let asks = 0;
    expect(await wait(await waiting({ isWaiting: () => (asks += 1) < 4 }))).toBe(1);
    expect(await asked()).toHaveLength(1);
  });

  test("notifies at most six times an hour for a user who starts again and again", async () => {
    for (let count = 0; count < 14; count += 1) await asker();
    const one = await waiting();
    let told = 0;
    for (let count = 0; count < 8; count += 1) told += await wait(one);
    expect([told, (await asked()).length]).toEqual([12, 2]);
  });

  test("notifies at most three times a day", async () => {
    const { userId, endpoint } = await asker();
    for (let count = 0; count < 5; count += 1) {
      await wait(await waiting());
      await ask(userId);
    }
    expect([cameTo(endpoint).length, await asked()]).toEqual([3, [userId]]);
  });

  test("notifies of the next search if no browser was reached, while the subscription lasts", async () => {
    const { userId, endpoint } = await asker({ sex: 1, country: home });
    const asking = await subscriptions.current(userId);
    const send = world.pusher.send.bind(world.pusher);
    world.pusher.send = async () => "failed";
    expect(await wait(await waiting())).toBe(0);
    expect(await subscriptions.current(userId)).toEqual(asking);
    world.pusher.send = send;
    expect([await wait(await waiting()), cameTo(endpoint).length, await asked()]).toEqual([1, 1, []]);
  });

  test("keeps a cancellation or a replacement that happens during sending", async () => {
    const send = world.pusher.send.bind(world.pusher);
    const [gone, changed] = [await asker(), await asker()];
    world.pusher.send = async ({ endpoint }) => {
      world.social.clock.advance(1);
      if (endpoint === gone.endpoint) await ask(gone.userId, anybody, 0);
      else await ask(changed.userId, { sex: 2, country: 19 });
      return "failed";
    };
    expect(await wait(await waiting())).toBe(0);
    world.pusher.send = send;
    expect(await asked()).toEqual([changed.userId]);
    const until = world.social.clock.nowMs() + matchSubscriptionTtlMs;
    expect(await subscriptions.current(changed.userId)).toEqual({ sex: 2, country: 19, until });
  });

  test("notifies only browsers that want it, outside their quiet hours", async () => {
    const night = await world.social.person();
    const messagesOnly = await world.social.person();
    const nowhere = await world.social.person();
    const evening = await world.social.person();
    await subscribe(night, { offset_min: 600 });
    await subscribe(messagesOnly, { kinds: [0] });
    const at = await subscribe(evening, { offset_min: 599 });
    for (const userId of [night, messagesOnly, nowhere, evening]) await ask(userId);
    expect(await wait(await waiting())).toBe(1);
    expect(cameTo(at).map(({ ttlSeconds }) => ttlSeconds)).toEqual([60]);
    expect(await asked()).toEqual([night, messagesOnly, nowhere]);
  });

  test("[NOTIFY-28] requires that the current facts of both fit the filters of each other", async () => {
    const women = await asker({ sex: 2, country: 0 });
    const elsewhere = await asker({ sex: 0, country: 19 });
    const abroad = await asker(anybody, { country_id: 20 });
    const changed = await asker();
    await world.social.database.db
      .updateTable("users")
      .set({ country_id: 20 })
      .where("id", "=", changed.userId)
      .execute();
    expect(await wait(await waiting({ filters: { sex: 1, country: home } }))).toBe(0);
    expect(await asked()).toEqual([women, elsewhere, abroad, changed].map(({ userId }) => userId));
    expect(await wait(await waiting({ filters: { sex: 1, country: home }, facts: { sex: 2, countryId: 19 } }))).toBe(2);
    expect(await asked()).toEqual([abroad.userId, changed.userId]);
  });

  test.each([
    ["blocked the waiting user", async (one, other) => world.social.social.block(one, other)],
    ["was blocked by the waiting user", async (one, other) => world.social.social.block(other, one)],
    ["avoids the waiting user", async (one, other) => keepApart(one, other)],
    ["is avoided by the waiting user", async (one, other) => keepApart(other, one)],
    ["is paused", async (one) => void paused.set(one, Infinity)],
    ["would be notified of a paused user", async (_one, other) => void paused.set(other, Infinity)],
    ["searches or is in a call", async (one) => void busy.add(one)],
    ["is banned", async (one) => ban(one)],
    ["deleted the account", async (one) => world.social.delete(one)],
    ["would be notified of a deleted account", async (_one, other) => world.social.delete(other)],
  ] satisfies [string, (one: bigint, other: bigint) => Promise<void>][])(
    "[NOTIFY-28] notifies nobody who %s",
    async (_who, happens) => {
      const { userId, endpoint } = await asker();
      const search = await waiting();
      await world.social.call(userId, search.userId);
      await happens(userId, search.userId);
      expect(await wait(search)).toBe(0);
      expect([cameTo(endpoint), await asked()]).toEqual([[], [userId]]);
    },
  );
});

async function keepApart(userId: bigint, otherId: bigint): Promise<void> {
  const until = new Date(world.social.clock.nowMs() + hourMs);
  await world.social.database.db.insertInto("aparts").values({ user_id: userId, other_id: otherId, until }).execute();
}

async function ban(userId: bigint): Promise<void> {
  await world.social.database.pool.query(
    "insert into bans (user_id, reason_id, until, created_at, is_provisional, strike) values ($1, 1, null, $2, false, 0)",
    [userId, new Date(world.social.clock.nowMs())],
  );
}

test.each(seeds(3))(
  "[NOTIFY-28] notifies each subscriber once at most from four servers at once, and never of an excluded user (seed %i)",
  async (seed) => {
    const random = seededRandom(seed);
    const oneOf = <Value>(...values: readonly Value[]) => values[random.integer(0, values.length - 1)]!;
    const chance = (percent: number) => random.integer(1, 100) <= percent;
    const filtersOf = (): MatchFilters => ({ sex: oneOf(0, 0, 1, 2), country: oneOf(-1, 0, 0, home, 19) });
    const { social } = world;
    const people = new Map<bigint, { sex: 1 | 2; countryId: number; wish: MatchFilters; endpoint: string }>();
    const searches: WaitingSearch[] = [];
    for (let count = 0; count < 60; count += 1) {
      const facts = { sex: oneOf(1, 2) as 1 | 2, countryId: oneOf(home, 19) };
      const userId = await social.person({ sex: facts.sex, country_id: facts.countryId });
      if (chance(10)) paused.set(userId, Infinity);
      if (count % 2 === 0) {
        const wish = filtersOf();
        people.set(userId, { ...facts, wish, endpoint: await subscribe(userId) });
        await ask(userId, wish);
      } else {
        social.bus.arrive(userId);
        searches.push({ userId, filters: filtersOf(), facts, isWaiting: () => true });
      }
    }
    const barred = new Set<string>();
    for (const { userId } of searches)
      for (const other of people.keys()) {
        if (!chance(20)) continue;
        barred.add(`${userId} ${other}`);
        const [one, two] = chance(50) ? [userId, other] : [other, userId];
        if (chance(50)) await keepApart(one, two);
        else
          await social.database.db
            .insertInto("blocks")
            .values({ user_id: one, other_id: two, at: new Date() })
            .execute();
      }
    const sent: { endpoint: string }[] = [];
    const send = world.pusher.send.bind(world.pusher);
    world.pusher.send = async ({ endpoint }) => {
      sent.push({ endpoint });
      return "sent";
    };
    const servers = [subscriptions, server(), server(), server()];
    for (const search of searches) for (const one of servers) one.waited(search);
    await Promise.all(servers.map((one) => one.idle()));
    world.pusher.send = send;

    const told = new Set(sent.map(({ endpoint }) => endpoint));
    expect(sent).toHaveLength(told.size);
    const said = searches.flatMap(({ userId }) => social.bus.take(userId)).filter((one) => "count" in one);
    expect(said.reduce((sum, one) => sum + ("count" in one ? one.count : 0), 0)).toBe(told.size);
    const accepts = ({ sex, country }: MatchFilters, person: { sex: number; countryId: number }) =>
      (sex === 0 || sex === person.sex) && (country <= 0 || country === person.countryId);
    const mayHear = ([userId, { wish, ...own }]: [bigint, { wish: MatchFilters; sex: 1 | 2; countryId: number }]) =>
      !paused.has(userId) &&
      searches.some(
        ({ userId: other, filters, facts }) =>
          !paused.has(other) && !barred.has(`${other} ${userId}`) && accepts(wish, facts) && accepts(filters, own),
      );
    expect([...people].filter((one) => told.has(one[1].endpoint) && !mayHear(one))).toEqual([]);
    expect(told.size).toBeGreaterThan(0);
    expect(await asked()).toHaveLength(people.size - told.size);
  },
);

test("notifies nobody of a user from a country that either leaves out", async () => {
  const leaving = await asker();
  await leaveOut(leaving.userId, home);
  const foreign = await asker(anybody, { country_id: 20 });
  const told = await asker();
  expect(await wait(await waiting({ facts: { sex: 1, countryId: home, leavesOut: [20] } }))).toBe(1);
  expect(cameTo(told.endpoint)).toHaveLength(1);
  expect([cameTo(leaving.endpoint), cameTo(foreign.endpoint)]).toEqual([[], []]);
});
