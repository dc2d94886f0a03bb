import type { Redis } from "ioredis";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { systemClock } from "#adapters/local/clock.ts";
import { peerMetrics } from "#lib/metric-registration.ts";
import { NoOwnerError, peerAnswerMs, peerMessageBytesMax, type Peers, PeerTimeoutError } from "#ports/peers.ts";
import { peersContract } from "#test/contracts/peers-contract.ts";
import { connected, redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { openRedis } from "./connection.ts";
import { listenerName, RedisPeers } from "./peers.ts";

const logger = pino({ level: "silent" });
/** A shared machine may stall for seconds. */
const patiently = { timeout: 30_000 };
const patientMs = 30_000;
/** A request gets no answer if only one of the two servers has reconnected, so the test retries it. */
const healingMs = 5_000;

describe.runIf(redisIsInstalled)("Redis", () => {
  let server: TestRedis;
  beforeAll(async () => void (server = await TestRedis.start()));
  afterAll(() => server[Symbol.asyncDispose]());

  /** A server that receives all messages from now on, and its publishing connection. */
  async function openProcess(
    self: string,
    answerMs = patientMs,
    clock = systemClock,
  ): Promise<{ peers: RedisPeers; redis: Redis } & AsyncDisposable> {
    const redis = openRedis(server.url, logger, { answerWithinMs: answerMs });
    const subscriber = openRedis(server.url, logger, { answerWithinMs: patientMs, name: listenerName(self) });
    const peers = new RedisPeers({ self, redis, subscriber, clock, logger, answerMs });
    await vi.waitFor(async () => expect(await heardBy(redis, self)).toBe(1), patiently);
    const end = async () => {
      await peers[Symbol.asyncDispose]();
      redis.disconnect();
    };
    return { peers, redis, [Symbol.asyncDispose]: end };
  }

  /** Number of subscribers to a server's answers: 1 once it has subscribed to all channels. */
  async function heardBy(redis: Redis, self: string): Promise<unknown> {
    return ((await redis.call("PUBSUB", "NUMSUB", `fava:x:${self}`)) as unknown[])[1];
  }

  peersContract("Redis", async () => {
    const [one, other] = [await openProcess("ana"), await openProcess("bo")];
    return {
      ana: one.peers,
      bo: other.peers,
      [Symbol.asyncDispose]: async () => {
        await one[Symbol.asyncDispose]();
        await other[Symbol.asyncDispose]();
      },
    };
  });

  /** Resolves once the two servers have reconnected completely. */
  async function healed(asker: Peers): Promise<void> {
    await vi.waitFor(async () => expect(await asker.ask("cutCall", "person:7", null)).toBeNull(), patiently);
  }

  test("[PEER-83] takes all keys from a hanging server that was declared dead, and closes no other connection", async () => {
    await using one = await openProcess("ana");
    await using hanging = await openProcess("bo", 500);
    await using other = await openProcess("bob");
    using _owned = await hanging.peers.own("person:7");
    using _others = await other.peers.own("person:8");
    other.peers.serve("cutCall", async () => null);
    // A running server reconnects at once; one that hangs does not.
    const gaps: string[] = [];
    hanging.peers.onGap(() => gaps.push("hanging"));
    other.peers.onGap(() => gaps.push("other"));
    await one.peers.cutOff("bo");
    await vi.waitFor(() => expect(gaps).toEqual(["hanging"]), patiently);
    expect(await one.peers.ask("cutCall", "person:8", null)).toBeNull();
    expect(gaps).toEqual(["hanging"]);
  });

  test("leaves a key with its owner if a server gave up asking for it while it reached no other", async () => {
    await using other = await openProcess("bo");
    other.peers.serve("cutCall", async () => null);
    const redis = openRedis(server.url, logger, { answerWithinMs: patientMs });
    const subscriber = openRedis(server.url, logger, { answerWithinMs: patientMs, name: listenerName("ana") });
    await using peers = new RedisPeers({ self: "ana", redis, subscriber, clock: systemClock, logger });
    await vi.waitFor(async () => expect(await heardBy(redis, "ana")).toBe(1), patiently);
    subscriber.disconnect();
    await vi.waitFor(() => expect(subscriber.status).toBe("end"), patiently);
    const gone = new AbortController();
    const owning = peers.own("person:7", gone.signal);
    gone.abort();
    expect((await owning).lost.aborted).toBe(true);
    expect((await peers.own("person:7", gone.signal)).lost.aborted).toBe(true);
    const owned = await other.peers.own("person:7");
    const listensAgain = new Promise<void>((resolve) => void peers.onGap(resolve));
    await subscriber.connect();
    await listensAgain;
    // Sent after all claims.
    expect(await peers.ask("cutCall", "person:7", null)).toBeNull();
    expect(owned.lost.aborted).toBe(false);
    redis.disconnect();
  });

  test("holds a key over the next connection if its subscription timed out", async () => {
    await using other = await openProcess("bo");
    const redis = openRedis(server.url, logger, { answerWithinMs: patientMs });
    const subscriber = openRedis(server.url, logger, { answerWithinMs: patientMs, name: listenerName("ana") });
    await using peers = new RedisPeers({ self: "ana", redis, subscriber, clock: systemClock, logger });
    await vi.waitFor(async () => expect(await heardBy(redis, "ana")).toBe(1), patiently);
    peers.serve("cutCall", async () => null);
    // The connection itself stays open and answers every later ping.
    vi.spyOn(subscriber, "subscribe").mockRejectedValueOnce(new Error("Command timed out"));
    using _owned = await peers.own("person:7");
    expect(await other.peers.ask("cutCall", "person:7", null)).toBeNull();
    redis.disconnect();
  });

  test("sends the messages of one turn to one receiver as one Redis message, and rejects each too large one", async () => {
    await using one = await openProcess("ana");
    await using other = await openProcess("bo");
    const heard: bigint[] = [];
    other.peers.onEvent("forget", ({ userId }) => heard.push(userId));
    const listening = await connected(server);
    const messages: string[] = [];
    listening.on("message", (_channel, text: string) => messages.push(text));
    await listening.subscribe("fava:all");
    for (let userId = 0n; userId < 100n; userId += 1n) one.peers.broadcast("forget", { what: "session", userId });
    await vi.waitFor(() => expect(heard).toHaveLength(100), patiently);
    await vi.waitFor(() => expect(messages).toHaveLength(1), patiently);
    const large = "x".repeat(peerMessageBytesMax);
    expect(() => one.peers.broadcast("sessionEnded", { sessionId: large, userId: 1n, reason: "kicked" })).toThrow(
      RangeError,
    );
    listening.disconnect();
  });

  test("reports a gap to every server after a restart of Redis, and keeps the owners of keys", async () => {
    await using one = await openProcess("ana", healingMs);
    await using other = await openProcess("bo");
    const gaps = [vi.fn<() => void>(), vi.fn<() => void>()] as const;
    one.peers.onGap(gaps[0]);
    other.peers.onGap(gaps[1]);
    other.peers.serve("cutCall", async () => null);
    const owned = await other.peers.own("person:7");
    expect(await one.peers.ask("cutCall", "person:7", null)).toBeNull();
    await server.kill();
    await expect(one.peers.ask("cutCall", "person:7", null)).rejects.toThrow(PeerTimeoutError);
    expect(one.peers.isAway).toBe(true);
    // Without Redis the key may have an owner.
    expect(await one.peers.isOwned("person:8")).toBe(true);
    await server.run();
    await healed(one.peers);
    await vi.waitFor(() => gaps.forEach((gap) => expect(gap).toHaveBeenCalled()), patiently);
    expect(owned.lost.aborted).toBe(false);
    expect(one.peers.isAway).toBe(false);
    expect(one.peers.figures.gaps).toBeGreaterThan(0);
  });

  test("reports a gap after a cut subscription, once it receives everything again", async () => {
    await using one = await openProcess("ana", healingMs);
    await using other = await openProcess("bo");
    other.peers.serve("cutCall", async () => null);
    using _owned = await other.peers.own("person:7");
    const sees = new Promise<void>((resolve) => void other.peers.onGap(resolve));
    await one.redis.call("CLIENT", "KILL", "TYPE", "pubsub");
    await sees;
    // From now on the server misses no message.
    const heard = vi.fn<() => void>();
    other.peers.onEvent("forget", heard);
    one.peers.broadcast("forget", { what: "session", userId: 1n });
    await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce(), patiently);
    await healed(one.peers);
  });

  test("gives a key that two servers claimed during an outage to the later one", async () => {
    await using one = await openProcess("ana");
    await using other = await openProcess("bo");
    one.peers.serve("cutCall", async () => ({ callId: "by ana", otherId: 1n }));
    other.peers.serve("cutCall", async () => ({ callId: "by bo", otherId: 1n }));
    const first = await one.peers.own("person:7");
    await server.kill();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const later = other.peers.own("person:7");
    await server.run();
    const second = await later;
    await vi.waitFor(() => expect(first.lost.aborted).toBe(true), patiently);
    expect(second.lost.aborted).toBe(false);
    const answered = () => one.peers.ask("cutCall", "person:7", null);
    await vi.waitFor(async () => expect(await answered()).toMatchObject({ callId: "by bo" }), patiently);
  });

  test("ignores requests that Redis delivers after their timeout, and reports a gap for news of that time", async () => {
    await using one = await openProcess("ana", peerAnswerMs);
    await using other = await openProcess("bo");
    const asked = vi.fn<(input: null, key: string) => Promise<null>>(async () => null);
    other.peers.serve("cutCall", asked);
    using _owned = await other.peers.own("person:7");
    using _another = await other.peers.own("person:8");
    await healed(one.peers);
    const gap = vi.fn<() => void>();
    other.peers.onGap(gap);
    await other.redis.call("CLIENT", "PAUSE", 3 * peerAnswerMs, "ALL");
    one.peers.broadcast("forget", { what: "session", userId: 1n });
    await expect(one.peers.ask("cutCall", "person:8", null)).rejects.toThrow(PeerTimeoutError);
    await vi.waitFor(() => expect(gap).toHaveBeenCalled(), patiently);
    await healed(one.peers);
    expect(new Set(asked.mock.calls.map(([, key]) => key))).toEqual(new Set(["person:7"]));
  });

  test("answers a server whose machine was suspended again after one ping", async () => {
    let stoodStillMs = 0;
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() - stoodStillMs };
    await using paused = await openProcess("ana", peerAnswerMs, clock);
    await using other = await openProcess("bo");
    using _paused = await paused.peers.own("process:ana");
    using _owned = await other.peers.own("person:7");
    other.peers.serve("cutCall", async () => null);
    const asked = () => paused.peers.ask("cutCall", "person:7", null);
    expect(await asked()).toBeNull();
    stoodStillMs = 10_000;
    await vi.waitFor(async () => expect(await asked()).toBeNull(), patiently);
  });

  test("reports messages of a newer version as a gap without answering them, and ignores unreadable ones", async () => {
    await using one = await openProcess("ana");
    const gap = vi.fn<() => void>();
    const heard = vi.fn<() => void>();
    one.peers.onGap(gap);
    one.peers.onEvent("forget", heard);
    one.peers.serve("cutCall", async () => null);
    using _owned = await one.peers.own("person:7");
    const listening = await connected(server);
    const answers: unknown[] = [];
    listening.on("message", (_channel, text: string) => {
      answers.push(...(JSON.parse(text) as { messages: unknown[] }).messages);
    });
    await listening.subscribe("fava:x:newer");
    const say = async (channel: string, v: number, messages: unknown) =>
      one.redis.publish(channel, JSON.stringify({ v, from: "newer", atMs: 0, messages }));
    await say("fava:all", 1, "nonsense");
    await one.redis.publish("fava:all", "{");
    await say("fava:all", 2, [{ type: "news", kind: "forget", news: { what: "anything" } }]);
    await say("fava:all", 1, [{ type: "ofANewerVersion" }]);
    const ask = { type: "ask", kind: "cutCall", key: "person:7", input: null };
    await say("fava:k:person:7", 2, [{ ...ask, id: 1 }]);
    await say("fava:k:person:7", 1, [{ ...ask, id: 2 }]);
    await vi.waitFor(() => expect(answers).toHaveLength(2), patiently);
    expect(answers).toEqual([
      { type: "nobody", id: 1 },
      { type: "answer", id: 2, out: null },
    ]);
    expect([gap.mock.calls.length, heard.mock.calls.length]).toEqual([1, 0]);
    listening.disconnect();
  });

  test("measures the time and outcome of requests to other servers", async () => {
    await using one = await openProcess("ana");
    const metrics = new Registry();
    peerMetrics(metrics, one.peers);
    await expect(one.peers.ask("cutCall", "person:7", null)).rejects.toThrow(NoOwnerError);
    await server.kill();
    await expect(one.peers.ask("cutCall", "person:7", null)).rejects.toThrow(PeerTimeoutError);
    await server.run();
    const told = await metrics.metrics();
    expect(told).toContain('fava_peer_seconds_count{outcome="nobody"} 1');
    expect(told).toContain('fava_peer_seconds_count{outcome="silent"} 1');
    expect(told).toContain("fava_peer_nobody_total 1");
  });
});
