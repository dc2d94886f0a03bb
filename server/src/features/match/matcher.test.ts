import type { MatchWish } from "@fava/wire/beans.ts";
import { expect, test } from "vitest";
import { Matcher, MatcherFullError } from "./matcher.ts";
import type { MatcherOptions, Pairing, Seeker } from "./matcher.ts";

const man = 1;
const woman = 2;
const anyone: MatchWish = { sex: 0, country: 0 };
const balanced: MatchWish = { sex: 0, country: -1 };
const women: MatchWish = { sex: 2, country: 0 };

/** A matcher whose clock stands still until it is moved, and who sweeps when it is due. */
class Pool {
  readonly matcher: Matcher;
  nowMs = 1_000_000;

  constructor(options: Partial<MatcherOptions> = {}) {
    this.matcher = new Matcher({ capacityMax: 2_000, ...options });
  }

  start(userId: number, facts: Partial<Omit<Seeker, "userId">> = {}, since?: number): number | null {
    const seeker = { sex: man, wish: anyone, countryId: 1, zone: 1, ...facts, userId: BigInt(userId) } as const;
    const pairing = this.matcher.start(seeker, this.nowMs, since);
    if (!pairing) return null;
    return Number(pairing.longer === BigInt(userId) ? pairing.newer : pairing.longer);
  }

  /** Time passes; the pairs that the sweeps made, with the time that had passed. */
  advance(byMs: number): { pair: [number, number]; afterMs: number }[] {
    const fromMs = this.nowMs;
    const pairs: { pair: [number, number]; afterMs: number }[] = [];
    for (let dueMs = this.matcher.nextDueMs(); dueMs !== null && dueMs <= fromMs + byMs;) {
      this.nowMs = Math.max(this.nowMs, dueMs);
      for (const { longer, newer } of this.matcher.sweep(this.nowMs))
        pairs.push({ pair: [Number(longer), Number(newer)], afterMs: this.nowMs - fromMs });
      dueMs = this.matcher.nextDueMs();
    }
    this.nowMs = fromMs + byMs;
    return pairs;
  }
}

/** Two people meet and part, so that they remember each other. */
function meet(pool: Pool, one: number, other: number): void {
  pool.start(one);
  expect(pool.start(other)).toBe(one);
}

test("[MATCH-41] each side's wish must accept the other", () => {
  const pool = new Pool();
  pool.start(1, { sex: man, wish: women });
  pool.nowMs += 1;
  expect(pool.start(2, { sex: man })).toBeNull();
  expect(pool.start(3, { sex: woman, wish: women })).toBeNull();
  expect(pool.start(4, { sex: woman, wish: { sex: 1, country: 0 } })).toBe(1);
});

test("[MATCH-42] a chosen country is strict for the one who searches", () => {
  const pool = new Pool();
  pool.start(1, { countryId: 2 });
  expect(pool.start(2, { wish: { sex: 0, country: 3 } })).toBeNull();
  expect(pool.advance(120_000)).toEqual([]);
  expect(pool.start(3, { countryId: 3, wish: { sex: 0, country: 1 } })).toBe(2);
});

test("[MATCH-42] a chosen country is strict for the one who waits", () => {
  const pool = new Pool();
  pool.start(1, { countryId: 2, wish: { sex: 0, country: 3 } });
  pool.nowMs += 1;
  expect(pool.start(2, { countryId: 4, wish: women })).toBeNull();
  expect(pool.start(3, { countryId: 2 })).toBeNull();
  expect(pool.start(4, { countryId: 3 })).toBe(1);
});

test("[MATCH-42] global ignores the country", () => {
  const pool = new Pool();
  pool.start(1, { countryId: 5, zone: 3 });
  pool.start(2, { countryId: 1, zone: 1, wish: women });
  expect(pool.start(3, { countryId: 1, zone: 1 })).toBe(1);
});

test("[MATCH-42] nobody from an unknown country suits a chosen one, and they still meet the others", () => {
  const pool = new Pool();
  pool.start(1, { wish: { sex: 0, country: 1 } });
  expect(pool.start(2, { countryId: 0, zone: 0 })).toBeNull();
  expect(pool.start(3, { countryId: 0, zone: 0, wish: balanced })).toBe(2);
});

test("[MATCH-43] balanced prefers the own country to the own zone, and the zone to those who waited longer", () => {
  const pool = new Pool();
  const waitForMen = { sex: woman, wish: { sex: 1, country: 0 } } as const;
  pool.start(4, { ...waitForMen, countryId: 9, zone: 9 });
  pool.nowMs += 1;
  pool.start(5, { ...waitForMen, countryId: 2, zone: 1 });
  pool.nowMs += 1;
  pool.start(6, { ...waitForMen, countryId: 1, zone: 1 });
  expect(pool.start(7, { wish: balanced })).toBe(6);
  expect(pool.start(8, { wish: balanced })).toBe(5);
});

test("[MATCH-43] balanced widens by itself after 1 s where few people wait", () => {
  const pool = new Pool();
  pool.start(1, { countryId: 2, zone: 2, wish: balanced });
  pool.nowMs += 10;
  expect(pool.start(2, { wish: balanced })).toBeNull();
  expect(pool.advance(5_000)).toEqual([{ pair: [1, 2], afterMs: 990 }]);
});

test("[MATCH-43] balanced widens by itself after 300 ms in a full pool", () => {
  const pool = new Pool();
  for (let userId = 101; userId <= 140; userId += 1)
    pool.start(userId, { sex: woman, countryId: 2, zone: 2, wish: { sex: 1, country: 0 } });
  expect(pool.start(1, { wish: balanced })).toBeNull();
  expect(pool.advance(5_000)).toEqual([{ pair: [101, 1], afterMs: 300 }]);
});

test("[MATCH-43] somebody who waits balanced is found at once by a newcomer who does not care where", () => {
  const pool = new Pool();
  pool.start(1, { countryId: 2, zone: 2, wish: balanced });
  expect(pool.start(2)).toBe(1);
});

test("[MATCH-44] pressing start again changes nothing", () => {
  const pool = new Pool();
  pool.start(1, { wish: women });
  pool.nowMs += 500;
  pool.start(2, { wish: women });
  for (let press = 0; press < 5; press += 1) expect(pool.start(1, { wish: women })).toBeNull();
  expect(pool.matcher.waitingCount()).toBe(2);
  expect(pool.matcher.sinceOf(1n)).toBe(1_000_000);
  expect(pool.start(3, { sex: woman })).toBe(1);
  expect(pool.start(4, { sex: woman })).toBe(2);
  expect(pool.matcher.waitingCount()).toBe(0);
  expect(pool.matcher.nextDueMs()).toBeNull();
});

test("[MATCH-44] another wish is searched anew, from the original start", () => {
  const pool = new Pool();
  pool.start(1, { wish: women });
  pool.nowMs += 2_000;
  pool.start(2, { countryId: 7, wish: { sex: 0, country: 7 } });
  expect(pool.start(1, { wish: { sex: 1, country: 0 } })).toBeNull();
  expect(pool.matcher.sinceOf(1n)).toBe(1_000_000);
  expect(pool.start(1, { countryId: 7, wish: anyone })).toBe(2);
});

test("[MATCH-44] stopping is idempotent too", () => {
  const pool = new Pool();
  expect(pool.matcher.cancel(1n)).toBe(false);
  pool.start(1);
  expect(pool.matcher.cancel(1n)).toBe(true);
  expect(pool.matcher.cancel(1n)).toBe(false);
  expect(pool.start(2)).toBeNull();
});

test("[MATCH-45] the one who waited longest is matched first, whatever list they stand in", () => {
  const pool = new Pool();
  const wishes: MatchWish[] = [women, { sex: 2, country: 1 }, { sex: 2, country: -1 }, women, { sex: 2, country: 1 }];
  for (const [index, wish] of wishes.entries()) {
    pool.start(index + 1, { wish });
    pool.nowMs += 10;
  }
  const found = wishes.map((_, index) => pool.start(100 + index, { sex: woman }));
  expect(found).toEqual([1, 2, 3, 4, 5]);
});

test("[MATCH-45] who comes back from a failed connection stands where they stood", () => {
  const pool = new Pool();
  for (let userId = 1; userId <= 5; userId += 1) {
    pool.start(userId, { wish: women });
    pool.nowMs += 100;
  }
  expect(pool.start(10, { sex: woman })).toBe(1);
  expect(pool.start(11, { sex: woman })).toBe(2);
  pool.start(2, { wish: women }, 1_000_100);
  pool.start(1, { wish: women }, 1_000_000);
  expect(pool.matcher.sinceOf(1n)).toBe(1_000_000);
  expect([20, 21, 22].map((userId) => pool.start(userId, { sex: woman }))).toEqual([1, 2, 3]);
});

test("[MATCH-45] in a very long line the place is exact near both ends, and between never behind the old one", () => {
  const pool = new Pool({ capacityMax: 6_000 });
  const beganMs = pool.nowMs;
  for (let userId = 1; userId <= 5_000; userId += 1) {
    pool.start(userId, { wish: women });
    pool.nowMs += 1;
  }
  pool.start(5_001, { wish: women }, beganMs + 2.5);
  pool.start(5_002, { wish: women }, beganMs + 2_500.5);
  pool.start(5_003, { wish: women }, beganMs + 4_997.5);
  const found = Array.from({ length: 5_003 }, (_, index) => pool.start(10_001 + index, { sex: woman }));
  expect(found.indexOf(5_001)).toBe(3);
  expect(found.indexOf(5_002)).toBeLessThanOrEqual(2_502);
  expect(found.indexOf(5_003)).toBe(5_000);
  expect(found.filter((userId) => userId !== null && userId <= 5_000)).toEqual(
    Array.from({ length: 5_000 }, (_, index) => index + 1),
  );
});

test("[MATCH-45] a start in the future counts as now", () => {
  const pool = new Pool();
  pool.start(1, {}, pool.nowMs + 60_000);
  expect(pool.matcher.sinceOf(1n)).toBe(pool.nowMs);
});

test("[MATCH-46] a pair that just met is not matched again while others wait", () => {
  const pool = new Pool();
  meet(pool, 1, 2);
  pool.nowMs += 1_000;
  pool.start(1);
  expect(pool.start(2)).toBeNull();
  expect(pool.start(3)).toBe(1);
});

test("[MATCH-46] with nobody else there, a pair meets again after 15 s, or when both have waited 5 s", () => {
  const pool = new Pool();
  meet(pool, 1, 2);
  pool.nowMs += 15_000;
  pool.start(1);
  expect(pool.start(2)).toBe(1);
  pool.start(1);
  expect(pool.start(2)).toBeNull();
  expect(pool.advance(20_000)).toEqual([{ pair: [2, 1], afterMs: 5_000 }]);
});

test("[MATCH-46] ten people in a thin pool are never stuck", () => {
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

test("[MATCH-47] after a failed connection the two are kept apart for a short time only", () => {
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
  pool.start(1, { wish: balanced });
  expect(pool.advance(60_000)).toEqual([]);
  expect(pool.matcher.isWaiting(1n)).toBe(true);
});

test("[MATCH-49] behind 1,000 blocked people the one who suits is found within 1 s", () => {
  const pool = new Pool({ isExcluded: (a, b) => (a === 9_999n && b <= 1_000n) || (b === 9_999n && a <= 1_000n) });
  for (let userId = 1; userId <= 1_001; userId += 1) pool.start(userId, { wish: women });
  pool.advance(100);
  expect(pool.start(9_999, { sex: woman })).toBeNull();
  expect(pool.advance(1_000)).toEqual([{ pair: [1_001, 9_999], afterMs: 500 }]);
});

test("[MATCH-50] a full pool refuses by name who would have to wait, and matches who would not", () => {
  const pool = new Pool({ capacityMax: 2 });
  pool.start(1, { wish: women });
  pool.nowMs += 1;
  pool.start(2, { wish: women });
  expect(() => pool.start(3, { wish: women })).toThrow(MatcherFullError);
  expect(pool.matcher.isWaiting(3n)).toBe(false);
  expect(pool.matcher.waitingCount()).toBe(2);
  expect(pool.start(1, { wish: { sex: 2, country: -1 } })).toBeNull();
  expect(pool.start(4, { sex: woman })).toBe(1);
  expect(pool.start(3, { wish: women })).toBeNull();
});

test("[MATCH-51] far more people may come and go than are remembered", () => {
  const pool = new Pool({ capacityMax: 4, rememberedMax: 4 });
  for (let userId = 1; userId <= 1_000; userId += 2) {
    meet(pool, userId, userId + 1);
    pool.matcher.separate(BigInt(userId), BigInt(userId + 1), { nowMs: pool.nowMs, forMs: 1_000 });
  }
  expect(pool.matcher.waitingCount()).toBe(0);
  // The latest pair is still kept apart; the first ones were forgotten.
  pool.start(999);
  expect(pool.start(1_000)).toBeNull();
  pool.matcher.cancel(999n);
  pool.matcher.cancel(1_000n);
  meet(pool, 1, 2);
});

test("[MATCH-51] who takes a forgotten person's place in memory does not take over their partners", () => {
  const pool = new Pool({ capacityMax: 2, rememberedMax: 2 });
  meet(pool, 1, 2);
  meet(pool, 3, 4);
  meet(pool, 1, 5);
});

test("[MATCH-51] one sweep does a bounded amount of work, and the next goes on", () => {
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

test("[MATCH-52] a seeker outside the ranges of the index is refused and changes nothing", () => {
  const pool = new Pool();
  const broken: [number, Partial<Omit<Seeker, "userId">>][] = [
    [0, {}],
    [2 ** 53, {}],
    [1, { sex: 0 as 1 }],
    [1, { wish: { sex: 3 as 2, country: 0 } }],
    [1, { wish: { sex: 0, country: 512 } }],
    [1, { wish: { sex: 0, country: -2 } }],
    [1, { countryId: 512 }],
    [1, { countryId: 1.5 }],
    [1, { zone: 64 }],
  ];
  for (const [userId, facts] of broken) expect(() => pool.start(userId, facts)).toThrow(RangeError);
  expect(pool.matcher.waitingCount()).toBe(0);
});

test("[MATCH-45] a pairing names who waited longer, and both starts", () => {
  const { matcher } = new Pool();
  const seeker = { sex: man, wish: anyone, countryId: 1, zone: 1 } as const;
  matcher.start({ ...seeker, userId: 5n }, 1_000);
  const expected: Pairing = { longer: 5n, newer: 6n, longerSince: 1_000, newerSince: 1_700 };
  expect(matcher.start({ ...seeker, userId: 6n }, 1_700)).toEqual(expected);
  matcher.start({ ...seeker, userId: 7n }, 2_000);
  const returned: Pairing = { longer: 8n, newer: 7n, longerSince: 500, newerSince: 2_000 };
  expect(matcher.start({ ...seeker, userId: 8n }, 2_100, 500)).toEqual(returned);
});
