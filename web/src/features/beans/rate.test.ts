import { expect, test } from "vitest";
import { formatFineMoney, formatMoney, formatSpan } from "#lib/format.ts";
import { activateLanguage } from "#lib/i18n.ts";
import { priceAtRate, tenthsPerThousand } from "./rate.ts";

const smallest = { golds: 10_000, price_minor: 999 };
const largest = { golds: 1_030_000, price_minor: 99_999 };

test("rounds beans in money up, at the rate of the pack that was paid for", () => {
  expect(priceAtRate(1_600, smallest)).toBe(160);
  expect(priceAtRate(1_600, largest)).toBe(156);
  expect(priceAtRate(10_000, smallest)).toBe(999);
  expect(priceAtRate(0, smallest)).toBe(0);
});

test("shows the price of 1,000 beans with three fraction digits", async () => {
  await activateLanguage("en", { remember: false });
  const shown = (rate: typeof smallest) => formatFineMoney(tenthsPerThousand(rate), "USD");
  expect(shown(smallest)).toBe("$0.999");
  expect(shown(largest)).toBe("$0.971");
  expect(shown({ golds: 770_000, price_minor: 74_999 })).toBe("$0.974");
});

test("shows amounts exactly, with the digits of their currency", async () => {
  await activateLanguage("en", { remember: false });
  expect(formatMoney(999, "USD")).toBe("$9.99");
  expect(formatMoney(1_999, "USD")).toBe("$19.99");
  expect(formatMoney(5, "USD")).toBe("$0.05");
  expect(formatMoney(-5, "USD")).toBe("-$0.05");
  expect(formatMoney(999, "JPY")).toBe("¥999");
  expect(formatMoney(1_234, "KWD").replace(/\s/u, " ")).toBe("KWD 1.234");
});

test("shows the time that a pack buys in hours and minutes", async () => {
  await activateLanguage("en", { remember: false });
  expect([45, 60, 375, 3_600, 38_625].map(formatSpan)).toEqual(["45 sec", "1 min", "6 min", "1 hr", "10 hr 43 min"]);
});
