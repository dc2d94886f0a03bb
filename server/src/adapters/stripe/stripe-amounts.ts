import { currencyExponent, majorText } from "@fava/wire/money.ts";
import { PaymentProviderError } from "#ports/payments.ts";
import { wireInteger } from "#wire-integer.ts";

/** Currencies that Stripe counts in whole units; the others in hundredths, and these in thousandths. */
const wholeUnits: ReadonlySet<string> = new Set(
  "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "),
);
const thousandths: ReadonlySet<string> = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);

function stripeExponent(currencyCode: string): number {
  if (wholeUnits.has(currencyCode)) return 0;
  return thousandths.has(currencyCode) ? 3 : 2;
}

/**
 * An amount in what Stripe calls the smallest unit, as the integer that its library takes.
 *
 * @throws PaymentProviderError when Stripe cannot express it: nothing is rounded.
 */
export function stripeAmount(amountMinor: bigint, currencyCode: string): number {
  const dropped = 10n ** BigInt(Math.max(0, currencyExponent(currencyCode) - stripeExponent(currencyCode)));
  // Of thousandths Stripe takes only those that end in 0.
  const step = thousandths.has(currencyCode) ? 10n : dropped;
  const isWhole = amountMinor % step === 0n;
  if (!isWhole || amountMinor <= 0n || amountMinor > BigInt(Number.MAX_SAFE_INTEGER)) {
    const amount = `${majorText(amountMinor, currencyCode)} ${currencyCode}`;
    throw new PaymentProviderError(`Stripe does not take ${amount}`, { isTemporary: false });
  }
  return wireInteger(amountMinor / dropped);
}

/** The way back. `currency` comes in Stripe's lower case. */
export function minorFromStripe(amount: bigint, currency: string): { amountMinor: bigint; currencyCode: string } {
  const currencyCode = currency.toUpperCase();
  const added = BigInt(Math.max(0, currencyExponent(currencyCode) - stripeExponent(currencyCode)));
  return { amountMinor: amount * 10n ** added, currencyCode };
}
