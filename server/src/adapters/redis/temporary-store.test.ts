import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryStoreContract } from "#test/contracts/temporary-store-contract.ts";
import { connected, passTime, redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { RedisTemporaryStore } from "./temporary-store.ts";

describe.runIf(redisIsInstalled)("Redis", () => {
  let server: TestRedis;
  beforeAll(async () => void (server = await TestRedis.start()));
  afterAll(() => server[Symbol.asyncDispose]());

  temporaryStoreContract("Redis", async () => {
    const redis = await connected(server);
    await redis.flushall();
    return {
      memory: new RedisTemporaryStore(redis),
      advance: (ms) => passTime(redis, ms),
      [Symbol.asyncDispose]: async () => redis.disconnect(),
    };
  });

  test("shares entries between servers, and rejects every operation while Redis is away", async () => {
    const [one, other] = [await connected(server), await connected(server)];
    const words = new Map([["token", "ana"]]);
    await new RedisTemporaryStore(one).remember("rechargeToken", words);
    expect(await new RedisTemporaryStore(other).recall("rechargeToken", "token")).toBe("ana");
    await server.kill();
    await expect(new RedisTemporaryStore(one).remember("rechargeToken", words)).rejects.toMatchObject({ code: 503 });
    await expect(new RedisTemporaryStore(other).recall("rechargeToken", "token")).rejects.toMatchObject({ code: 503 });
    await server.run();
    for (const redis of [one, other]) redis.disconnect();
  });
});
