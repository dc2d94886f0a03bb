import type { PaymentEvent } from "#ports/payments.ts";
import { minorFromStripe } from "./stripe-amounts.ts";
import type { StripeDispute, StripeRefund, StripeSession } from "./stripe-objects.ts";

/** Which payment of which order the news is about. */
interface Subject {
  orderNo: string;
  paymentIntent: string;
  at: Date;
}

/** A session as it stands; null while the payment is under way. Completed is not paid: some methods take days. */
export function sessionEvent(
  session: StripeSession,
  { orderNo, at }: { orderNo: string; at: Date },
): PaymentEvent | null {
  const transactionId = session.payment_intent;
  if (session.payment_status === "paid" && transactionId !== null) {
    const amounts = minorFromStripe(session.amount_total, session.currency);
    return { kind: "paid", eventId: `paid:${transactionId}`, orderNo, transactionId, at, ...amounts };
  }
  if (session.payment_status !== "unpaid" || session.status !== "expired") return null;
  return { kind: "expired", eventId: `expired:${session.id}`, orderNo, transactionId: session.id, at };
}

/** A method that takes days said no. */
export function asyncFailedEvent(session: StripeSession, { orderNo, at }: { orderNo: string; at: Date }): PaymentEvent {
  const transactionId = session.payment_intent ?? session.id;
  return { kind: "failed", eventId: `failed:${session.id}`, orderNo, transactionId, at };
}

/** Null while the refund is under way. One that was made at Stripe has no number of ours, and goes by theirs. */
export function refundEvent(refund: StripeRefund, { orderNo, paymentIntent, at }: Subject): PaymentEvent | null {
  const kind = refundKind(refund.status);
  if (kind === null) return null;
  return {
    kind,
    eventId: `${kind}:${refund.id}`,
    orderNo,
    transactionId: paymentIntent,
    refundNo: refund.metadata?.["refundNo"] ?? refund.id,
    amountMinor: minorFromStripe(refund.amount, refund.currency).amountMinor,
    at,
  };
}

function refundKind(status: string | null): "refunded" | "refund_failed" | null {
  if (status === "succeeded") return "refunded";
  return status === "failed" || status === "canceled" ? "refund_failed" : null;
}

/** Null for an inquiry of the bank, which takes no money yet, and for an end that decides nothing. */
export function disputeEvent(
  dispute: StripeDispute,
  { orderNo, paymentIntent, at }: Subject,
  isClosed: boolean,
): PaymentEvent | null {
  const kind = disputeKind(dispute.status, isClosed);
  if (kind === null) return null;
  return {
    kind,
    eventId: `${kind}:${dispute.id}`,
    orderNo,
    transactionId: paymentIntent,
    caseId: dispute.id,
    amountMinor: minorFromStripe(dispute.amount, dispute.currency).amountMinor,
    at,
  };
}

function disputeKind(status: string, isClosed: boolean): "dispute_opened" | "dispute_won" | "dispute_lost" | null {
  if (!isClosed) return status.startsWith("warning_") || status === "prevented" ? null : "dispute_opened";
  if (status === "won") return "dispute_won";
  return status === "lost" ? "dispute_lost" : null;
}
