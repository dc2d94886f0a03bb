import { expect, test } from "vitest";
import { balanced, meet, Pool, woman, women } from "#test/fixtures/matcher-pool.ts";
import { MatcherFullError, type Seeker } from "./matcher.ts";

test("a pair that just met is not matched again while others wait", () => {
  const pool = new Pool();
  meet(pool, 1, 2);
  pool.nowMs += 1_000;
  pool.start(1);
  expect(pool.start(2)).toBeNull();
  expect(pool.start(3)).toBe(1);
});

test("a long wait of one of them does not bring back at once whom the other just left", () => {
  const pool = new Pool();
  meet(pool, 1, 2);
  pool.start(1);
  pool.nowMs += 6_000;
  expect(pool.start(2)).toBeNull();
});

test("with nobody else there, a pair meets again after 15 s, or when both have waited 5 s", () => {
  const pool = new Pool();
  meet(pool, 1, 2);
  pool.nowMs += 15_000;
  pool.start(1);
  expect(pool.start(2)).toBe(1);
  pool.start(1);
  expect(pool.start(2)).toBeNull();
  expect(pool.advance(20_000)).toEqual([{ pair: [2, 1], afterMs: 5_000 }]);
});

test("ten people in a thin pool are never stuck", () => {
  const pool = new Pool();
  const matches = new Map<number, number>();
  const idle = Array.from({ length: 10 }, (_, index) => index + 1);
  for (let round = 0; round < 40; round += 1) {
    let found: number[] = [];
    for (const userId of idle.splice(0)) {
      const partner = pool.start(userId);
      if (partner) found.push(userId, partner);
    }
    found = [...found, ...pool.advance(6_000).flatMap(({ pair }) => pair)];
    for (const userId of found) matches.set(userId, (matches.get(userId) ?? 0) + 1);
    idle.push(...found);
    expect(pool.matcher.waitingCount()).toBe(0);
  }
  expect([...matches.values()]).toEqual(Array.from({ length: 10 }, () => 40));
});

test("after a failed connection the two are kept apart for a short time only", () => {
  const pool = new Pool();
  meet(pool, 1, 2);
  pool.matcher.separate(1n, 2n, { nowMs: pool.nowMs, forMs: 8_000 });
  pool.start(1, {}, pool.nowMs - 60_000);
  expect(pool.start(2, {}, pool.nowMs - 60_000)).toBeNull();
  expect(pool.advance(7_999)).toEqual([]);
  expect(pool.advance(1_001)).toHaveLength(1);
});

test("[MATCH-48] an excluded pair is never matched, however long they wait", () => {
  const pool = new Pool({ isExcluded: (a, b) => a + b === 3n });
  pool.start(1);
  expect(pool.start(2)).toBeNull();
  expect(pool.advance(600_000)).toEqual([]);
  expect(pool.start(3)).toBe(1);
});

test("[MATCH-48] what excludes a pair holds from the next look on", () => {
  let blocked = false;
  const pool = new Pool({ isExcluded: () => blocked });
  pool.start(1);
  blocked = true;
  expect(pool.start(2)).toBeNull();
  expect(pool.advance(60_000)).toEqual([]);
  blocked = false;
  expect(pool.advance(32_000)).toHaveLength(1);
});

test("[MATCH-48] nobody is matched with oneself", () => {
  const pool = new Pool();
  pool.start(1);
  pool.start(1, { filters: balanced });
  expect(pool.advance(60_000)).toEqual([]);
  expect(pool.matcher.isWaiting(1n)).toBe(true);
});

test("behind 1,000 blocked people the one who suits is found within 1 s", () => {
  const pool = new Pool({ isExcluded: (a, b) => (a === 9_999n && b <= 1_000n) || (b === 9_999n && a <= 1_000n) });
  for (let userId = 1; userId <= 1_001; userId += 1) pool.start(userId, { filters: women });
  pool.advance(100);
  expect(pool.start(9_999, { sex: woman })).toBeNull();
  expect(pool.advance(1_000)).toEqual([{ pair: [1_001, 9_999], afterMs: 500 }]);
});

test("a full pool refuses by name who would have to wait, and matches who would not", () => {
  const pool = new Pool({ capacityMax: 2 });
  pool.start(1, { filters: women });
  pool.nowMs += 1;
  pool.start(2, { filters: women });
  expect(() => pool.start(3, { filters: women })).toThrow(MatcherFullError);
  expect(pool.matcher.isWaiting(3n)).toBe(false);
  expect(pool.matcher.waitingCount()).toBe(2);
  expect(pool.start(1, { filters: { sex: 2, country: -1 } })).toBeNull();
  expect(pool.start(4, { sex: woman })).toBe(1);
  expect(pool.start(3, { filters: women })).toBeNull();
});

test("far more people may come and go than are remembered", () => {
  const pool = new Pool({ capacityMax: 4, rememberedMax: 4 });
  for (let userId = 1; userId <= 1_000; userId += 2) {
    expect(meet(pool, userId, userId + 1)).toBe(userId);
    pool.matcher.separate(BigInt(userId), BigInt(userId + 1), { nowMs: pool.nowMs, forMs: 1_000 });
  }
  expect(pool.matcher.waitingCount()).toBe(0);
  // The latest pair is still kept apart; the first pairs were evicted.
  pool.start(999);
  expect(pool.start(1_000)).toBeNull();
  pool.matcher.cancel(999n);
  pool.matcher.cancel(1_000n);
  expect(meet(pool, 1, 2)).toBe(1);
});

test("who takes a forgotten person's place in memory does not take over their partners", () => {
  const pool = new Pool({ capacityMax: 2, rememberedMax: 2 });
  meet(pool, 1, 2);
  meet(pool, 3, 4);
  expect(meet(pool, 1, 5)).toBe(1);
});

test("one sweep does a bounded amount of work, and the next goes on", () => {
  const pool = new Pool({ isExcluded: () => true });
  for (let userId = 1; userId <= 1_500; userId += 1) pool.start(userId);
  const dueAtFirst = pool.matcher.nextDueMs();
  pool.nowMs += 60_000;
  pool.matcher.sweep(pool.nowMs);
  expect(pool.matcher.nextDueMs()).toBe(dueAtFirst);
  let sweeps = 1;
  for (; (pool.matcher.nextDueMs() ?? Infinity) <= pool.nowMs; sweeps += 1) pool.matcher.sweep(pool.nowMs);
  expect(sweeps).toBeGreaterThan(4);
});

test("a seeker outside the ranges of the index is refused and changes nothing", () => {
  const pool = new Pool();
  const broken: [number, Partial<Omit<Seeker, "userId">>][] = [
    [0, {}],
    [2 ** 53, {}],
    [1, { sex: 0 as 1 }],
    [1, { filters: { sex: 3 as 2, country: 0 } }],
    [1, { filters: { sex: 0, country: 512 } }],
    [1, { filters: { sex: 0, country: -2 } }],
    [1, { countryId: 512 }],
    [1, { countryId: 1.5 }],
    [1, { zone: 64 }],
  ];
  for (const [userId, facts] of broken) expect(() => pool.start(userId, facts)).toThrow(RangeError);
  expect(pool.matcher.waitingCount()).toBe(0);
});
