import { beforeEach, expect, test, vi } from "vitest";
import { limitRules, type Limits } from "#ports/rate-limits.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { DecodeBudget } from "./decode-queue.ts";

const [ana, bo] = [1n, 2n];

let clock: TestClock;
let budget: DecodeBudget;
beforeEach(() => {
  clock = new TestClock();
  budget = new DecodeBudget({ clock, limits: countingLimits() });
});

/** Counts against each limit within one window that never ends. */
function countingLimits(): Limits {
  const [{ count, windowSeconds }] = limitRules.decodeMsByUser.windows;
  const counts = new Map<string, number>();
  const waitSeconds: Limits["waitSeconds"] = async (_limit, key) =>
    (counts.get(key) ?? 0) > count ? windowSeconds : null;
  return {
    waitSeconds,
    take: (limit, key, amount = 1) => {
      counts.set(key, (counts.get(key) ?? 0) + amount);
      return waitSeconds(limit, key);
    },
  };
}

const work = (ms: number) => async () => clock.advance(ms);

test("allows ten seconds of processor time a minute for a user's pictures, also for failed ones", async () => {
  await budget.spend(ana, work(8_000));
  await expect(
    budget.spend(ana, async () => {
      clock.advance(2_001);
      throw new Error("damaged");
    }),
  ).rejects.toThrow("damaged");
  const decoded = vi.fn<() => Promise<void>>();
  await expect(budget.spend(ana, decoded)).rejects.toMatchObject({ code: 429, data: { retry_after: 60 } });
  expect(decoded).not.toHaveBeenCalled();
  await budget.spend(bo, work(10));
});

test("charges the processor time of another process, but no waiting", async () => {
  const judged = (processorMs: number) => async () => {
    clock.advance(60_000);
    return { processorMs };
  };
  await budget.spendElsewhere(ana, judged(9_000));
  await budget.spendElsewhere(ana, judged(1_001));
  const refused = { code: 429, data: { retry_after: 60 } };
  await expect(budget.spendElsewhere(ana, judged(1))).rejects.toMatchObject(refused);
  await expect(budget.spend(ana, work(1))).rejects.toMatchObject(refused);
});

test("does not charge idle time of this process", async () => {
  vi.spyOn(clock, "processorMs").mockReturnValue(0);
  await budget.spend(ana, work(60_000));
  await expect(budget.spend(ana, work(60_000))).resolves.toBeUndefined();
});

test("does not charge other work of this process", async () => {
  let usedMs = 0;
  vi.spyOn(clock, "processorMs").mockImplementation(() => (usedMs += 100_000));
  await budget.spend(ana, work(2_000));
  await expect(budget.spend(ana, work(2_000))).resolves.toBeUndefined();
});
