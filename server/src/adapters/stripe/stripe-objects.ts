import * as v from "valibot";
import { PaymentProviderError } from "#ports/payments.ts";

/**
 * The few fields that are read of Stripe's objects. They are checked rather than cast: a webhook has the shape of the
 * API version that was set for it at Stripe, which need not be the library's.
 */
const text = v.pipe(v.string(), v.minLength(1), v.maxLength(255));
const currency = v.pipe(v.string(), v.length(3));
const amount = v.pipe(
  v.number(),
  v.safeInteger(),
  v.transform((value) => BigInt(value)),
);
/** Until the year 5138, so that a date can be made of it. */
const seconds = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000_000_000));
const metadata = v.nullish(v.record(v.string(), v.string()), {});
/** An id, or the whole object where Stripe was asked to expand it. */
const reference = v.pipe(
  v.nullish(v.union([text, v.object({ id: text })]), null),
  v.transform((value) => (typeof value === "object" ? (value?.id ?? null) : value)),
);

export const eventSchema = v.object({ type: text, created: seconds, data: v.object({ object: v.unknown() }) });
export type StripeEvent = v.InferOutput<typeof eventSchema>;

export const sessionSchema = v.object({
  id: text,
  url: v.nullish(v.string(), null),
  status: v.nullish(v.string(), null),
  payment_status: v.string(),
  payment_intent: reference,
  amount_total: v.nullish(amount, 0),
  currency: v.nullish(currency, "xxx"),
  expires_at: seconds,
  metadata,
});
export type StripeSession = v.InferOutput<typeof sessionSchema>;

export const refundSchema = v.object({
  id: text,
  amount,
  currency,
  status: v.nullish(v.string(), null),
  payment_intent: reference,
  metadata,
});
export type StripeRefund = v.InferOutput<typeof refundSchema>;

export const disputeSchema = v.object({ id: text, amount, currency, status: v.string(), payment_intent: reference });
export type StripeDispute = v.InferOutput<typeof disputeSchema>;

export const refundListSchema = v.object({ data: v.array(refundSchema) });
export const paymentIntentSchema = v.object({ id: text, metadata });
export const chargeSchema = v.object({ payment_intent: reference });
export const fraudWarningSchema = v.object({ id: text, payment_intent: reference });

/**
 * @throws PaymentProviderError for another shape. It counts as temporary, since what was asked for may have been done,
 *   and since the library takes an error of something between us and Stripe for an answer.
 */
export function readObject<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const path = v.getDotPath(parsed.issues[0]) ?? "it";
  throw new PaymentProviderError(`an object of Stripe is not as expected: ${path}`, { isTemporary: true });
}
