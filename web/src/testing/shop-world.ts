import type { Order } from "@fava/wire/endpoints/shop.ts";
import type { PayType, PriceList } from "@fava/wire/gateway.ts";

/** An unpaid order of the pack of 10,000 beans. */
export function orderOf(change: Partial<Order> = {}): Order {
  return {
    order_no: "ord1",
    state: "pending",
    beans: 10_000,
    price_minor: 999,
    currency_code: "USD",
    pay_name: "Credit or debit card",
    pay_url: "https://pay.example/1",
    created_at: 0,
    paid_at: null,
    withdraw_until: null,
    balance: 0,
    ...change,
  };
}

export const card: PayType = {
  id: "card",
  channel_type: 2,
  country_code: "US",
  pay_name: "Credit or debit card",
  image_url: "/pay/images/card.svg",
};
export const bank: PayType = { ...card, id: "bank", pay_name: "Bank transfer" };

export function listOf(packs: readonly (readonly [id: number, golds: number, priceMinor: number])[]): PriceList {
  return {
    list: packs.map(([id, golds, price_minor]) => ({ id, golds, price_minor, money: "" })),
    paypal_list: [],
    paytype_list: [card],
    currency_code: "USD",
  };
}
