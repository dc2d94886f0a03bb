import { beanPriceMax } from "@fava/wire/limits.ts";
import type { FilterPriceName, ShopInfo } from "./admin-data.ts";

type Prices = ShopInfo["prices"];

/** What stands in the three fields, as it was typed. */
export type PriceDraft = Readonly<Record<FilterPriceName, string>>;

export const priceNames = ["gender", "country", "both"] as const;

interface PriceChange {
  readonly name: FilterPriceName;
  readonly before: number;
  readonly after: number;
}

export type ReadDraft =
  | { readonly kind: "unchanged" }
  | { readonly kind: "wrong"; readonly field: FilterPriceName; readonly why: "number" | "both" }
  | {
      readonly kind: "changed";
      readonly prices: Prices;
      readonly changes: readonly PriceChange[];
      /** A price of 0, or one that falls by more than half: asked once more. */
      readonly drastic: boolean;
    };

export function draftOf(prices: Prices): PriceDraft {
  return { gender: String(prices.gender), country: String(prices.country), both: String(prices.both) };
}

/** What the fields would change; both together never cost more than the two (rule BEANS-1). */
export function readDraft(draft: PriceDraft, current: Prices): ReadDraft {
  const prices = { gender: 0, country: 0, both: 0 };
  for (const name of priceNames) {
    const text = draft[name].trim();
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value <= beanPriceMax)) return { kind: "wrong", field: name, why: "number" };
    prices[name] = value;
  }
  if (prices.both > prices.gender + prices.country) return { kind: "wrong", field: "both", why: "both" };
  const changes = priceNames
    .map((name) => ({ name, before: current[name], after: prices[name] }))
    .filter(({ before, after }) => before !== after);
  if (changes.length === 0) return { kind: "unchanged" };
  const drastic = changes.some(({ before, after }) => after === 0 || after * 2 < before);
  return { kind: "changed", prices, changes, drastic };
}
