import type { Kysely } from "kysely";
import type { FilterPrices } from "@fava/wire/beans.ts";
import { packBeansShownMax, priceListCountryDefault } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import type { Pack, PriceBook } from "#ports/billing.ts";
import * as store from "./price-store.ts";

interface PriceSeed {
  /** Filter prices of the first start; afterwards the database's count. */
  prices: FilterPrices;
  at: Date;
}

/** The price book of this installation: kept in the database, answered from memory. */
export class ShopPriceBook implements PriceBook {
  readonly #db: Kysely<Database>;
  #prices: FilterPrices;
  #packs: readonly Pack[];
  #smallest: Pack;
  /** Readings that were begun, and the number of the newest that holds. */
  #begun = 0;
  #held = 0;

  private constructor(db: Kysely<Database>, read: store.PriceRows) {
    this.#db = db;
    this.#prices = read.prices;
    this.#packs = read.packs;
    this.#smallest = smallestOf(listed(read.packs, priceListCountryDefault));
  }

  /** Reads prices and packs, after writing the first ones where there are none. */
  static async open(db: Kysely<Database>, seed: PriceSeed): Promise<ShopPriceBook> {
    await store.seedPrices(db, { prices: seed.prices, packs: defaultPacks, at: seed.at });
    return new ShopPriceBook(db, await store.priceSnapshot(db));
  }

  filterPrices(): FilterPrices {
    return this.#prices;
  }

  smallestPack(): Pack {
    return this.#smallest;
  }

  /** Packs on offer in a country, largest first; empty for most countries, whose people buy from the list of country 18. */
  packs(countryId: number): readonly Pack[] {
    return listed(this.#packs, countryId);
  }

  /** What a person of a country can buy: its own list, or that of country 18. */
  offerFor(countryId: number): readonly Pack[] {
    const own = this.packs(countryId);
    return own.length > 0 ? own : this.packs(priceListCountryDefault);
  }

  /** Every pack that was not taken off, also those that are too large to be listed. */
  allPacks(): readonly Pack[] {
    return this.#packs;
  }

  /** Reads again: after a change here, and from time to time since another process may have changed something. */
  async refresh(): Promise<void> {
    this.#begun += 1;
    const turn = this.#begun;
    const { prices, packs } = await store.priceSnapshot(this.#db);
    // It began before what holds by now, and may be what a change has replaced.
    if (turn < this.#held) return;
    this.#held = turn;
    this.#prices = prices;
    this.#packs = packs;
    this.#smallest = smallestOf(listed(packs, priceListCountryDefault));
  }
}

/** By beans. The list of country 18, which stands in for every empty one, is never empty itself. */
export function smallestOf(packs: readonly Pack[]): Pack {
  const [first, ...others] = packs;
  if (!first) throw new Error("the price list is empty");
  return others.reduce((least, pack) => (pack.golds < least.golds ? pack : least), first);
}

function listed(packs: readonly Pack[], countryId: number): readonly Pack[] {
  return packs.filter((pack) => pack.countryId === countryId && pack.golds < packBeansShownMax);
}

const offered = [
  [1_030_000n, 99_999n],
  [770_000n, 74_999n],
  [510_000n, 49_999n],
  [203_000n, 19_999n],
  [101_000n, 9_999n],
  [10_000n, 999n],
] as const;

/** The packs of the specification: what a new installation offers. Other countries' lists are empty. */
const defaultPacks: readonly Omit<Pack, "id">[] = offered.map(([golds, priceMinor]) => ({
  countryId: priceListCountryDefault,
  golds,
  priceMinor,
  currencyCode: "USD",
}));
