import type { Generated } from "kysely";
import type { OptionalTimestamp, Timestamp } from "./timestamps.ts";

/** What things cost (migration 0004). */
export interface ShopTables {
  filter_prices: FilterPricesTable;
  packs: PacksTable;
  shop_changes: ShopChangesTable;
}

/** One row: what filters cost now, in beans a minute. */
export interface FilterPricesTable {
  id: Generated<number>;
  gender: number;
  country: number;
  gender_and_country: number;
}

export interface PacksTable {
  id: Generated<bigint>;
  country_id: number;
  golds: bigint;
  price_minor: bigint;
  currency_code: string;
  created_at: Timestamp;
  /** Null while it is offered. */
  removed_at: OptionalTimestamp;
}

/** Append only: what administrators changed about prices and packs. */
export interface ShopChangesTable {
  id: Generated<bigint>;
  at: Timestamp;
  actor_id: bigint;
  /** prices, pack_added or pack_removed. */
  change: string;
  before: string | null;
  after: string | null;
}
