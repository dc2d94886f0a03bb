import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { oneTimeKeysContract } from "#test/contracts/one-time-keys-contract.ts";
import { connected, passTime, redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { RedisOneTimeKeys } from "./one-time-keys.ts";

describe.runIf(redisIsInstalled)("Redis", () => {
  let server: TestRedis;
  beforeAll(async () => void (server = await TestRedis.start()));
  afterAll(() => server[Symbol.asyncDispose]());

  oneTimeKeysContract("Redis", async () => {
    const redis = await connected(server);
    await redis.flushall();
    return {
      keys: new RedisOneTimeKeys(redis),
      advance: (ms) => passTime(redis, ms),
      [Symbol.asyncDispose]: async () => redis.disconnect(),
    };
  });

  test("[SIGNIN-69] takes a key that another server issued, and none while Redis is away", async () => {
    const [one, other] = [await connected(server), await connected(server)];
    await new RedisOneTimeKeys(one).add("signInNonce", "n", 600_000);
    expect(await new RedisOneTimeKeys(other).take("signInNonce", "n")).toBe(true);
    await server.kill();
    await expect(new RedisOneTimeKeys(one).add("signInNonce", "m", 600_000)).rejects.toMatchObject({ code: 503 });
    await expect(new RedisOneTimeKeys(other).take("signInNonce", "m")).rejects.toMatchObject({ code: 503 });
    await server.run();
    for (const redis of [one, other]) redis.disconnect();
  });
});
