import { expect, test } from "vitest";
import { priceStepMinor } from "@fava/wire/exact-price.ts";
import { codaAmount } from "./coda/coda-payments.ts";
import { payermaxAmount } from "./payermax/payermax-payments.ts";
import { stripeAmount } from "./stripe/stripe-payments.ts";

test.each([
  ["Coda", codaAmount],
  ["PayerMax", payermaxAmount],
  ["Stripe", stripeAmount],
])(
  "[BEANS-408] %s takes the steps in which exact numbers of beans are priced, of every currency",
  (_name, amountOf) => {
    for (const currencyCode of Intl.supportedValuesOf("currency")) {
      expect(() => amountOf(priceStepMinor(currencyCode), currencyCode)).not.toThrow();
    }
  },
);
