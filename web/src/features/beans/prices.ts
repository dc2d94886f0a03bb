import { type FilterPrices, filterPricesDefault, type MatchFilters, pricePerMinute } from "@fava/wire/beans.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { formatMoney } from "#lib/format.ts";
import { freshSettings, useSettings } from "#lib/settings.ts";
import { priceAtRate } from "./rate.ts";
import { useWallet } from "./wallet.ts";

export interface Prices extends FilterPrices {
  /** Beans a minute that a wish costs. */
  of(wish: MatchFilters): number;
  /**
   * Beans in money by the pack that this person last paid for, otherwise by the smallest one; rounded up to a minor
   * unit: never shown smaller than it is.
   */
  inMoney(beans: number): string;
}

/** What filters cost. The specification's prices stand in until the settings have arrived. */
export function usePrices(): Prices {
  const settings = useSettings();
  const wallet = useWallet();
  const prices = settings?.prices ?? filterPricesDefault;
  const rate = wallet?.rate ?? settings?.smallest_pack ?? { golds: 10_000, price_minor: 999, currency_code: "USD" };
  return {
    ...prices,
    of: (wish) => pricePerMinute(wish, prices),
    inMoney: (beans) => formatMoney(priceAtRate(beans, rate), rate.currency_code),
  };
}

/**
 * What a wish with a filter costs by now, where that is not what the page has shown; otherwise null. Nothing is told where the server
 * does not answer: what was to be begun says so itself.
 */
export async function changedPrice(wish: MatchFilters): Promise<number | null> {
  if (wish.sex === 0 && wish.country <= 0) return null;
  try {
    const { before, now } = await freshSettings();
    const price = pricePerMinute(wish, now.prices);
    return price === pricePerMinute(wish, before?.prices ?? filterPricesDefault) ? null : price;
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    return null;
  }
}
