import { currencyExponent } from "./currency.ts";

/** Currencies of which some provider takes whole units only, though ISO 4217 or this file give them decimals. */
const wholeOnly: ReadonlySet<string> = new Set(
  "BIF COP DJF GNF IDR ISK KMF MGA PKR PYG RWF TWD UGX VUV XAF XOF XPF".split(" "),
);

/** Digits after the point that an amount is shown with: none where it is whole, and a provider takes whole units only. */
export function shownDigits(amountMinor: bigint, currencyCode: string): number {
  const exponent = currencyExponent(currencyCode);
  return wholeOnly.has(currencyCode) && amountMinor % 10n ** BigInt(exponent) === 0n ? 0 : exponent;
}

/** The smallest amount that every provider takes, in minor units; of thousandths they take only those that end in 0. */
export function priceStepMinor(currencyCode: string): bigint {
  const exponent = currencyExponent(currencyCode);
  if (wholeOnly.has(currencyCode)) return 10n ** BigInt(exponent);
  return exponent > 2 ? 10n : 1n;
}

/** Price of an exact number of beans at a pack's rate, in minor units, rounded up to what providers take. */
export function exactPriceMinor(
  beans: bigint,
  pack: { golds: bigint; priceMinor: bigint; currencyCode: string },
): bigint {
  const step = priceStepMinor(pack.currencyCode);
  const divisor = pack.golds * step;
  return ((beans * pack.priceMinor + divisor - 1n) / divisor) * step;
}
