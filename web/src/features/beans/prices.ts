import { type FilterPrices, filterPricesDefault, type MatchFilters, pricePerMinute } from "@fava/wire/beans.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { formatMoney } from "#lib/format.ts";
import { freshSettings, useSettings } from "#lib/settings.ts";
import { priceAtRate } from "./rate.ts";
import { useWallet } from "./wallet.ts";

export interface Prices extends FilterPrices {
  /** The price of these filters, in beans per minute. */
  of(wish: MatchFilters): number;
  /**
   * Beans in money at the rate of the user's last pack, otherwise of the smallest one; rounded up to a minor unit, so
   * that it never looks cheaper.
   */
  inMoney(beans: number): string;
}

/** The prices of the filters; those of the specification until the settings are loaded. */
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
 * The current price of these filters if it differs from the one that the page has shown, otherwise null. Also null
 * without a response: the action that follows reports that itself.
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
