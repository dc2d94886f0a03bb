import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { openRedis } from "./connection.ts";
import { readRedisMemory } from "./memory.ts";

test.runIf(redisIsInstalled)("reads the used memory of Redis, and its limit if there is one", async () => {
  await using server = await TestRedis.start();
  const redis = openRedis(server.url, pino({ level: "silent" }));
  await vi.waitFor(async () => expect(await redis.ping()).toBe("PONG"), { timeout: 30_000 });
  await redis.config("SET", "maxmemory", "0");
  expect(await readRedisMemory(redis)).toEqual({ used: expect.any(Number) });
  await redis.config("SET", "maxmemory", "64mb");
  expect(await readRedisMemory(redis)).toEqual({ used: expect.any(Number), limit: 64 * 1_048_576 });
  redis.disconnect();
});

test("leaves out what Redis hides", async () => {
  expect(await readRedisMemory({ info: async () => "" })).toEqual({});
});
