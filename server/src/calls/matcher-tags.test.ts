import { expect, test } from "vitest";
import type { Talk } from "@fava/wire/talk.ts";
import { balanced, Pool, woman, women } from "#test/fixtures/matcher-pool.ts";

const speaks = (...languages: number[]): Talk => ({ languages, interests: [], prefer: 1 });
const likes = (...interests: number[]): Talk => ({ languages: [], interests, prefer: 1 });
const [german, portuguese, korean] = [5, 12, 9];

/** Starts men who search for women, one millisecond apart. */
function waitingMen(pool: Pool, men: Record<number, Talk | undefined>, facts = {}): void {
  for (const [userId, talk] of Object.entries(men)) {
    pool.start(Number(userId), { filters: women, talk, ...facts });
    pool.nowMs += 1;
  }
}

/** Starts enough searches at once that users wait for a partner with a common language. */
function rush(pool: Pool, count = 30): void {
  for (let userId = 5_000; userId < 5_000 + count; userId += 1) {
    pool.start(userId, { filters: women });
    pool.matcher.cancel(BigInt(userId));
  }
}

test("finds a waiting user who named a common language before older ones who did not", () => {
  const pool = new Pool();
  waitingMen(pool, { 1: speaks(german), 2: undefined, 3: speaks(korean, portuguese), 4: speaks(portuguese) });
  expect(pool.start(10, { sex: woman, talk: speaks(portuguese, 0) })).toBe(3);
});

test("ranks a named language above an assumed one or two interests, and finds the oldest of equals", () => {
  const scored: [Talk | undefined, number][] = [
    [{ ...likes(1, 2, 3), languages: [german] }, 2],
    [undefined, 2],
    [{ ...likes(1, 2), languages: [german] }, 2],
    [{ ...likes(3), languages: [german] }, 1],
    [speaks(german), 0],
  ];
  const searcher = { ...likes(1, 2, 3), languages: [portuguese] };
  const meets = (...men: (Talk | undefined)[]) => {
    const pool = new Pool();
    waitingMen(pool, Object.fromEntries(men.map((talk, at) => [at + 1, talk])), { languageId: portuguese });
    return pool.start(10, { sex: woman, talk: searcher });
  };
  for (const [one, points] of scored)
    for (const [other, others] of scored) expect(meets(one, other)).toBe(others > points ? 2 : 1);
  for (const [one] of scored) expect(meets(one, speaks(portuguese))).toBe(2);
});

test("assumes the interface language for a user who named none, whichever of the two searches", () => {
  const pool = new Pool();
  waitingMen(pool, { 1: speaks(german), 2: speaks(korean) });
  expect(pool.start(10, { sex: woman, languageId: korean, talk: likes(1) })).toBe(2);
  waitingMen(pool, { 3: likes(2), 4: undefined }, { languageId: german });
  expect(pool.start(11, { sex: woman, talk: speaks(korean) })).toBe(1);
});

test("passes over no user more than three times in a search", () => {
  const pool = new Pool();
  const men = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [at + 2, speaks(portuguese)]));
  waitingMen(pool, { 1: speaks(german), ...men });
  const found = [20, 21, 22, 23, 24].map((userId) => pool.start(userId, { sex: woman, talk: speaks(portuguese) }));
  expect(found).toEqual([2, 3, 4, 1, 5]);
});

test("chooses among the sixteen oldest, so that no user is passed over unseen", () => {
  const pool = new Pool();
  const men = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [at + 1, speaks(german)]));
  waitingMen(pool, { ...men, 17: speaks(portuguese) });
  expect(pool.start(20, { sex: woman, talk: speaks(portuguese) })).toBe(1);
  pool.start(1, { filters: women, talk: speaks(german) });
  expect(pool.start(21, { sex: woman, talk: speaks(portuguese) })).toBe(17);
});

test("begins a new search without passes", () => {
  const pool = new Pool();
  waitingMen(pool, { 1: speaks(german), 2: speaks(portuguese), 3: speaks(portuguese), 4: speaks(portuguese) });
  for (const userId of [20, 21, 22]) pool.start(userId, { sex: woman, talk: speaks(portuguese) });
  pool.matcher.cancel(1n);
  waitingMen(pool, { 1: speaks(german), 5: speaks(portuguese) });
  expect(pool.start(23, { sex: woman, talk: speaks(portuguese) })).toBe(5);
});

test.each([
  ["who chose nothing", undefined],
  ["who removed all choices", speaks()],
  ["who switched the preference off", { ...speaks(portuguese), prefer: 0 as const }],
])("matches %s with the oldest, and looks at no other user", (_who, talk) => {
  const asked: bigint[] = [];
  const pool = new Pool({
    isExcluded: (_searcher, other) => {
      asked.push(other);
      return false;
    },
  });
  waitingMen(pool, { 1: speaks(german), 2: speaks(portuguese) });
  asked.length = 0;
  expect(pool.start(10, { sex: woman, talk, languageId: portuguese })).toBe(1);
  expect(asked).toEqual([1n]);
});

test("in a search that is near first, prefers a common language nearby, then one far away, then a nearby user without one", () => {
  const pool = new Pool();
  const filters = { sex: 2, country: 0 } as const;
  const far = { filters, countryId: 3, zone: 3 };
  pool.start(1, { ...far, talk: speaks(portuguese) });
  pool.start(2, { filters, countryId: 2, zone: 1, talk: speaks(portuguese) });
  pool.start(3, { filters, countryId: 1, zone: 1, talk: speaks(portuguese) });
  pool.start(4, { filters, countryId: 1, zone: 1, talk: speaks(german) });
  const womanHere = { sex: woman, filters: balanced, talk: speaks(portuguese) } as const;
  expect([10, 11, 12, 13].map((userId) => pool.start(userId, womanHere))).toEqual([3, 2, 1, 4]);
});

test("passes over a nearby user for a distant one at most three times", () => {
  const pool = new Pool();
  for (const userId of [2, 3, 4, 5])
    pool.start(userId, { filters: women, countryId: 3, zone: 3, talk: speaks(portuguese) });
  pool.nowMs += 1;
  pool.start(1, { filters: women, talk: speaks(german) });
  const womanHere = { sex: woman, filters: balanced, talk: speaks(portuguese) } as const;
  expect([10, 11, 12, 13].map((userId) => pool.start(userId, womanHere))).toEqual([2, 3, 4, 1]);
});

test("finds near users before far ones with interests alone, and holds for near ones as usual", () => {
  const pool = new Pool();
  const far = { filters: women, countryId: 3, zone: 3, talk: likes(7) };
  pool.start(1, far);
  pool.start(2, { filters: women });
  pool.advance(4_500);
  const womanHere = { sex: woman, filters: balanced, talk: likes(7) } as const;
  expect(pool.start(10, womanHere)).toBe(2);
  expect(pool.start(11, womanHere)).toBeNull();
  expect(pool.advance(2_000)).toEqual([{ pair: [1, 11], afterMs: 1_000 }]);
});

test("has a user who named a language wait half a second for another who named it, if many users arrive", () => {
  const pool = new Pool();
  rush(pool);
  waitingMen(pool, { 1: speaks(german) });
  expect(pool.start(10, { sex: woman, talk: speaks(portuguese) })).toBeNull();
  expect(pool.advance(1_000)).toEqual([{ pair: [1, 10], afterMs: 500 }]);
  rush(pool);
  waitingMen(pool, { 1: speaks(german) });
  expect(pool.start(11, { sex: woman, talk: speaks(portuguese) })).toBeNull();
  pool.nowMs += 400;
  expect(pool.start(2, { filters: women, talk: speaks(portuguese) })).toBe(11);
});

test("does not hold for a language where fewer than three suitable users arrive a second", () => {
  const pool = new Pool();
  rush(pool, 28);
  for (let userId = 6_000; userId < 6_100; userId += 1) {
    pool.start(userId, { sex: woman, filters: { sex: 1, country: 0 } });
    pool.matcher.cancel(BigInt(userId));
  }
  waitingMen(pool, { 1: speaks(german) });
  expect(pool.start(10, { sex: woman, talk: speaks(portuguese), filters: { sex: 1, country: 0 } })).toBe(1);
  rush(pool, 30);
  waitingMen(pool, { 1: speaks(german) });
  pool.nowMs += 10_000;
  pool.matcher.cancel(1n);
  waitingMen(pool, { 1: speaks(german) });
  expect(pool.start(11, { sex: woman, talk: speaks(portuguese), filters: { sex: 1, country: 0 } })).toBe(1);
});

test("passes over no user who has waited five seconds or was passed over three times", () => {
  const pool = new Pool();
  waitingMen(pool, { 1: speaks(german) });
  pool.nowMs += 5_000;
  rush(pool);
  expect(pool.start(10, { sex: woman, talk: speaks(portuguese) })).toBe(1);
  waitingMen(pool, { 1: speaks(german), 2: speaks(portuguese), 3: speaks(portuguese), 4: speaks(portuguese) });
  rush(pool);
  const found = [11, 12, 13, 14].map((userId) => pool.start(userId, { sex: woman, talk: speaks(portuguese) }));
  expect(found).toEqual([2, 3, 4, 1]);
});

test.each([
  ["who chose nothing", undefined],
  ["with interests alone", likes(1)],
  ["who switched the preference off", { ...speaks(portuguese), prefer: 0 as const }],
])("does not make a user wait %s", (_who, talk) => {
  const pool = new Pool();
  rush(pool);
  waitingMen(pool, { 1: speaks(german) });
  expect(pool.start(10, { sex: woman, talk })).toBe(1);
});

test("runs beside the hold for near users, not after it", () => {
  const thin = new Pool();
  rush(thin);
  const womanHere = { sex: woman, filters: { sex: 1, country: -1 }, talk: speaks(portuguese) } as const;
  thin.start(1, { filters: women, talk: speaks(german) });
  thin.start(2, { filters: women, countryId: 3, zone: 3, talk: speaks(german) });
  expect([thin.start(10, womanHere), thin.start(11, womanHere)]).toEqual([null, null]);
  expect(thin.advance(2_000)).toEqual([
    { pair: [1, 10], afterMs: 500 },
    { pair: [2, 11], afterMs: 1_000 },
  ]);

  const full = new Pool();
  const nobodyHere = { filters: { sex: 2, country: 3 }, countryId: 3, zone: 3 } as const;
  for (let userId = 100; userId < 140; userId += 1) full.start(userId, nobodyHere);
  full.start(1, { filters: women, countryId: 2, zone: 2, talk: speaks(german) });
  full.advance(4_900);
  rush(full);
  expect(full.start(10, womanHere)).toBeNull();
  // When the 300 ms for near partners end, the other user has waited more than 5 s.
  expect(full.advance(2_000)).toEqual([{ pair: [1, 10], afterMs: 300 }]);
  full.start(2, { filters: women, countryId: 2, zone: 2, talk: speaks(german) });
  rush(full);
  expect(full.start(11, womanHere)).toBeNull();
  expect(full.advance(2_000)).toEqual([{ pair: [2, 11], afterMs: 500 }]);
});

test("ignores a repeated Start, unless languages or interests changed", () => {
  const pool = new Pool();
  waitingMen(pool, { 1: speaks(portuguese) });
  const again = (talk?: Talk) => pool.start(2, { filters: women, talk });
  again(speaks(german, korean));
  const since = pool.matcher.sinceOf(2n);
  pool.nowMs += 1;
  for (const talk of [speaks(korean, german), { ...likes(3), languages: [german] }, undefined, speaks(korean)])
    again(talk);
  expect([pool.matcher.waitingCount(), pool.matcher.sinceOf(2n)]).toEqual([2, since]);
  expect(pool.start(10, { sex: woman, talk: speaks(german) })).toBe(1);
  expect(pool.start(11, { sex: woman, talk: speaks(korean) })).toBe(2);
});

test("keeps tags of a later version, and rejects invalid ones", () => {
  const pool = new Pool();
  expect(pool.start(1, { filters: women, talk: likes(63) })).toBeNull();
  const wrong: Talk[] = [
    speaks(64),
    speaks(-1),
    speaks(1.5),
    likes(64),
    speaks(0, 1, 2, 3, 4, 5),
    likes(0, 1, 2, 3, 4, 5, 6),
  ];
  for (const talk of wrong) expect(() => pool.start(2, { filters: women, talk })).toThrow(RangeError);
  for (const languageId of [63, -1]) expect(() => pool.start(2, { filters: women, languageId })).toThrow(RangeError);
  expect(pool.start(3, { sex: woman, talk: likes(63) })).toBe(1);
});
