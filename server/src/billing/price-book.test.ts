import { type KyselyPlugin, sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { filterPricesDefault } from "@fava/wire/beans.ts";
import { createTestDatabase } from "#test/fixtures/database.ts";
import { ShopPriceBook } from "./price-book.ts";

const { db } = await createTestDatabase();
const dearer = { gender: 3_200, country: 1_600, both: 4_000 };

/** Hook between the database's result and its reader. Does nothing by default. */
let onRead = async (): Promise<void> => {};
const reads: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    await onRead();
    return result;
  },
};
let book: ShopPriceBook;

beforeEach(async () => {
  onRead = async () => {};
  const { gender, country, both } = filterPricesDefault;
  const prices = { gender, country, gender_and_country: both };
  book = await ShopPriceBook.open(db.withPlugin(reads), { prices: filterPricesDefault, at: new Date(0) });
  await db.updateTable("filter_prices").set(prices).execute();
  await db.updateTable("packs").set({ removed_at: null }).execute();
  await book.refresh();
});

/** Another server raises the filter prices and removes every large pack. */
async function change(trx = db): Promise<void> {
  const { gender, country, both } = dearer;
  await trx.updateTable("filter_prices").set({ gender, country, gender_and_country: both }).execute();
  await trx
    .updateTable("packs")
    .set({ removed_at: new Date(0) })
    .where("golds", ">", 10_000n)
    .execute();
}

test("does not undo a change with a read that began before it", async () => {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const read = new Promise<void>((resolve) => {
    onRead = async () => {
      resolve();
      await held;
    };
  });
  const older = book.refresh();
  await read;
  onRead = async () => {};
  await change();
  await book.refresh();
  expect(book.filterPrices()).toEqual(dearer);
  goOn();
  await older;
  expect([book.filterPrices(), book.allPacks().length]).toEqual([dearer, 1]);
});

test("reads prices and packs of one moment", async () => {
  let reading = Promise.resolve();
  await db.transaction().execute(async (trx) => {
    // The lock delays the read of the packs, after the read of the prices.
    await sql`lock table packs in access exclusive mode`.execute(trx);
    const read = new Promise<void>((resolve) => {
      onRead = async () => resolve();
    });
    reading = book.refresh();
    await read;
    await change(trx);
  });
  await reading;
  expect([book.filterPrices(), book.allPacks().length]).toEqual([filterPricesDefault, 6]);
  await book.refresh();
  expect([book.filterPrices(), book.allPacks().length]).toEqual([dearer, 1]);
});
