import { currencyExponent, majorText, minorFromText } from "@fava/wire/money.ts";
import { DecimalNumber, plainDecimal } from "#adapters/lossless-json/lossless-json.ts";
import { PaymentProviderError } from "#ports/payments.ts";

/** Currencies of which PayerMax takes fewer decimals than ISO 4217 gives them. */
const decimalsMax: Readonly<Record<string, number>> = {
  BHD: 2,
  IQD: 2,
  JOD: 2,
  KWD: 2,
  LYD: 2,
  OMR: 2,
  TND: 2,
  COP: 0,
  IDR: 0,
  PKR: 0,
  TWD: 0,
};

/**
 * An amount as PayerMax wants it: major units, a JSON number.
 *
 * @throws PaymentProviderError when it needs more decimals than PayerMax takes: nothing is rounded.
 */
export function payermaxAmount(amountMinor: bigint, currencyCode: string): DecimalNumber {
  const dropped = Math.max(0, currencyExponent(currencyCode) - (decimalsMax[currencyCode] ?? Infinity));
  const text = majorText(amountMinor, currencyCode);
  if (/[^0]/.test(text.slice(text.length - dropped))) {
    throw new PaymentProviderError(`PayerMax does not take ${text} ${currencyCode}`, { isTemporary: false });
  }
  return new DecimalNumber(text.slice(0, text.length - dropped).replace(/\.$/, ""));
}

/** The way back. @throws PaymentProviderError for what is no amount of this currency. */
export function minorFromPayermax(text: string, currencyCode: string): bigint {
  const minor = minorFromText(plainDecimal(text) ?? "", currencyCode);
  if (minor === null) throw new PaymentProviderError("PayerMax named an unreadable amount", { isTemporary: false });
  return minor;
}
