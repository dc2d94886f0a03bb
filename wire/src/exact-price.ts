import { currencyExponent } from "./currency.ts";

/** Currencies that some provider accepts in whole units only, although `currencyExponent` gives decimals. */
const wholeOnly: ReadonlySet<string> = new Set(
  "BIF COP DJF GNF IDR ISK KMF MGA PKR PYG RWF TWD UGX VUV XAF XOF XPF".split(" "),
);

/** Decimal digits to show: none for a whole amount where some provider accepts whole units only. */
export function shownDigits(amountMinor: bigint, currencyCode: string): number {
  const exponent = currencyExponent(currencyCode);
  return wholeOnly.has(currencyCode) && amountMinor % 10n ** BigInt(exponent) === 0n ? 0 : exponent;
}

/** Price step that every provider accepts, in minor units. Thousandths must be multiples of 10. */
export function priceStepMinor(currencyCode: string): bigint {
  const exponent = currencyExponent(currencyCode);
  if (wholeOnly.has(currencyCode)) return 10n ** BigInt(exponent);
  return exponent > 2 ? 10n : 1n;
}

/** Price of a number of beans at a pack's rate, in minor units, rounded up to the price step. */
export function exactPriceMinor(
  beans: bigint,
  pack: { golds: bigint; priceMinor: bigint; currencyCode: string },
): bigint {
  const step = priceStepMinor(pack.currencyCode);
  const divisor = pack.golds * step;
  return ((beans * pack.priceMinor + divisor - 1n) / divisor) * step;
}
