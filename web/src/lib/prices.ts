import { type FilterPrices, filterPricesDefault, type MatchWish, pricePerMinute } from "@fava/wire/beans.ts";
import { formatMoney } from "#lib/format.ts";
import { useSettings } from "#lib/settings.ts";

export interface Prices extends FilterPrices {
  /** Beans a minute that a wish costs. */
  of(wish: MatchWish): number;
  /** Beans in money at the smallest pack's rate, rounded up to a minor unit: never shown smaller than it is. */
  inMoney(beans: number): string;
}

/** What filters cost. The specification's prices stand in until the settings have arrived. */
export function usePrices(): Prices {
  const settings = useSettings();
  const prices = settings?.prices ?? filterPricesDefault;
  const pack = settings?.smallest_pack ?? { golds: 10_000, price_minor: 999, currency_code: "USD" };
  return {
    ...prices,
    of: (wish) => pricePerMinute(wish, prices),
    inMoney: (beans) => formatMoney(Math.ceil((beans * pack.price_minor) / pack.golds), pack.currency_code),
  };
}
