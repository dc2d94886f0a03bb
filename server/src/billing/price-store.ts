import { type Kysely, sql } from "kysely";
import type { FilterPrices } from "@fava/wire/beans.ts";
import type { Database } from "#db/schema.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { Pack } from "#ports/billing.ts";

type Db = Kysely<Database>;

export interface PriceRows {
  prices: FilterPrices;
  packs: readonly Pack[];
}

export type ShopChange = "prices" | "pack_added" | "pack_removed";

/** Stores the first prices; idempotent, also across servers. */
export async function seedPrices(
  db: Db,
  seed: { prices: FilterPrices; packs: readonly Omit<Pack, "id">[]; at: Date },
): Promise<void> {
  const { gender, country, both } = seed.prices;
  await db.transaction().execute(async (trx) => {
    const seeded = await trx
      .insertInto("filter_prices")
      .values({ gender, country, gender_and_country: both })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!seeded) return;
    await trx
      .insertInto("packs")
      .values(
        seed.packs.map((pack) => ({
          country_id: pack.countryId,
          golds: pack.golds,
          price_minor: pack.priceMinor,
          currency_code: pack.currencyCode,
          created_at: seed.at,
          removed_at: null,
        })),
      )
      .execute();
  });
}

/** Reads prices and packs in one snapshot. */
export async function priceSnapshot(db: Db): Promise<PriceRows> {
  return db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(readPrices);
}

export async function readPrices(trx: Db): Promise<PriceRows> {
  const row = await trx.selectFrom("filter_prices").selectAll().executeTakeFirstOrThrow();
  const offered = trx.selectFrom("packs").selectAll().where("removed_at", "is", null);
  const packs = await offered.orderBy("golds", "desc").orderBy("id").execute();
  return {
    prices: { gender: row.gender, country: row.country, both: row.gender_and_country },
    packs: packs.map((pack) => ({
      id: wireInteger(pack.id),
      countryId: pack.country_id,
      golds: pack.golds,
      priceMinor: pack.price_minor,
      currencyCode: pack.currency_code,
    })),
  };
}

/** Serializes administrators, so that what one of them checked still holds when it is written. */
export async function lockPrices(trx: Db): Promise<void> {
  await sql`select id from filter_prices for update`.execute(trx);
}

export async function setPrices(trx: Db, { gender, country, both }: FilterPrices): Promise<void> {
  await trx.updateTable("filter_prices").set({ gender, country, gender_and_country: both }).execute();
}

export async function insertPack(trx: Db, pack: Omit<Pack, "id">, at: Date): Promise<number> {
  const { id } = await trx
    .insertInto("packs")
    .values({
      country_id: pack.countryId,
      golds: pack.golds,
      price_minor: pack.priceMinor,
      currency_code: pack.currencyCode,
      created_at: at,
      removed_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return wireInteger(id);
}

export async function removePack(trx: Db, id: number, at: Date): Promise<void> {
  await trx.updateTable("packs").set({ removed_at: at }).where("id", "=", BigInt(id)).execute();
}

export async function recordPriceChange(
  trx: Db,
  row: { actorId: bigint; change: ShopChange; before: string | null; after: string | null; at: Date },
): Promise<void> {
  const { actorId, ...change } = row;
  await trx
    .insertInto("shop_changes")
    .values({ ...change, actor_id: actorId })
    .execute();
}

/** Newest first, at most `rowsMax`. */
export async function changes(db: Db, rowsMax: number) {
  return db
    .selectFrom("shop_changes")
    .innerJoin("users", "users.id", "shop_changes.actor_id")
    .select(["shop_changes.id", "at", "change", "before", "after", "user_no", "nickname"])
    .orderBy("shop_changes.id", "desc")
    .limit(rowsMax)
    .execute();
}
