import * as v from "valibot";
import { formInteger, jsonText } from "./form.ts";
import { interfaceLanguages } from "./languages.ts";
import { identifierLengthMax } from "./limits.ts";

/**
 * The payment entry of the specification: `GET <entry>?Api_name=third_recharge&Api_data=<JSON>`, or the same by POST.
 * The response is `{status: 200, data}`, or another status with an error word in `msg`. Its requests are not signed;
 * they carry the recharge token of `/api/get/token`.
 */
export const gatewayApiName = "third_recharge";

/** Channel ids of the payment providers. */
export const channelTypes = { payermax: 2, coda: 9, stripe: 20 } as const;

const token = jsonText(1, identifierLengthMax);
/** A number or a text: the specification does not say which. */
const textOrNumber = (lengthMax: number) =>
  v.pipe(v.union([v.string(), v.number()]), v.transform(String), jsonText(1, lengthMax));
/** Language of the payment methods' names; our own addition. Left out: the user's language. */
const language = v.fallback(v.optional(v.picklist(interfaceLanguages.map(({ value }) => value))), undefined);
const exactly = <const Value extends number>(value: Value) => v.pipe(formInteger(value, value), v.literal(value));

const priceListRequestSchema = v.object({
  op: v.literal("price_list"),
  country_id: formInteger(1, 10_000),
  /** The user's `user_id` or `user_no`. */
  user_id: textOrNumber(identifierLengthMax),
  token,
  language,
  recharge_type: exactly(4),
  back_type: exactly(2),
  platform: v.literal("web"),
});

const rechargeRequestSchema = v.object({
  op: v.picklist(["recharge_payermax", "recharge_coda", "recharge_stripe"]),
  /** The user's `user_no`; with a token also `user_id`. */
  user_id: textOrNumber(identifierLengthMax),
  /**
   * Our own addition: the specification names it for the price list only. It may be left out if the same IP address has
   * fetched this user's price list in the last ten minutes.
   */
  token: v.optional(token),
  language,
  country_type: exactly(0),
  /** Price in major units, `9.99`; must equal the price of the pack. */
  amount: textOrNumber(20),
  /** Id of a pack; 0: an exact number of beans, in `golds`. */
  recharge_id: formInteger(0, Number.MAX_SAFE_INTEGER),
  golds: v.optional(formInteger(1, 100_000_000)),
  country_code: v.pipe(v.string(), v.regex(/^[A-Za-z]{2}$/)),
  pay_type: jsonText(1, identifierLengthMax),
  back_type: exactly(2),
  /** The page `/chargeReturn` of our own origin. */
  jump_url: jsonText(1, 2_048),
  origin_type: exactly(1),
});

export const gatewayRequestSchema = v.variant("op", [priceListRequestSchema, rechargeRequestSchema]);
export type GatewayRequest = v.InferOutput<typeof gatewayRequestSchema>;

/** Payment method with the field names of the specification. */
const payTypeSchema = v.object({
  id: v.string(),
  channel_type: v.number(),
  country_code: v.string(),
  /** In the user's language. */
  pay_name: v.string(),
  /** Absolute URL of our own image. */
  image_url: v.string(),
});
export type PayType = v.InferOutput<typeof payTypeSchema>;

export const priceListSchema = v.object({
  list: v.array(
    v.object({
      id: v.number(),
      /** Beans. */
      golds: v.number(),
      /** Price in major units, with all digits. */
      money: v.string(),
      /** The price `money` in minor units. */
      price_minor: v.number(),
    }),
  ),
  /** Always empty. */
  paypal_list: v.array(v.unknown()),
  paytype_list: v.array(payTypeSchema),
  currency_code: v.string(),
});
export type PriceList = v.InferOutput<typeof priceListSchema>;

/** `data` is the address of the payment page; `order_no` is our own addition. */
export const rechargeAnswerSchema = v.object({ status: v.literal(200), data: v.string(), order_no: v.string() });
export type RechargeAnswer = v.InferOutput<typeof rechargeAnswerSchema>;

/** Values of `msg` where the status is not 200. */
export const gatewayErrors = [
  "bad_request",
  "bad_token",
  "unknown_pack",
  "wrong_amount",
  "bad_return",
  "unknown_method",
  "slow_down",
  "provider_failed",
] as const;
export type GatewayError = (typeof gatewayErrors)[number];
