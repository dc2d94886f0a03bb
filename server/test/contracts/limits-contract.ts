import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Limits } from "#ports/rate-limits.ts";

export interface LimitsWorld extends AsyncDisposable {
  /** `factor` multiplies each count that is not fixed. */
  limits(factor: number): Limits;
  /** Advances the time of the limiter. */
  advance(ms: number): Promise<void>;
}

/** Contract of `Limits`; `makeWorld` opens an empty limiter for each test. */
export function limitsContract(name: string, makeWorld: () => Promise<LimitsWorld>): void {
  describe(`limits: ${name}`, () => {
    let world: LimitsWorld;

    beforeEach(async () => {
      world = await makeWorld();
    });
    afterEach(() => world[Symbol.asyncDispose]());

    /** Some worlds run in real time, in which part of a wait has passed. */
    const nearly = (seconds: number) => expect.toSatisfy((wait) => wait > seconds - 30 && wait <= seconds);

    async function takeTimes(limits: Limits, times: number, key = "k") {
      const waits: (number | null)[] = [];
      for (let count = 0; count < times; count += 1) waits.push(await limits.take("signInByIdentity", key));
      return waits;
    }

    test("[GUARD-21] allows the count, tells the next request how long to wait, and allows all again after that", async () => {
      const limits = world.limits(1);
      expect(await takeTimes(limits, 11)).toEqual([...Array.from({ length: 10 }, () => null), nearly(600)]);
      await world.advance(500_000);
      expect(await takeTimes(limits, 1)).toEqual([nearly(100)]);
      await world.advance(100_001);
      expect(await takeTimes(limits, 1)).toEqual([null]);
    });

    test("[GUARD-21] does not refuse a key for longer when it continues", async () => {
      const limits = world.limits(1);
      await takeTimes(limits, 11);
      await world.advance(500_000);
      expect(await takeTimes(limits, 2)).toEqual([nearly(100), nearly(100)]);
      await world.advance(100_001);
      expect(await takeTimes(limits, 1)).toEqual([null]);
    });

    test("[GUARD-21] counts each key and limit separately, and neighbouring addresses together", async () => {
      const limits = world.limits(1);
      expect((await takeTimes(limits, 11)).at(-1)).not.toBeNull();
      expect(await takeTimes(limits, 1, "other")).toEqual([null]);
      expect(await limits.take("signInByDevice", "k")).toBeNull();
      for (let count = 0; count < 5; count += 1)
        expect(await limits.take("registerByAddress", `2001:db8::${count + 1}`)).toBeNull();
      expect(await limits.take("registerByAddress", "2001:db8::99")).toEqual(nearly(86_400));
      expect(await limits.take("registerByAddress", "2001:db8:0:1::1")).toBeNull();
    });

    test("[GUARD-21] refuses by the short window before the long one", async () => {
      const limits = world.limits(1);
      const burst = await Promise.all(Array.from({ length: 70 }, () => limits.take("callByAddress", "203.0.113.5")));
      expect(burst.filter((wait) => wait === null).length).toBeGreaterThanOrEqual(60);
      expect(burst.filter((wait) => wait !== null).every((wait) => Number(wait) <= 10)).toBe(true);
    });

    test("multiplies every count by the factor", async () => {
      expect((await takeTimes(world.limits(2), 21)).filter((wait) => wait === null)).toHaveLength(20);
    });

    test("counts an amount at once, and does not multiply a fixed count", async () => {
      const limits = world.limits(100);
      expect(await limits.take("decodeMsByUser", "ana", 10_000)).toBeNull();
      expect(await limits.waitSeconds("decodeMsByUser", "ana")).toBeNull();
      expect(await limits.take("decodeMsByUser", "ana", 1)).toEqual(nearly(60));
      expect(await limits.waitSeconds("decodeMsByUser", "ana")).toEqual(nearly(60));
      await world.advance(60_001);
      expect(await limits.waitSeconds("decodeMsByUser", "ana")).toBeNull();
    });

    test("reports a key over its limit without counting, and blocks it for the rule's block time", async () => {
      const limits = world.limits(1);
      for (let count = 0; count < 4; count += 1) await limits.take("declineByUser", "ana");
      for (let count = 0; count < 9; count += 1) expect(await limits.waitSeconds("declineByUser", "ana")).toBeNull();
      await world.advance(1_800_000);
      await limits.take("declineByUser", "ana");
      expect(await limits.waitSeconds("declineByUser", "ana")).toEqual(nearly(3_600));
      expect(await limits.waitSeconds("declineByUser", "bo")).toBeNull();
      await world.advance(3_600_001);
      expect(await limits.waitSeconds("declineByUser", "ana")).toBeNull();
    });
  });
}
