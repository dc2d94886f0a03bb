import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CutLine } from "#test/fixtures/cut-line.ts";
import { redisIsInstalled, TestRedis } from "#test/fixtures/redis.ts";
import { openRedis } from "./connection.ts";

const logger = pino({ level: "silent" });
/** A shared machine may stall for seconds. */
const patiently = { timeout: 30_000 };

describe.runIf(redisIsInstalled)("Redis", () => {
  let server: TestRedis;
  beforeAll(async () => void (server = await TestRedis.start()));
  afterAll(() => server[Symbol.asyncDispose]());

  test("replaces a connection whose other end vanished silently", async () => {
    await using line = await CutLine.to({ path: server.url });
    const redis = openRedis(`redis://127.0.0.1:${line.port}`, logger, { answerWithinMs: 200, silentMaxMs: 500 });
    await vi.waitFor(async () => expect(await redis.ping()).toBe("PONG"), patiently);
    line.swallow();
    await expect(redis.ping()).rejects.toThrow("Command timed out");
    await vi.waitFor(async () => expect(await redis.ping()).toBe("PONG"), patiently);
    redis.disconnect();
  });

  test("ends within half a second after its stream broke", async () => {
    await using line = await CutLine.to({ path: server.url });
    const redis = openRedis(`redis://127.0.0.1:${line.port}`, logger);
    await vi.waitFor(async () => expect(await redis.ping()).toBe("PONG"), patiently);
    line.cut();
    await vi.waitUntil(() => redis.status === "reconnecting", { ...patiently, interval: 1 });
    using timers = vi.spyOn(globalThis, "setTimeout");
    redis.disconnect();
    expect(timers.mock.calls.map(([_work, delayMs]) => delayMs)).toEqual([500]);
  });
});
