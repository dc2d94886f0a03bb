import { currencyExponent, majorText, minorFromText } from "@fava/wire/money.ts";
import { DecimalNumber, plainDecimal } from "#adapters/lossless-json/lossless-json.ts";
import { PaymentProviderError } from "#ports/payments.ts";

/** Currencies of which Coda takes whole units only. */
const wholeOnly: ReadonlySet<string> = new Set(["CLP", "IDR", "KRW", "TWD", "VND"]);

/**
 * An amount as Coda wants it: major units, a JSON number.
 *
 * @throws PaymentProviderError when it needs decimals that Coda does not take: nothing is rounded.
 */
export function codaAmount(amountMinor: bigint, currencyCode: string): DecimalNumber {
  const text = majorText(amountMinor, currencyCode);
  if (!wholeOnly.has(currencyCode) || currencyExponent(currencyCode) === 0) return new DecimalNumber(text);
  const [whole = "", fraction = ""] = text.split(".");
  if (/^0*$/.test(fraction)) return new DecimalNumber(whole);
  throw new PaymentProviderError(`Coda does not take ${text} ${currencyCode}`, { isTemporary: false });
}

/** The way back; null for what is no amount of this currency. */
export function minorFromCoda(text: string, currencyCode: string): bigint | null {
  return minorFromText(plainDecimal(text) ?? "", currencyCode);
}
