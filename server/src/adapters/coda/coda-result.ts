import * as v from "valibot";
import type { PaymentEvent } from "#ports/payments.ts";
import { minorFromCoda } from "./coda-amounts.ts";

/** Numbers are text here: `lossless-json` has read them. Ids come as JSON numbers or strings. */
const scalar = v.pipe(
  v.nullish(v.union([v.string(), v.boolean()]), ""),
  v.transform((value) => String(value)),
);
export const codaResultSchema = v.object({
  txnId: scalar,
  orderId: scalar,
  resultCode: v.string(),
  totalPrice: scalar,
  profile: v.nullish(v.object({ entry: v.nullish(v.array(v.object({ key: v.string(), value: scalar })), []) })),
});
export type CodaResult = v.InferOutput<typeof codaResultSchema>;

/** Result codes of a payment that ran out of time rather than failed. */
const expiredCodes: ReadonlySet<string> = new Set(["206", "211", "213", "230", "438", "456", "475"]);

/**
 * What an answer to `inquiryPaymentResult` means; null while the payment is under way. Only a result that Coda calls
 * final is a failure: many codes just say that somebody has not paid yet.
 */
export function codaResultEvent(
  result: CodaResult,
  order: { orderNo: string; currencyCode: string; at: Date },
): PaymentEvent | null {
  const { txnId: transactionId, resultCode, totalPrice } = result;
  const { orderNo, currencyCode, at } = order;
  const profile = new Map(result.profile?.entry?.map(({ key, value }) => [key, value.toLowerCase()]));
  const isFinal = profile.get("isStatusFinal") === "true";
  const status = profile.get("status") ?? "";
  if (resultCode === "0") {
    if (status !== "" && status !== "success") return null;
    // What cannot be read is no amount of the order: it goes to a person.
    const amountMinor = minorFromCoda(totalPrice, currencyCode) ?? 0n;
    return { kind: "paid", eventId: `paid:${transactionId}`, orderNo, transactionId, at, amountMinor, currencyCode };
  }
  if (!isFinal || status === "success" || status === "pending") return null;
  const kind = expiredCodes.has(resultCode) ? "expired" : "failed";
  return { kind, eventId: `${kind}:${transactionId}`, orderNo, transactionId, at };
}
