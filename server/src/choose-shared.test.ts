import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import { systemClock } from "#adapters/local/clock.ts";
import { redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { chooseShared } from "./choose-adapters.ts";

const parts = { clock: systemClock, logger: pino({ level: "silent" }) };
const call = () => ({ sessionId: "s", nonce: "n", signedAtMs: Date.now() + 1_000 });

test("[SIGN-15] without an address each process remembers for itself", async () => {
  using one = await chooseShared({ redisUrl: null, rateLimitFactor: 1 }, parts);
  using other = await chooseShared({ redisUrl: null, rateLimitFactor: 1 }, parts);
  expect(await one.nonces.use(call())).toBe("new");
  expect(await other.nonces.use(call())).toBe("new");
});

describe.runIf(redisIsInstalled)("with Redis", () => {
  test("[SIGN-15] [GUARD-21] processes remember together who called what, and how often", async () => {
    await using server = await TestRedis.start();
    using one = await chooseShared({ redisUrl: server.url, rateLimitFactor: 1 }, parts);
    using other = await chooseShared({ redisUrl: server.url, rateLimitFactor: 1 }, parts);
    await vi.waitFor(async () => expect(await one.nonces.use(call())).toBe("new"));
    await vi.waitFor(async () => expect(await other.nonces.use(call())).toBe("used"));
    for (let count = 0; count < 3; count += 1) {
      expect(await one.limits.take("registerByDevice", "phone")).toBeNull();
      expect(await other.limits.waitSeconds("registerByDevice", "phone")).toBeNull();
    }
    expect(await other.limits.take("registerByDevice", "phone")).not.toBeNull();
  });
});
