import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import { systemClock } from "./local/clock.ts";
import { systemRandom } from "./local/random.ts";
import { redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { chooseShared } from "./open.ts";

const parts = { clock: systemClock, random: systemRandom, logger: pino({ level: "silent" }) };
const call = () => ({ sessionId: "s", nonce: "n", signedAtMs: Date.now() + 1_000 });

test("[SIGN-15] remembers nonces per server without a Redis address", async () => {
  await using one = await chooseShared({ redisUrl: null, rateLimitFactor: 1 }, parts);
  await using other = await chooseShared({ redisUrl: null, rateLimitFactor: 1 }, parts);
  expect(await one.nonces.use(call())).toBe("new");
  expect(await other.nonces.use(call())).toBe("new");
});

describe.runIf(redisIsInstalled)("with Redis", () => {
  test("[SIGN-15] [GUARD-21] shares nonces and rate limits between servers", async () => {
    await using server = await TestRedis.start();
    await using one = await chooseShared({ redisUrl: server.url, rateLimitFactor: 1 }, parts);
    await using other = await chooseShared({ redisUrl: server.url, rateLimitFactor: 1 }, parts);
    await vi.waitFor(async () => expect(await one.nonces.use(call())).toBe("new"));
    await vi.waitFor(async () => expect(await other.nonces.use(call())).toBe("used"));
    for (let count = 0; count < 3; count += 1) {
      expect(await one.limits.take("registerByDevice", "phone")).toBeNull();
      expect(await other.limits.waitSeconds("registerByDevice", "phone")).toBeNull();
    }
    expect(await other.limits.take("registerByDevice", "phone")).not.toBeNull();
  });

  test("connects servers, and reports whether Redis answers", async () => {
    await using server = await TestRedis.start();
    await using one = await chooseShared({ redisUrl: server.url, rateLimitFactor: 1 }, parts);
    await using other = await chooseShared({ redisUrl: server.url, rateLimitFactor: 1 }, parts);
    const heard = vi.fn<() => void>();
    other.peers.onEvent("forget", heard);
    const told = () => {
      one.peers.broadcast("forget", { what: "session", userId: 1n });
      expect(heard).toHaveBeenCalled();
    };
    await vi.waitFor(told, { timeout: 30_000 });
    await vi.waitFor(() => one.engineChecks["redis"]?.(), { timeout: 30_000 });
    await server.kill();
    await expect(one.engineChecks["redis"]?.()).rejects.toThrow(Error);
  });
});
