import type { Kysely } from "kysely";
import type { FilterPrices } from "@fava/wire/beans.ts";
import { packBeansShownMax, priceListCountryDefault } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import type { Pack, PriceBook } from "#ports/billing.ts";
import * as store from "./price-store.ts";

interface PriceSeed {
  /** Filter prices for the first start. Later the database has them. */
  prices: FilterPrices;
  at: Date;
}

/** Prices of the database, cached in memory. */
export class ShopPriceBook implements PriceBook {
  readonly #db: Kysely<Database>;
  #prices: FilterPrices;
  #packs: readonly Pack[];
  #smallest: Pack;
  /** Reads are numbered: `#begun` is the last one begun, `#held` the newest one applied. */
  #begun = 0;
  #held = 0;

  private constructor(db: Kysely<Database>, read: store.PriceRows) {
    this.#db = db;
    this.#prices = read.prices;
    this.#packs = read.packs;
    this.#smallest = smallestOf(listed(read.packs, priceListCountryDefault));
  }

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

  /** Packs of a country, largest first. Empty for most countries, which use the list of country 18. */
  packs(countryId: number): readonly Pack[] {
    return listed(this.#packs, countryId);
  }

  offerFor(countryId: number): readonly Pack[] {
    const own = this.packs(countryId);
    return own.length > 0 ? own : this.packs(priceListCountryDefault);
  }

  /** All packs on sale, also those that are too large for the lists. */
  allPacks(): readonly Pack[] {
    return this.#packs;
  }

  /** Reads the prices, after a change and periodically, since another server may have changed them. */
  async refresh(): Promise<void> {
    this.#begun += 1;
    const turn = this.#begun;
    const { prices, packs } = await store.priceSnapshot(this.#db);
    // A slow read must not overwrite the result of a later one.
    if (turn < this.#held) return;
    this.#held = turn;
    this.#prices = prices;
    this.#packs = packs;
    this.#smallest = smallestOf(listed(packs, priceListCountryDefault));
  }
}

/** The pack with the fewest beans. The list of country 18 has at least one pack. */
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

/** The specification's packs, for a new site. Other countries have no list of their own. */
const defaultPacks: readonly Omit<Pack, "id">[] = offered.map(([golds, priceMinor]) => ({
  countryId: priceListCountryDefault,
  golds,
  priceMinor,
  currencyCode: "USD",
}));
