import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formInteger, formText, formUserId } from "../form.ts";
import { beanPriceMax, identifierLengthMax, reviewNoteLengthMax } from "../limits.ts";

/**
 * - `created`: requested, the provider has not answered yet; `pending`: the provider's page waits for the user.
 * - `review`: the payment does not fit the order, and an administrator decides. Nothing is credited meanwhile.
 */
const orderStates = [
  "created",
  "pending",
  "paid",
  "failed",
  "expired",
  "refunded",
  "disputed",
  "charged_back",
  "review",
] as const;
export type OrderState = (typeof orderStates)[number];

const orderSchema = v.object({
  order_no: v.string(),
  state: v.picklist(orderStates),
  beans: v.number(),
  price_minor: v.number(),
  currency_code: v.string(),
  /** Name of the payment method when it was chosen, in the language of the request. */
  pay_name: v.string(),
  /** Address of the payment page; empty once the payment is over. */
  pay_url: v.string(),
  /** Milliseconds since the epoch. */
  created_at: v.number(),
  paid_at: v.nullable(v.number()),
  /** Until when an unused purchase can be withdrawn; null: it cannot. */
  withdraw_until: v.nullable(v.number()),
  /** Current beans of the user. */
  balance: v.number(),
});
export type Order = v.InferOutput<typeof orderSchema>;

export const rechargeToken = endpoint({
  path: "/api/get/token",
  summary: "Short-lived token for the payment entry, bound to the caller",
  access: "user",
  input: { user_id: formUserId },
  output: v.object({
    token: v.string(),
    /** Milliseconds since the epoch. */
    expires_at: v.number(),
    /** Path of the payment entry. */
    entry: v.string(),
  }),
});

export const orderStatus = endpoint({
  path: "/api/order/status",
  summary: "State of an order; may ask the provider first",
  access: "user",
  appeal: true,
  input: {
    user_id: formUserId,
    order_no: formText(1, identifierLengthMax),
    /** 1: ask the provider now. */
    check: v.optional(formChoice([0, 1])),
  },
  output: orderSchema,
});

export const orderWithdraw = endpoint({
  path: "/api/order/withdraw",
  summary: "Withdraws an unused purchase within 14 days: refunds the money and removes the beans",
  access: "user",
  appeal: true,
  input: { user_id: formUserId, order_no: formText(1, identifierLengthMax) },
  output: orderSchema,
});

const pricesSchema = v.object({ gender: v.number(), country: v.number(), both: v.number() });
const packSchema = v.object({
  id: v.number(),
  country_id: v.number(),
  golds: v.number(),
  price_minor: v.number(),
  currency_code: v.string(),
});
const price = formInteger(0, beanPriceMax);

export const adminShopInfo = endpoint({
  path: "/admin/shop/info",
  summary: "Filter prices and packs with their history, and the orders in review",
  access: "admin",
  input: {},
  output: v.object({
    prices: pricesSchema,
    packs: v.array(packSchema),
    /** Newest first. */
    history: v.array(
      v.object({
        id: v.string(),
        at: v.number(),
        user_no: v.string(),
        nickname: v.string(),
        change: v.picklist(["prices", "pack_added", "pack_removed"]),
        /** Values before and after the change; null where there is none. */
        before: v.nullable(v.string()),
        after: v.nullable(v.string()),
      }),
    ),
    reviews: v.array(
      v.object({
        order_no: v.string(),
        user_no: v.string(),
        provider: v.string(),
        beans: v.number(),
        price_minor: v.number(),
        currency_code: v.string(),
        /**
         * Why the order is in review, as a code such as `amount_mismatch`, `currency_mismatch` or
         * `unknown_transaction`.
         */
        reason: v.string(),
        at: v.number(),
      }),
    ),
  }),
});

export const adminPricesUpdate = endpoint({
  path: "/admin/shop/prices/update",
  summary: "Sets the filter prices; running calls keep theirs",
  access: "admin",
  input: { gender: price, country: price, both: price },
  output: pricesSchema,
});

export const adminPackAdd = endpoint({
  path: "/admin/shop/pack/add",
  summary: "Adds a pack to the price list of a country",
  access: "admin",
  input: {
    country_id: formInteger(1, 10_000),
    golds: formInteger(1, 100_000_000),
    price_minor: formInteger(1, 100_000_000),
    currency_code: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  },
  output: packSchema,
});

export const adminPackRemove = endpoint({
  path: "/admin/shop/pack/remove",
  summary: "Removes a pack from the price list; existing orders continue",
  access: "admin",
  input: { id: formInteger(1, Number.MAX_SAFE_INTEGER) },
  output: v.object({}),
});

export const adminOrderResolve = endpoint({
  path: "/admin/order/resolve",
  summary: "Decides an order in review: credit it as paid, or close it without beans",
  access: "admin",
  input: {
    order_no: formText(1, identifierLengthMax),
    /** 1 credit, 2 close. */
    decision: formChoice([1, 2]),
    note: formText(1, reviewNoteLengthMax),
  },
  output: v.object({ state: v.picklist(orderStates) }),
});
