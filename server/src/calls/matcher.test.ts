import { expect, test } from "vitest";
import type { MatchFilters } from "@fava/wire/beans.ts";
import { anyone, balanced, man, Pool, woman, women } from "#test/fixtures/matcher-pool.ts";
import type { Pairing } from "./matcher.ts";

test("[MATCH-41] matches only if the wish of each accepts the other", () => {
  const pool = new Pool();
  pool.start(1, { sex: man, filters: women });
  pool.nowMs += 1;
  expect(pool.start(2, { sex: man })).toBeNull();
  expect(pool.start(3, { sex: woman, filters: women })).toBeNull();
  expect(pool.start(4, { sex: woman, filters: { sex: 1, country: 0 } })).toBe(1);
});

test("[MATCH-42] applies a chosen country of the searching user strictly", () => {
  const pool = new Pool();
  pool.start(1, { countryId: 2 });
  expect(pool.start(2, { filters: { sex: 0, country: 3 } })).toBeNull();
  expect(pool.advance(120_000)).toEqual([]);
  expect(pool.start(3, { countryId: 3, filters: { sex: 0, country: 1 } })).toBe(2);
});

test("[MATCH-42] applies a chosen country of the waiting user strictly", () => {
  const pool = new Pool();
  pool.start(1, { countryId: 2, filters: { sex: 0, country: 3 } });
  pool.nowMs += 1;
  expect(pool.start(2, { countryId: 4, filters: women })).toBeNull();
  expect(pool.start(3, { countryId: 2 })).toBeNull();
  expect(pool.start(4, { countryId: 3 })).toBe(1);
});

test("[MATCH-42] ignores the country of a global search", () => {
  const pool = new Pool();
  pool.start(1, { countryId: 5, zone: 3 });
  pool.start(2, { countryId: 1, zone: 1, filters: women });
  expect(pool.start(3, { countryId: 1, zone: 1 })).toBe(1);
});

test("[MATCH-42] matches users of unknown countries with all but those who chose a country", () => {
  const pool = new Pool();
  pool.start(1, { filters: { sex: 0, country: 1 } });
  expect(pool.start(2, { countryId: 0, zone: 0 })).toBeNull();
  expect(pool.start(3, { countryId: 0, zone: 0, filters: balanced })).toBe(2);
});

test("[MATCH-43] prefers the own country to the own zone, and the zone to users who waited longer", () => {
  const pool = new Pool();
  const waitForMen = { sex: woman, filters: { sex: 1, country: 0 } } as const;
  pool.start(4, { ...waitForMen, countryId: 9, zone: 9 });
  pool.nowMs += 1;
  pool.start(5, { ...waitForMen, countryId: 2, zone: 1 });
  pool.nowMs += 1;
  pool.start(6, { ...waitForMen, countryId: 1, zone: 1 });
  expect(pool.start(7, { filters: balanced })).toBe(6);
  expect(pool.start(8, { filters: balanced })).toBe(5);
});

test("[MATCH-43] widens a balanced search after 1 s where few users wait", () => {
  const pool = new Pool();
  pool.start(1, { countryId: 2, zone: 2, filters: balanced });
  pool.nowMs += 10;
  expect(pool.start(2, { filters: balanced })).toBeNull();
  expect(pool.advance(5_000)).toEqual([{ pair: [1, 2], afterMs: 990 }]);
});

test("[MATCH-43] widens a balanced search after 300 ms in a full pool", () => {
  const pool = new Pool();
  for (let userId = 101; userId <= 140; userId += 1)
    pool.start(userId, { sex: woman, countryId: 2, zone: 2, filters: { sex: 1, country: 0 } });
  expect(pool.start(1, { filters: balanced })).toBeNull();
  expect(pool.advance(5_000)).toEqual([{ pair: [101, 1], afterMs: 300 }]);
});

test("[MATCH-43] matches a waiting user who prefers nearby users at once with a newcomer who prefers none", () => {
  const pool = new Pool();
  pool.start(1, { countryId: 2, zone: 2, filters: balanced });
  expect(pool.start(2)).toBe(1);
});

test("ignores a repeated Start", () => {
  const pool = new Pool();
  pool.start(1, { filters: women });
  pool.nowMs += 500;
  pool.start(2, { filters: women });
  for (let press = 0; press < 5; press += 1) expect(pool.start(1, { filters: women })).toBeNull();
  expect(pool.matcher.waitingCount()).toBe(2);
  expect(pool.matcher.sinceOf(1n)).toBe(1_000_000);
  expect(pool.start(3, { sex: woman })).toBe(1);
  expect(pool.start(4, { sex: woman })).toBe(2);
  expect(pool.matcher.waitingCount()).toBe(0);
  expect(pool.matcher.nextDueMs()).toBeNull();
});

test("searches again from the original start after a change of filters", () => {
  const pool = new Pool();
  pool.start(1, { filters: women });
  pool.nowMs += 2_000;
  pool.start(2, { countryId: 7, filters: { sex: 0, country: 7 } });
  expect(pool.start(1, { filters: { sex: 1, country: 0 } })).toBeNull();
  expect(pool.matcher.sinceOf(1n)).toBe(1_000_000);
  expect(pool.start(1, { countryId: 7, filters: anyone })).toBe(2);
});

test("ignores a repeated Stop", () => {
  const pool = new Pool();
  expect(pool.matcher.cancel(1n)).toBe(false);
  pool.start(1);
  expect(pool.matcher.cancel(1n)).toBe(true);
  expect(pool.matcher.cancel(1n)).toBe(false);
  expect(pool.start(2)).toBeNull();
});

test("matches the user who waited longest first, from whatever list", () => {
  const pool = new Pool();
  const wishes: MatchFilters[] = [
    women,
    { sex: 2, country: 1 },
    { sex: 2, country: -1 },
    women,
    { sex: 2, country: 1 },
  ];
  for (const [index, filters] of wishes.entries()) {
    pool.start(index + 1, { filters });
    pool.nowMs += 10;
  }
  const found = wishes.map((_, index) => pool.start(100 + index, { sex: woman }));
  expect(found).toEqual([1, 2, 3, 4, 5]);
});

test("restores the place of a user whose connection failed", () => {
  const pool = new Pool();
  for (let userId = 1; userId <= 5; userId += 1) {
    pool.start(userId, { filters: women });
    pool.nowMs += 100;
  }
  expect(pool.start(10, { sex: woman })).toBe(1);
  expect(pool.start(11, { sex: woman })).toBe(2);
  pool.start(2, { filters: women }, 1_000_100);
  pool.start(1, { filters: women }, 1_000_000);
  expect(pool.matcher.sinceOf(1n)).toBe(1_000_000);
  expect([20, 21, 22].map((userId) => pool.start(userId, { sex: woman }))).toEqual([1, 2, 3]);
});

test("restores an older place in the queue of a user who searches already", () => {
  const pool = new Pool();
  pool.start(1, { filters: women });
  pool.nowMs += 100;
  pool.start(2, { filters: women });
  expect(pool.start(2, { filters: women }, 999_000)).toBeNull();
  expect(pool.matcher.sinceOf(2n)).toBe(999_000);
  expect([20, 21].map((userId) => pool.start(userId, { sex: woman }))).toEqual([2, 1]);
});

test("places exactly near both ends of a long queue, and between never behind the old place", () => {
  const pool = new Pool({ capacityMax: 6_000 });
  const beganMs = pool.nowMs;
  for (let userId = 1; userId <= 5_000; userId += 1) {
    pool.start(userId, { filters: women });
    pool.nowMs += 1;
  }
  pool.start(5_001, { filters: women }, beganMs + 2.5);
  pool.start(5_002, { filters: women }, beganMs + 2_500.5);
  pool.start(5_003, { filters: women }, beganMs + 4_997.5);
  const found = Array.from({ length: 5_003 }, (_, index) => pool.start(10_001 + index, { sex: woman }));
  expect(found.indexOf(5_001)).toBe(3);
  expect(found.indexOf(5_002)).toBeLessThanOrEqual(2_502);
  expect(found.indexOf(5_003)).toBe(5_000);
  expect(found.filter((userId) => userId !== null && userId <= 5_000)).toEqual(
    Array.from({ length: 5_000 }, (_, index) => index + 1),
  );
});

test("treats a start in the future as now", () => {
  const pool = new Pool();
  pool.start(1, {}, pool.nowMs + 60_000);
  expect(pool.matcher.sinceOf(1n)).toBe(pool.nowMs);
});

test("names who waited longer, and both starts, in a pairing", () => {
  const { matcher } = new Pool();
  const seeker = { sex: man, filters: anyone, countryId: 1, zone: 1 } as const;
  matcher.start({ ...seeker, userId: 5n }, 1_000);
  const expected: Pairing = { longer: 5n, newer: 6n, longerSince: 1_000, newerSince: 1_700 };
  expect(matcher.start({ ...seeker, userId: 6n }, 1_700)).toEqual(expected);
  matcher.start({ ...seeker, userId: 7n }, 2_000);
  const returned: Pairing = { longer: 8n, newer: 7n, longerSince: 500, newerSince: 2_000 };
  expect(matcher.start({ ...seeker, userId: 8n }, 2_100, 500)).toEqual(returned);
});
