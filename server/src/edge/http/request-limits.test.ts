import { expect, test } from "vitest";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import { contextOf } from "#test/fixtures/social-world.ts";
import { limitAddress, limitCaller } from "./request-limits.ts";

test("allows a user 60 follows, likes and wishes and 30 searches a minute, and 60 blocks an hour", async () => {
  const slowDown = (retry_after: unknown) => ({ code: 429, data: { retry_after } });
  const families = [
    { names: ["follow", "like", "meetAgain", "kindSend", "apart"], count: 60, secondsMax: 60 },
    { names: ["userSearch"], count: 30, secondsMax: 60 },
    { names: ["block", "unblock"], count: 60, secondsMax: 3_600 },
  ] as const;
  for (const [at, { names, count, secondsMax }] of families.entries()) {
    const limits = new LocalLimits({ factor: 1 });
    const context = contextOf(BigInt(at + 1));
    for (let calls = 0; calls < count; calls += 1)
      await limitCaller(limits, names[calls % names.length] ?? names[0], context);
    for (const name of names) {
      const refusal: unknown = await limitCaller(limits, name, context).catch((error: unknown) => error);
      expect(refusal).toMatchObject(slowDown(expect.any(Number)));
      const { data } = refusal as { data: { retry_after: number } };
      expect(data.retry_after).toBeLessThanOrEqual(secondsMax);
      expect(data.retry_after).toBeGreaterThan(secondsMax / 2);
    }
    await limitCaller(limits, "matchInfo", context);
  }
});

test("[SAFE-509] accepts the frames of 300 users behind one address, whatever else came from there", async () => {
  const limits = new LocalLimits({ factor: 1 });
  const [context, ip] = [contextOf(1n), "203.0.113.5"];
  const outcomes = async (times: number, take: () => Promise<void>) => {
    const taken = await Promise.allSettled(Array.from({ length: times }, take));
    return taken.filter(({ status }) => status === "rejected").length;
  };
  expect(await outcomes(70, () => limitAddress(limits, "getLanguage", ip))).toBe(10);
  expect(await outcomes(310, () => limitCaller(limits, "getLanguage", context))).toBe(10);
  expect(await outcomes(510, () => limitAddress(limits, "videoInspect", ip))).toBe(10);
  expect(await outcomes(120, () => limitCaller(limits, "videoInspect", context))).toBe(0);
});
