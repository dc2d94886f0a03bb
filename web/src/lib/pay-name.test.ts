import { beforeAll, expect, test } from "vitest";
import { activateLanguage, t } from "#lib/i18n.ts";
import { typedDigits } from "#lib/digits.ts";
import { payName } from "#lib/pay-name.ts";

beforeAll(() => activateLanguage("en"));

test("[BEANS-367] a payment method has a name of the catalogs, or the one it gives itself", () => {
  expect(payName(t, "pay.card")).toBe(t("pay.card"));
  expect(payName(t, "pay.unheardOf")).toBe(t("pay.other"));
  expect(payName(t, "PayPal")).toBe("PayPal");
});

test("[BEANS-370] numbers can be typed in the digits of any keyboard", () => {
  expect(typedDigits("٣٬٢٠٠", 6)).toBe("3200");
  expect(typedDigits("۳۲۰۰ x", 6)).toBe("3200");
  expect(typedDigits("12345678", 6)).toBe("123456");
});
