import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { endpoints } from "@fava/wire/endpoints.ts";
import type { Handlers } from "#ports/handlers.ts";
import { noncesContract } from "#test/contracts/nonces-contract.ts";
import { openEdge, sendTo } from "#test/fixtures/edge.ts";
import { connected, passTime, redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { preparedCall, signedCall } from "#test/fixtures/signed-call.ts";
import { RedisNonces } from "./nonces.ts";

describe.runIf(redisIsInstalled)("Redis", () => {
  let server: TestRedis;
  beforeAll(async () => void (server = await TestRedis.start()));
  afterAll(() => server[Symbol.asyncDispose]());

  noncesContract("Redis", async () => {
    const redis = await connected(server);
    await redis.flushall();
    // The first request makes Redis store when its memory began.
    const nonces = new RedisNonces(redis);
    await nonces.use({ sessionId: "", nonce: "first", signedAtMs: 0 });
    return {
      nonces,
      nowMs: () => Date.now() + 1_000,
      advance: (ms) => passTime(redis, ms),
      [Symbol.asyncDispose]: async () => redis.disconnect(),
    };
  });

  test("[SIGN-15] rejects a request on every other server after one accepted it", async () => {
    const [one, other] = [await connected(server), await connected(server)];
    await one.flushall();
    await one.set("fava:nonces:since", 0);
    const handlers = { matchStop: vi.fn<Handlers["matchStop"]>(async () => ({})) };
    const first = await openEdge(handlers, { nonces: new RedisNonces(one) });
    const second = await openEdge(handlers, { nonces: new RedisNonces(other), clock: first.clock });
    const call = preparedCall(first.ana, endpoints.matchStop, { user_id: 1 });
    expect(await sendTo(first, call)).toMatchObject({ code: 200 });
    expect(await sendTo(second, call)).toMatchObject({ code: 462 });
    expect(handlers.matchStop).toHaveBeenCalledTimes(1);
    for (const redis of [one, other]) redis.disconnect();
  });

  test("[SIGN-26] treats older requests as stale and newer ones as new after Redis was killed", async () => {
    const redis = await connected(server);
    const nonces = new RedisNonces(redis);
    const signedAtMs = Date.now() - 1_000;
    await redis.set("fava:nonces:since", 0);
    const call = { sessionId: "s", nonce: "before", signedAtMs };
    expect(await nonces.use(call)).toBe("new");
    await server.kill();
    await server.run();
    await vi.waitFor(() => expect(redis.status).toBe("ready"));
    expect(await nonces.use(call)).toBe("stale");
    expect(await nonces.use({ ...call, nonce: "after", signedAtMs: Date.now() + 1_000 })).toBe("new");
    redis.disconnect();
  });

  test("[SIGN-15] makes changes wait while Redis is away, and answers reads", async () => {
    const redis = await connected(server);
    const handlers = {
      matchStop: vi.fn<Handlers["matchStop"]>(async () => ({})),
      getLanguage: vi.fn<Handlers["getLanguage"]>(async () => ({}) as Awaited<ReturnType<Handlers["getLanguage"]>>),
    };
    const edge = await openEdge(handlers, { nonces: new RedisNonces(redis) });
    await server.kill();
    expect(await signedCall(edge.ana, endpoints.matchStop, { user_id: 1 })).toMatchObject({ code: 429 });
    expect(handlers.matchStop).not.toHaveBeenCalled();
    expect(await signedCall(edge.ana, endpoints.getLanguage, {})).toMatchObject({ code: 200 });
    await server.run();
    redis.disconnect();
  });
});
