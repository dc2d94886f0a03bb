import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import { systemClock } from "#adapters/local/clock.ts";
import { LocalPeers, LocalSite } from "#adapters/local/peers.ts";
import { LocalTemporaryStore } from "#adapters/local/temporary-store.ts";
import { systemRandom } from "#adapters/local/random.ts";
import { chooseShared } from "#adapters/open.ts";
import { callCutter } from "#calls/call-cutter.ts";
import { UserCache } from "#lib/cache.ts";
import { shareInvalidations } from "#moderation/open.ts";
import { shareChanges } from "#people/shared-changes.ts";
import { SocialService } from "#people/social-service.ts";
import { type Peers, personKey } from "#ports/peers.ts";
import type { UserLocale } from "#ports/text-rules.ts";
import { MemoryBus } from "#test/fakes/memory-bus.ts";
import { noLimits } from "#test/fakes/no-limits.ts";
import type { TestDatabase } from "#test/fixtures/database.ts";
import { homesOf } from "#test/fixtures/homes.ts";
import { noUnwrittenCalls } from "#test/fixtures/matched.ts";
import { connected, redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { sessionWorld } from "#test/fixtures/session-world.ts";
import { storeCall } from "#test/fixtures/stored-calls.ts";

const logger = pino({ level: "silent" });
const patiently = { timeout: 30_000 };
const [ana, bo] = [1n, 2n];

/** A server with its own database or a shared one, as far as it receives news from others. */
async function openServer(peers: Peers, shared: TestDatabase | null = null) {
  const world = await sessionWorld({}, undefined, shared);
  const { sessions, standings, clock } = world;
  const { db } = world.database;
  const known = {
    limits: noLimits,
    unwrittenCalls: noUnwrittenCalls,
    temporaryStore: new LocalTemporaryStore({ clock }),
    unreadTotal: async () => 0,
  };
  const social = new SocialService({ db, clock, logger, bus: new MemoryBus(() => 0), ...known });
  const hub = { signInEnded: vi.fn<(...ended: unknown[]) => void>(), signInIds: vi.fn<() => string[]>(() => []) };
  const texts = { locales: new UserCache<UserLocale>({ entriesMax: 10 }) };
  shareChanges({ peers, sockets: hub, sessions, standings, social, logger });
  shareInvalidations({ peers, standings, texts });
  return { ...world, social, hub, texts };
}

async function openTwo() {
  const site = new LocalSite();
  const peers = ["one", "other"].map((self) => new LocalPeers({ self, site, logger }));
  const one = await openServer(peers[0]!);
  await one.seed();
  return { one, other: await openServer(peers[1]!, one.database) };
}

test("[PEER-11] ends session and socket on another server at a sign-in", async () => {
  const { one, other } = await openTwo();
  const { token, user } = await one.login("ana");
  const before = await one.sessions.authenticate(token);
  await other.login("ana");
  expect(before.kind).toBe("live");
  expect(await one.sessions.authenticate(token)).toMatchObject({ kind: "ended", reason: "kicked" });
  const sessionId = before.kind === "live" ? before.session.id : "";
  expect(one.hub.signInEnded.mock.calls).toEqual([[user.id, sessionId, socketCloseCodes.kicked]]);
  expect(other.hub.signInEnded.mock.calls).toEqual([[user.id, sessionId, socketCloseCodes.kicked]]);
});

test("[PEER-11] closes the socket on another server as banned at a ban", async () => {
  const { one, other } = await openTwo();
  const { user } = await one.login("ana");
  await other.sessions.endAllOf(user.id, "banned");
  expect(one.hub.signInEnded.mock.calls).toEqual([[user.id, expect.any(String), socketCloseCodes.banned]]);
});

test("drops cached facts on all servers, country and languages at a sign-in or a new choice", async () => {
  const { one, other } = await openTwo();
  const { user } = await one.login("ana");
  const before = await other.profiles.remoteUser(user.id, "en");
  await one.database.db.updateTable("users").set({ nickname: "Anna" }).where("id", "=", user.id).execute();
  expect((await other.profiles.remoteUser(user.id, "en")).nickname).toBe(before.nickname);
  one.profiles.forget(user.id);
  expect((await other.profiles.remoteUser(user.id, "en")).nickname).toBe("Anna");
  const [turkish, german] = [
    { country: "TR", languages: ["tr"] },
    { country: "DE", languages: ["de"] },
  ];
  await other.texts.locales.get(user.id, async () => turkish);
  await one.login("ana");
  expect(await other.texts.locales.get(user.id, async () => german)).toBe(german);
  one.profiles.forget(user.id);
  expect(await other.texts.locales.get(user.id, async () => turkish)).toBe(turkish);
});

test("reads the mute of a user again on every server when one server changes their restrictions", async () => {
  const { one, other } = await openTwo();
  const heard = [one, other].map(({ standings }) => {
    const dropped = vi.fn<(userId: bigint) => void>();
    standings.cache.onDropped(dropped);
    return dropped;
  });
  one.standings.forget(7n);
  for (const { mock } of heard) expect(mock.calls).toEqual([[7n]]);
});

test("[PEER-12] keeps two users apart on another server during a block", async () => {
  const { one, other } = await openTwo();
  const [first, second] = [(await one.login("ana")).user.id, (await one.login("bo")).user.id];
  await Promise.all([other.social.blocks.prepare(first), other.social.blocks.prepare(second)]);
  const parted = vi.fn<(blocker: bigint, blocked: bigint) => void>();
  other.social.onBlocked(parted);
  await one.social.found.remember(first, [second]);
  await one.social.block(first, second);
  expect([other.social.blocks.isExcluded(first, second), parted.mock.calls]).toEqual([true, [[first, second]]]);
  await one.social.unblock(first, second);
  expect(other.social.blocks.isExcluded(first, second)).toBe(false);
});

test(`[TALK-25] [PEER-12] keeps two users apart on another server during "not again"`, async () => {
  const { one, other } = await openTwo();
  const [first, second] = [(await one.login("ana")).user.id, (await one.login("bo")).user.id];
  const parted = vi.fn<() => void>();
  other.social.onBlocked(parted);
  await Promise.all([other.social.blocks.prepare(first), other.social.blocks.prepare(second)]);
  const at = new Date(one.clock.nowMs());
  const people = { offerer_id: first, answerer_id: second };
  const times = { matched_at: at, connected_at: at, ended_at: at, end_reason: "left" } as const;
  await storeCall(one.database.db, { ...people, ...times });
  await one.social.keepApart(first, second, true);
  expect([other.social.blocks.isExcluded(second, first), parted.mock.calls]).toEqual([true, []]);
  await one.social.sendRematchRequest(first, second, true);
  expect(other.social.blocks.isExcluded(first, second)).toBe(false);
});

test("[PEER-13] asks the server with the chat session, and tells the previous one that it moved", async () => {
  const site = new LocalSite();
  const [one, other] = [new LocalPeers({ self: "one", site, logger }), new LocalPeers({ self: "other", site, logger })];
  const replaced = vi.fn<(userId: bigint) => void>();
  const cut = vi.fn<() => boolean>(() => true);
  const current = () => ({ match: { roomId: "room", user_Id: 2 } }) as never;
  const cutFrom = callCutter(one, { current: () => null, cut });
  callCutter(other, { current, cut });
  const pages = (isHere = true) => ({ isHere: () => isHere }) as never;
  await using homes = homesOf(one, { hub: pages(), replaced });
  await using others = homesOf(other, { hub: pages() });
  homes.arrived(ana);
  await vi.waitFor(async () => expect(await one.ask("cutCall", personKey(ana), null)).toBeNull(), patiently);
  expect(await cutFrom(bo)).toBeNull();
  others.arrived(ana);
  await vi.waitFor(() => expect(replaced.mock.calls).toEqual([[ana]]), patiently);
  expect(await cutFrom(ana)).toEqual({ callId: "room", otherId: 2n });
  expect(cut).toHaveBeenCalledOnce();
  others.gone(ana, "closed");
  expect(await cutFrom(ana)).toBeNull();
});

test.runIf(redisIsInstalled)(
  "[PEER-11] drops all cached state and finds ended sessions after a gap of Redis",
  async () => {
    await using server = await TestRedis.start();
    const config = { redisUrl: server.url, rateLimitFactor: 1 };
    const parts = { clock: systemClock, random: systemRandom, logger };
    await using shared = await chooseShared(config, parts);
    await using others = await chooseShared(config, parts);
    const one = await openServer(shared.peers);
    await one.seed();
    const other = await openServer(others.peers, one.database);
    const { token, user } = await one.login("ana");
    await one.sessions.authenticate(token);
    const kicked = (sessionId: string) => [user.id, sessionId, socketCloseCodes.kicked] as const;
    const tell = (sessionId: string) =>
      others.peers.broadcast("sessionEnded", { sessionId, userId: user.id, reason: "kicked" });
    const kick = () => {
      tell("s");
      expect(one.hub.signInEnded).toHaveBeenCalledWith(...kicked("s"));
    };
    await vi.waitFor(kick, patiently);
    // After this last one, no earlier news arrives, each of which would clear the cache.
    tell("last");
    await vi.waitFor(() => expect(one.hub.signInEnded).toHaveBeenCalledWith(...kicked("last")), patiently);

    const live = await one.sessions.authenticate(token);
    const sessionId = live.kind === "live" ? live.session.id : "";
    one.hub.signInIds.mockReturnValue([sessionId]);
    // The session ends without news to other servers.
    const ended = { ended_at: new Date(), end_reason: "banned" } as const;
    await one.database.db.updateTable("sessions").set(ended).where("id", "=", sessionId).execute();
    expect((await one.sessions.authenticate(token)).kind).toBe("live");
    const redis = await connected(server);
    await redis.call("CLIENT", "KILL", "TYPE", "pubsub");
    const closed = [user.id, sessionId, socketCloseCodes.banned];
    await vi.waitFor(() => expect(one.hub.signInEnded.mock.calls).toContainEqual(closed), patiently);
    expect((await one.sessions.authenticate(token)).kind).toBe("ended");
    expect(other.hub.signInEnded).not.toHaveBeenCalledWith(...closed);
    redis.disconnect();
  },
);
