import { expect, test } from "vitest";
import { anyone, balanced, Pool, woman } from "#test/fixtures/matcher-pool.ts";

const [home, near, far] = [1, 2, 3];

test("matches no user of an excluded country, whichever of the two searches", () => {
  const pool = new Pool();
  expect(pool.start(1, { countryId: home, leavesOut: [near, far] })).toBeNull();
  expect(pool.start(2, { countryId: near })).toBeNull();
  pool.matcher.cancel(1n);
  expect(pool.start(1, { countryId: home, leavesOut: [near, far] })).toBeNull();
  expect(pool.start(3, { countryId: far })).toBe(2);
  expect(pool.start(4, { countryId: home })).toBe(1);
});

test("lets users exclude their own country; users of unknown countries meet everybody", () => {
  const pool = new Pool();
  pool.start(1, { countryId: home, leavesOut: [home] });
  expect(pool.start(2, { countryId: home })).toBeNull();
  expect(pool.start(3, { countryId: 0, leavesOut: [near] })).toBe(1);
});

test("searches again from the original start if Start is pressed with other countries, and does nothing with the same ones", () => {
  const pool = new Pool();
  pool.start(1, { countryId: home, leavesOut: [far, near] });
  pool.nowMs += 1_000;
  pool.start(2, { countryId: near });
  expect(pool.start(1, { countryId: home, leavesOut: [near, far] })).toBeNull();
  expect(pool.matcher.sinceOf(1n)).toBe(1_000_000);
  expect(pool.start(1, { countryId: home, leavesOut: [far] })).toBe(2);
});

test("matches users with a common language across no excluded country, but with others", () => {
  const talk = { languages: [12], interests: [], prefer: 1 as const };
  const pool = new Pool();
  const wanted = { filters: { sex: woman, country: 0 } } as const;
  pool.start(1, { ...wanted, countryId: near, talk });
  pool.nowMs += 1;
  pool.start(2, { ...wanted, countryId: far });
  expect(pool.start(3, { sex: woman, countryId: home, leavesOut: [near], talk })).toBe(2);
});

test.each([
  ["one's own country", { leavesOut: [home] }, {}],
  ["that of the one who searches", {}, { leavesOut: [home] }],
])("finds the user behind sixteen barred ones (%s) as behind others", (_whose, one, others) => {
  const pool = new Pool();
  for (let userId = 100; userId < 120; userId += 1) {
    const wants = { sex: woman, country: 0 } as const;
    pool.start(userId, { countryId: home, filters: wants, ...others });
    pool.nowMs += 1;
  }
  pool.start(200, { countryId: far, zone: 2, filters: { sex: woman, country: 0 } });
  expect(pool.start(1, { sex: woman, countryId: home, filters: anyone, ...one })).toBeNull();
  expect(pool.advance(125)).toMatchObject([{ pair: [200, 1], afterMs: 125 }]);
});

test("does not look into an excluded country in a balanced search", () => {
  const looks = (leavesOut?: number[]) => {
    const asked: bigint[] = [];
    const isExcluded = (_searcher: bigint, other: bigint) => asked.push(other) < 0;
    const pool = new Pool({ isExcluded });
    pool.start(1, { countryId: home, zone: 1, filters: { sex: woman, country: 0 } });
    pool.start(2, { sex: woman, countryId: home, zone: 1, filters: balanced, ...(leavesOut && { leavesOut }) });
    return asked;
  };
  // The first search looks at user 1 in the user's country. The second one looks at user 1 only in the zone.
  expect([looks(), looks([home])]).toEqual([[1n], [1n]]);
});

test("counts looks that failed because of an excluded country alone", () => {
  const pool = new Pool({ isExcluded: (one, other) => [one, other].includes(9n) });
  pool.start(1, { countryId: home, leavesOut: [near] });
  pool.start(9, { countryId: near });
  expect(pool.matcher.barredByCountry).toBe(0);
  pool.start(2, { countryId: near });
  expect(pool.matcher.barredByCountry).toBe(1);
});

test("rejects invalid countries, and more than can be excluded", () => {
  for (const leavesOut of [[1, 2, 3, 4, 5, 6], [0], [512], [1.5]])
    expect(() => new Pool().start(1, { leavesOut })).toThrow(RangeError);
});
