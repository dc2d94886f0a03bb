import * as v from "valibot";
import type { PaymentEvent } from "#ports/payments.ts";

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
/** Amounts travel as text: JSON numbers pass through floating point. */
const amount = v.pipe(
  v.string(),
  v.regex(/^\d{1,18}$/),
  v.transform((digits) => BigInt(digits)),
);
const common = {
  eventId: text,
  orderNo: text,
  transactionId: text,
  at: v.pipe(
    v.string(),
    v.isoTimestamp(),
    v.transform((at) => new Date(at)),
  ),
};
const bodySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.variant("kind", [
    v.object({
      ...common,
      kind: v.literal("paid"),
      amountMinor: amount,
      currencyCode: v.pipe(v.string(), v.length(3)),
    }),
    v.object({ ...common, kind: v.picklist(["failed", "expired", "early_fraud"]) }),
    v.object({ ...common, kind: v.picklist(["refunded", "refund_failed"]), refundNo: text, amountMinor: amount }),
    v.object({
      ...common,
      kind: v.picklist(["dispute_opened", "dispute_won", "dispute_lost"]),
      caseId: text,
      amountMinor: amount,
    }),
  ]),
);

/** What the sandbox posts: the event as JSON. */
export function webhookBody(event: PaymentEvent): string {
  return JSON.stringify(event, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

/** The way back; null for anything else. */
export function eventOfWebhook(body: Buffer): PaymentEvent | null {
  const parsed = v.safeParse(bodySchema, body.toString("utf8"));
  return parsed.success ? parsed.output : null;
}
