import { expect, test } from "vitest";
import { currencyExponent } from "@fava/wire/currency.ts";
import { exactPriceMinor, priceStepMinor, shownDigits } from "@fava/wire/exact-price.ts";
import { codaAmount } from "./coda/coda-payments.ts";
import { payermaxAmount } from "./payermax/payermax-payments.ts";
import { stripeAmount } from "./stripe/stripe-payments.ts";

test.each([
  ["Coda", codaAmount],
  ["PayerMax", payermaxAmount],
  ["Stripe", stripeAmount],
])("accepts with %s the price steps of exact numbers of beans in every currency", (_name, amountOf) => {
  for (const currencyCode of Intl.supportedValuesOf("currency")) {
    expect(() => amountOf(priceStepMinor(currencyCode), currencyCode)).not.toThrow();
  }
});

/**
 * Written down from Stripe's page "Supported currencies" (docs.stripe.com/currencies), not from our own lists. ISK and UGX
 * are its special cases: without decimals, but counted in hundredths, so that 500 is five of them. HUF and TWD are special
 * for payouts alone.
 */
const stripeDocuments = {
  zeroDecimal: "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "),
  zeroDecimalInHundredths: ["ISK", "UGX"],
  /** Charges and refunds must end in 0. */
  threeDecimal: ["BHD", "JOD", "KWD", "OMR", "TND"],
};

function stripeRule(currencyCode: string): { decimals: number; step: number } {
  if (stripeDocuments.zeroDecimal.includes(currencyCode)) return { decimals: 0, step: 1 };
  if (stripeDocuments.zeroDecimalInHundredths.includes(currencyCode)) return { decimals: 2, step: 100 };
  return stripeDocuments.threeDecimal.includes(currencyCode) ? { decimals: 3, step: 10 } : { decimals: 2, step: 1 };
}

test("prices exact numbers of beans within Stripe's documented limits in every currency", () => {
  for (const currencyCode of Intl.supportedValuesOf("currency")) {
    const rate = { golds: 10_000n, priceMinor: 137_977n, currencyCode };
    const price = exactPriceMinor(1_601n, rate);
    const { decimals, step } = stripeRule(currencyCode);
    const amount = stripeAmount(price, currencyCode);
    expect([currencyCode, amount % step]).toEqual([currencyCode, 0]);
    const inUnits = [BigInt(amount) * 10n ** BigInt(currencyExponent(currencyCode)), price * 10n ** BigInt(decimals)];
    expect([currencyCode, inUnits[0]]).toEqual([currencyCode, inUnits[1]]);
  }
});

test.each(["ISK", "UGX"])("charges and shows %s in whole units", (currencyCode) => {
  const price = exactPriceMinor(1_601n, { golds: 10_000n, priceMinor: 137_977n, currencyCode });
  expect([price, stripeAmount(price, currencyCode), shownDigits(price, currencyCode)]).toEqual([22_100n, 22_100, 0]);
  expect(() => stripeAmount(22_091n, currencyCode)).toThrow("Stripe does not take 220.91");
});
