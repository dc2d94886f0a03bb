import { expect, test } from "vitest";
import { balanced, meet, Pool, woman, women } from "#test/fixtures/matcher-pool.ts";
import { MatcherFullError, type Seeker } from "./matcher.ts";

test("does not match a pair again that just met while others wait", () => {
  const pool = new Pool();
  meet(pool, 1, 2);
  pool.nowMs += 1_000;
  pool.start(1);
  expect(pool.start(2)).toBeNull();
  expect(pool.start(3)).toBe(1);
});

test("does not bring back the partner just left because one of the two has waited long", () => {
  const pool = new Pool();
  meet(pool, 1, 2);
  pool.start(1);
  pool.nowMs += 6_000;
  expect(pool.start(2)).toBeNull();
});

test("matches a pair again after 15 s, or once both have waited 5 s, if no other user waits", () => {
  const pool = new Pool();
  meet(pool, 1, 2);
  pool.nowMs += 15_000;
  pool.start(1);
  expect(pool.start(2)).toBe(1);
  pool.start(1);
  expect(pool.start(2)).toBeNull();
  expect(pool.advance(20_000)).toEqual([{ pair: [2, 1], afterMs: 5_000 }]);
});

test("never leaves ten users in a thin pool stuck", () => {
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

test("keeps two apart for a short time only after a failed connection", () => {
  const pool = new Pool();
  meet(pool, 1, 2);
  pool.matcher.separate(1n, 2n, { nowMs: pool.nowMs, forMs: 8_000 });
  pool.start(1, {}, pool.nowMs - 60_000);
  expect(pool.start(2, {}, pool.nowMs - 60_000)).toBeNull();
  expect(pool.advance(7_999)).toEqual([]);
  expect(pool.advance(1_001)).toHaveLength(1);
});

test("[MATCH-48] never matches an excluded pair, however long they wait", () => {
  const pool = new Pool({ isExcluded: (a, b) => a + b === 3n });
  pool.start(1);
  expect(pool.start(2)).toBeNull();
  expect(pool.advance(600_000)).toEqual([]);
  expect(pool.start(3)).toBe(1);
});

test("[MATCH-48] applies an exclusion from the next look on", () => {
  let blocked = false;
  const pool = new Pool({ isExcluded: () => blocked });
  pool.start(1);
  blocked = true;
  expect(pool.start(2)).toBeNull();
  expect(pool.advance(60_000)).toEqual([]);
  blocked = false;
  expect(pool.advance(32_000)).toHaveLength(1);
});

test("[MATCH-48] never matches users with themselves", () => {
  const pool = new Pool();
  pool.start(1);
  pool.start(1, { filters: balanced });
  expect(pool.advance(60_000)).toEqual([]);
  expect(pool.matcher.isWaiting(1n)).toBe(true);
});

test("finds the suitable user behind 1,000 blocked ones within 1 s", () => {
  const pool = new Pool({ isExcluded: (a, b) => (a === 9_999n && b <= 1_000n) || (b === 9_999n && a <= 1_000n) });
  for (let userId = 1; userId <= 1_001; userId += 1) pool.start(userId, { filters: women });
  pool.advance(100);
  expect(pool.start(9_999, { sex: woman })).toBeNull();
  expect(pool.advance(1_000)).toEqual([{ pair: [1_001, 9_999], afterMs: 500 }]);
});

test("rejects a user who would have to wait in a full pool, and matches others", () => {
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

test("handles far more users over time than it remembers", () => {
  const pool = new Pool({ capacityMax: 4, rememberedMax: 4 });
  for (let userId = 1; userId <= 1_000; userId += 2) {
    expect(meet(pool, userId, userId + 1)).toBe(userId);
    pool.matcher.separate(BigInt(userId), BigInt(userId + 1), { nowMs: pool.nowMs, forMs: 1_000 });
  }
  expect(pool.matcher.waitingCount()).toBe(0);
  // The latest pair is still separated. The first pairs were evicted.
  pool.start(999);
  expect(pool.start(1_000)).toBeNull();
  pool.matcher.cancel(999n);
  pool.matcher.cancel(1_000n);
  expect(meet(pool, 1, 2)).toBe(1);
});

test("gives an evicted user's record to another one without its partners", () => {
  const pool = new Pool({ capacityMax: 2, rememberedMax: 2 });
  meet(pool, 1, 2);
  meet(pool, 3, 4);
  expect(meet(pool, 1, 5)).toBe(1);
});

test("bounds the work of one sweep, and continues with the next", () => {
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

test("rejects a seeker outside the ranges of the index without a change", () => {
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
