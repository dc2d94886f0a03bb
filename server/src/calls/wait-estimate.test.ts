import fc from "fast-check";
import { expect, test } from "vitest";
import { waitEstimateSeconds } from "@fava/wire/limits.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import type { WaitOf } from "#ports/match-pool.ts";
import { WaitTimes } from "./wait-estimate.ts";

const minuteMs = 60_000;
const ana: WaitOf = { sex: 2, countryId: 18, zone: 1, filters: { sex: 1, country: 0 } };
const from = (countryId: number, zone: number): WaitOf => ({ ...ana, countryId, zone });

const many = (count: number, search = ana): WaitOf[] => Array.from({ length: count }, () => search);

class World {
  nowMs = 1_795_000_000_000;
  readonly times = new WaitTimes(() => this.nowMs);

  search(searches: readonly WaitOf[], seconds: number, how: "found" | "gave up"): void {
    const begun = searches.map((search) => this.times.began(search, this.nowMs));
    this.nowMs += seconds * 1_000;
    for (const wait of begun) this.times.ended(wait, how);
  }

  /** Starts `count` waits, which may have lasted `waitedSeconds` already. */
  begin(count: number, search = ana, waitedSeconds = 0) {
    return Array.from({ length: count }, () => this.times.began(search, this.nowMs - waitedSeconds * 1_000));
  }

  told(search = ana) {
    return this.times.estimateWait(search);
  }
}

test("estimates the shortest time by which half of the searches have found a partner", () => {
  const world = new World();
  world.search(many(10), 4, "found");
  world.search(many(30), 17, "found");
  expect(world.told()).toEqual({ seconds: 20, basis: "yours" });
  world.search(many(40), 4, "found");
  expect(world.told()).toEqual({ seconds: 5, basis: "yours" });
});

test("counts searches that were given up or still run for as long as they lasted", () => {
  const world = new World();
  world.search(many(20), 4, "found");
  expect(world.told().seconds).toBe(5);
  world.search(many(60), 200, "gave up");
  // Searches that found a partner were short, but only a quarter of all did.
  expect(world.told()).toEqual({ seconds: null, basis: "yours" });
  const waiting = new World();
  waiting.search(many(20), 4, "found");
  waiting.begin(60);
  expect(waiting.told().seconds).toBe(5);
  waiting.nowMs += 400_000;
  expect(waiting.told()).toEqual({ seconds: null, basis: "yours" });
});

test("uses the searches of the zone below twenty, then all alike, then none", () => {
  const world = new World();
  expect(world.told()).toEqual({ seconds: null, basis: "none" });
  world.search(many(19), 4, "found");
  expect(world.told()).toEqual({ seconds: null, basis: "none" });
  world.search(many(1, from(19, 1)), 4, "found");
  expect(world.told()).toEqual({ seconds: 5, basis: "wider" });
  expect(world.told(from(77, 3))).toEqual({ seconds: 5, basis: "wider" });
  expect(world.told({ ...ana, filters: { sex: 0, country: 0 } }).basis).toBe("none");
  world.search(many(1), 4, "found");
  expect(world.told()).toEqual({ seconds: 5, basis: "yours" });
});

test("counts an interrupted wait from its start, without the time in between", () => {
  const [world, same] = [new World(), new World()];
  world.search(many(40), 4, "found");
  same.search(many(40), 4, "found");
  same.search(many(39), 350, "gave up");
  const renewed = Array.from({ length: 39 }, () => world.begin(1)[0]!);
  for (let second = 0; second < 350; second += 7) {
    world.nowMs += 7_000;
    for (const [at, wait] of renewed.entries()) {
      world.times.ended(wait, "gave up");
      renewed[at] = world.times.began(ana, wait.sinceMs);
    }
  }
  for (const wait of renewed) world.times.ended(wait, "gave up");
  expect([world.told(), same.told()]).toEqual(Array(2).fill({ seconds: 5, basis: "yours" }));
  for (const each of [world, same]) each.search(many(2), 350, "gave up");
  expect([world.told(), same.told()]).toEqual(Array(2).fill({ seconds: null, basis: "yours" }));
});

test("ignores the time before a search was first known", () => {
  const world = new World();
  const late = world.begin(100, ana, 60);
  expect(world.told().basis).toBe("none");
  world.nowMs += 30_000;
  for (const wait of late) world.times.ended(wait, "found");
  // All observed waits had lasted a minute already.
  expect(world.told().basis).toBe("none");
  world.search(many(20), 4, "found");
  expect(world.told()).toEqual({ seconds: 5, basis: "yours" });
});

test("gives no estimate while all searches have just begun", () => {
  const world = new World();
  world.begin(100);
  world.nowMs += 1_000;
  expect(world.told().basis).toBe("none");
});

test("ignores searches that ended more than fifteen minutes ago", () => {
  const world = new World();
  world.search(many(20), 4, "found");
  world.nowMs += 14 * minuteMs;
  expect(world.told().seconds).toBe(5);
  world.nowMs += 2 * minuteMs;
  expect(world.told().basis).toBe("none");
});

test("evicts the class used longest ago beyond two thousand, harmlessly for waits still in it", () => {
  const world = new World();
  const [wait] = world.begin(1);
  for (let country = 100; country < 2_200; country += 1) world.search(many(1, from(country, 2)), 0, "found");
  for (let country = 100; country < 119; country += 1) world.search(many(1, from(18, 1)), 1, "found");
  world.nowMs += 1_000;
  world.times.ended(wait!, "found");
  expect(world.told()).toEqual({ seconds: 2, basis: "wider" });
  world.search(many(1), 1, "found");
  expect(world.told()).toEqual({ seconds: 2, basis: "yours" });
});

test("returns one of the listed times or none, and is never shortened by more searches given up late", () => {
  const step = fc.record({
    count: fc.integer({ min: 1, max: 30 }),
    seconds: fc.integer({ min: 0, max: 60 }),
    how: fc.constantFrom("found" as const, "gave up" as const),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      const world = new World();
      for (const { count, seconds, how } of steps) world.search(many(count), seconds, how);
      const before = world.told();
      expect([null, ...waitEstimateSeconds]).toContain(before.seconds);
      if (before.basis !== "yours") return;
      world.search(many(5), 299, "gave up");
      const after = world.told();
      expect(after.seconds ?? Infinity).toBeGreaterThanOrEqual(before.seconds ?? Infinity);
    }),
    fuzz(100),
  );
});
