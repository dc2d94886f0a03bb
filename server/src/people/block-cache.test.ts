import { beforeEach, expect, test } from "vitest";
import { BlockCache } from "./block-cache.ts";

const [ana, bo, cem] = [1n, 2n, 3n];

let stored: Map<bigint, bigint[]>;
let storedApart: Map<bigint, bigint[]>;
let reading: () => Promise<void>;
let cache: BlockCache;
beforeEach(() => {
  stored = new Map([[ana, [bo]]]);
  storedApart = new Map();
  reading = async () => {};
  cache = new BlockCache({
    entriesMax: 2,
    read: async (userId) => {
      const read = [
        ...(storedApart.get(userId) ?? []).map((otherId) => ({ otherId, kind: "apart" as const })),
        ...(stored.get(userId) ?? []).map((otherId) => ({ otherId, kind: "block" as const })),
      ];
      await reading();
      return read;
    },
  });
});

const blocked = (userId: bigint, otherId: bigint, on: boolean) => cache.changed({ userId, otherId, kind: "block", on });

function standStill() {
  let finish = () => {};
  const read = new Promise<void>((resolve) => {
    finish = resolve;
  });
  reading = () => read;
  return () => finish();
}

test("[PEOPLE-15] knows the blocks of prepared users in both directions until they leave", async () => {
  expect(cache.isPrepared(ana)).toBe(false);
  await Promise.all([cache.prepare(ana), cache.prepare(bo), cache.prepare(cem)]);
  expect([cache.isPrepared(ana), cache.isExcluded(ana, bo), cache.isExcluded(bo, ana)]).toEqual([true, true, true]);
  expect(cache.isExcluded(ana, cem)).toBe(false);
  blocked(cem, ana, true);
  blocked(ana, bo, false);
  expect([cache.isExcluded(ana, cem), cache.isExcluded(ana, bo)]).toEqual([true, false]);
  cache.gone(ana);
  expect(cache.isPrepared(ana)).toBe(false);
});

test("[PEOPLE-15] applies a block that starts or ends while blocks are read", async () => {
  const finish = standStill();
  const preparing = cache.prepare(ana);
  stored.set(ana, [cem]);
  blocked(ana, cem, true);
  blocked(ana, bo, false);
  expect([cache.isPrepared(ana), cache.isExcluded(ana, cem)]).toEqual([false, true]);
  finish();
  await preparing;
  expect([cache.isExcluded(ana, bo), cache.isExcluded(ana, cem)]).toEqual([false, true]);
});

test("[PEOPLE-15] frees the place of a user who leaves while blocks are read", async () => {
  const finish = standStill();
  const preparing = cache.prepare(ana);
  cache.gone(ana);
  finish();
  await preparing;
  expect(cache.isPrepared(ana)).toBe(false);
  stored.set(cem, [ana, bo]);
  await cache.prepare(cem);
  expect(cache.isPrepared(cem)).toBe(true);
});

test("[PEOPLE-15] prepares nobody when the cache is full or the read fails, and lets the caller retry", async () => {
  stored.set(cem, [ana, bo]);
  await cache.prepare(cem);
  await expect(cache.prepare(ana)).rejects.toMatchObject({ code: 429, data: { retry_after: 5 } });
  expect(cache.isPrepared(ana)).toBe(false);
  cache.gone(cem);
  reading = () => Promise.reject(new Error("no database"));
  await expect(cache.prepare(ana)).rejects.toThrow("no database");
  reading = async () => {};
  await cache.prepare(ana);
  expect(cache.isPrepared(ana)).toBe(true);
});

test("reloads after a gap, and keeps the known exclusions meanwhile", async () => {
  await Promise.all([cache.prepare(ana), cache.prepare(bo)]);
  stored = new Map([
    [ana, [cem]],
    [bo, [cem]],
  ]);
  const finish = standStill();
  const reading = cache.readAgain();
  expect([cache.isPrepared(ana), cache.isExcluded(ana, bo), cache.isExcluded(ana, cem)]).toEqual([true, true, false]);
  // The block was stored after the cache's read, so the cache reads again.
  blocked(ana, bo, true);
  stored.set(ana, [bo, cem]);
  finish();
  await reading;
  expect([cache.isExcluded(ana, bo), cache.isExcluded(ana, cem), cache.isExcluded(bo, cem)]).toEqual([
    true,
    true,
    true,
  ]);
});

test("[TALK-25] keeps avoided users apart like blocked ones, and ends each independently", async () => {
  stored = new Map();
  storedApart = new Map([[ana, [bo]]]);
  await Promise.all([cache.prepare(ana), cache.prepare(bo)]);
  expect([cache.isExcluded(ana, bo), cache.isExcluded(bo, ana)]).toEqual([true, true]);
  expect([...cache.excludedBy(ana)]).toEqual([bo]);
  blocked(ana, bo, true);
  blocked(ana, bo, false);
  expect(cache.isExcluded(ana, bo)).toBe(true);
  blocked(ana, bo, true);
  cache.changed({ userId: ana, otherId: bo, kind: "apart", on: false });
  expect(cache.isExcluded(bo, ana)).toBe(true);
  blocked(ana, bo, false);
  expect(cache.isExcluded(bo, ana)).toBe(false);
  // A user who is both blocked and avoided takes one place of the cache, and frees one.
  [stored, storedApart] = [new Map([[cem, [bo, ana]]]), new Map([[cem, [bo, ana]]])];
  await cache.prepare(cem);
  expect(cache.isPrepared(cem)).toBe(true);
});
