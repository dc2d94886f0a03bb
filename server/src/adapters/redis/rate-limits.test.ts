import type { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import { limitsContract } from "#test/contracts/limits-contract.ts";
import { connected, passTime, redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { RedisLimits } from "./rate-limits.ts";

describe.runIf(redisIsInstalled)("Redis", () => {
  let server: TestRedis;
  beforeAll(async () => void (server = await TestRedis.start()));
  afterAll(() => server[Symbol.asyncDispose]());

  function limitsOver(redis: Redis, factor = 1) {
    return new RedisLimits({ redis, factor, meanwhile: new LocalLimits({ factor }) });
  }

  limitsContract("Redis", async () => {
    const redis = await connected(server);
    await redis.flushall();
    return {
      limits: (factor) => limitsOver(redis, factor),
      advance: (ms) => passTime(redis, ms),
      [Symbol.asyncDispose]: async () => redis.disconnect(),
    };
  });

  test("[GUARD-21] counts a user's requests to several servers together", async () => {
    const [one, other] = [await connected(server), await connected(server)];
    await one.flushall();
    const [first, second] = [limitsOver(one), limitsOver(other)];
    for (let count = 0; count < 5; count += 1) {
      expect(await first.take("signInByIdentity", "ana")).toBeNull();
      expect(await second.take("signInByIdentity", "ana")).toBeNull();
    }
    expect(await first.take("signInByIdentity", "ana")).not.toBeNull();
    expect(await second.waitSeconds("signInByIdentity", "ana")).not.toBeNull();
    for (const redis of [one, other]) redis.disconnect();
  });

  test("[GUARD-21] counts per server while Redis is away, and lets those counts expire", async () => {
    const redis = await connected(server);
    await redis.flushall();
    const limits = limitsOver(redis);
    await limits.take("signInByIdentity", "ana");
    await limits.take("callByAddress", "203.0.113.5");
    for (const key of await redis.keys("*")) expect(await redis.pttl(key)).toBeGreaterThan(0);
    await server.kill();
    const waits: (number | null)[] = [];
    for (let count = 0; count < 11; count += 1) waits.push(await limits.take("signInByIdentity", "ana"));
    expect(waits.filter((wait) => wait === null)).toHaveLength(10);
    expect(await limits.waitSeconds("signInByIdentity", "ana")).not.toBeNull();
    await server.run();
    redis.disconnect();
  });
});
