import { beforeEach, expect, test } from "vitest";
import { BlockCache } from "./social-service.ts";

const [ana, bo, cem] = [1n, 2n, 3n];

let stored: Map<bigint, bigint[]>;
let reading: () => Promise<void>;
let book: BlockCache;
beforeEach(() => {
  stored = new Map([[ana, [bo]]]);
  reading = async () => {};
  book = new BlockCache({
    entriesMax: 2,
    read: async (userId) => {
      const ids = stored.get(userId) ?? [];
      await reading();
      return ids;
    },
  });
});

/** Reading stands still until `finish` is called. */
function standStill() {
  let finish = () => {};
  const read = new Promise<void>((resolve) => {
    finish = resolve;
  });
  reading = () => read;
  return () => finish();
}

test("[PEOPLE-15] knows the blocks of whoever was prepared, in both directions, until they are gone", async () => {
  expect(book.isPrepared(ana)).toBe(false);
  await Promise.all([book.prepare(ana), book.prepare(bo), book.prepare(cem)]);
  expect([book.isPrepared(ana), book.isExcluded(ana, bo), book.isExcluded(bo, ana)]).toEqual([true, true, true]);
  expect(book.isExcluded(ana, cem)).toBe(false);
  book.changed(cem, ana, true);
  book.changed(ana, bo, false);
  expect([book.isExcluded(ana, cem), book.isExcluded(ana, bo)]).toEqual([true, false]);
  book.gone(ana);
  expect(book.isPrepared(ana)).toBe(false);
});

test("[PEOPLE-15] a block that is made or taken back while blocks are read counts", async () => {
  const finish = standStill();
  const preparing = book.prepare(ana);
  stored.set(ana, [cem]);
  book.changed(ana, cem, true);
  book.changed(ana, bo, false);
  expect([book.isPrepared(ana), book.isExcluded(ana, cem)]).toEqual([false, true]);
  finish();
  await preparing;
  expect([book.isExcluded(ana, bo), book.isExcluded(ana, cem)]).toEqual([false, true]);
});

test("[PEOPLE-15] whoever goes while blocks are read is not prepared, and the place is free again", async () => {
  const finish = standStill();
  const preparing = book.prepare(ana);
  book.gone(ana);
  finish();
  await preparing;
  expect(book.isPrepared(ana)).toBe(false);
  stored.set(cem, [ana, bo]);
  await book.prepare(cem);
  expect(book.isPrepared(cem)).toBe(true);
});

test("[PEOPLE-15] where nothing more fits, or nothing can be read, nobody is prepared; asking again may work", async () => {
  stored.set(cem, [ana, bo]);
  await book.prepare(cem);
  await expect(book.prepare(ana)).rejects.toMatchObject({ code: 429, data: { retry_after: 5 } });
  expect(book.isPrepared(ana)).toBe(false);
  book.gone(cem);
  reading = () => Promise.reject(new Error("no database"));
  await expect(book.prepare(ana)).rejects.toThrow("no database");
  reading = async () => {};
  await book.prepare(ana);
  expect(book.isPrepared(ana)).toBe(true);
});
