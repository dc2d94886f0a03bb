import { expect, test } from "vitest";
import { matchPoolContract } from "#test/contracts/match-pool-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { LocalMatchPool, separationMs } from "./local-match-pool.ts";
import { MatcherFullError } from "./matcher.ts";

function openPool(capacityMax = 100) {
  const clock = new TestClock();
  const nowMs = () => clock.nowMs();
  return { clock, nowMs, pool: new LocalMatchPool({ clock, nowMs, capacityMax, isExcluded: () => false }) };
}

matchPoolContract("one process", async () => {
  const { clock, nowMs, pool } = openPool();
  const pass = async (ms: number) => clock.advance(ms);
  return { ana: pool, bo: pool, nowMs, pass, [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose]() };
});

test("rejects a search when the pool is full, and accepts it later", () => {
  const { pool, nowMs } = openPool(1);
  const facts = { sex: 1, filters: { sex: 2, country: 0 }, countryId: 1, zone: 1, sinceMs: nowMs() } as const;
  pool.enter({ ...facts, userId: 1n, searchId: 1 });
  expect(() => pool.enter({ ...facts, userId: 2n, searchId: 2 })).toThrow(MatcherFullError);
  pool.withdraw({ userId: 2n, searchId: 2 });
  expect(pool.waitingCount).toBe(1);
  pool.withdraw({ userId: 1n, searchId: 1 });
  pool.enter({ ...facts, userId: 2n, searchId: 3 });
  expect(pool.waitingCount).toBe(1);
});

test("limits searches for one specific user like all others", () => {
  const { pool, nowMs } = openPool(1);
  const facts = { sex: 1, filters: { sex: 0, country: 0 }, countryId: 1, zone: 1, sinceMs: nowMs() } as const;
  pool.enter({ ...facts, userId: 1n, searchId: 1, otherId: 2n });
  expect(() => pool.enter({ ...facts, userId: 3n, searchId: 2, otherId: 4n })).toThrow(MatcherFullError);
  expect(pool.waitingCount).toBe(1);
  pool.enter({ ...facts, userId: 2n, searchId: 3, otherId: 1n });
  expect(pool.waitingCount).toBe(0);
});

test("limits a separation that another server's clock dates into the future", () => {
  const { clock, pool, nowMs } = openPool();
  const pairs: unknown[] = [];
  pool.onPair((pair) => pairs.push(pair));
  pool.learn(1n, { userId: 2n, moment: -(nowMs() + 3_600_000) });
  const facts = { sex: 1, filters: { sex: 0, country: 0 }, countryId: 1, zone: 1, sinceMs: nowMs() } as const;
  for (const userId of [1n, 2n]) pool.enter({ ...facts, userId, searchId: 1 });
  clock.advance(separationMs - 1);
  expect(pairs).toEqual([]);
  clock.advance(32_000);
  expect(pairs).toHaveLength(1);
});
