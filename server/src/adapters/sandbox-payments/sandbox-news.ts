import type { OrderSnapshot, PaymentEvent } from "#ports/payments.ts";
import type { TestCardOutcome } from "./test-cards.ts";

/** A bank that answers late does so after the person has come back to the product. */
const lateMs = 5_000;
const disputeOpensMs = 3_000;
const disputeEndsMs = 6_000;

/** What the sandbox will say about an order, and when. */
export interface SandboxNews {
  event: PaymentEvent;
  dueMs: number;
  /** False: no webhook is sent, only a question finds it. */
  isSent: boolean;
}

/** The news that follow a test card or a cancelled page; `refused` is a bank's confirmation that the person denied. */
export function newsOf(
  order: OrderSnapshot,
  outcome: Exclude<TestCardOutcome, "challenge"> | "refused" | "cancelled",
  nowMs: number,
): SandboxNews[] {
  const news = (name: string, kind: EventKind, delayMs = 0): SandboxNews => ({
    event: { ...eventBase(order, name, nowMs + delayMs), ...kind },
    dueMs: nowMs + delayMs,
    isSent: true,
  });
  const amounts = { amountMinor: order.amountMinor, currencyCode: order.currencyCode };
  const paid = { kind: "paid", ...amounts } as const;
  const dispute = { caseId: `case_${order.orderNo}`, amountMinor: order.amountMinor };
  switch (outcome) {
    case "success":
      return [news("paid", paid)];
    case "decline":
    case "refused":
    case "cancelled":
      return [news(outcome, { kind: "failed" })];
    case "late":
      return [news("paid", paid, lateMs)];
    case "duplicate":
      return [news("paid", paid), news("paid", paid), news("paid-again", paid)];
    case "dispute":
      return [
        news("paid", paid),
        news("dispute-opened", { kind: "dispute_opened", ...dispute }, disputeOpensMs),
        news("dispute-won", { kind: "dispute_won", ...dispute }, disputeEndsMs),
      ];
    case "silent":
      return [{ ...news("paid", paid), isSent: false }];
    case "wrong_amount":
      return [news("paid", { ...paid, amountMinor: order.amountMinor + 1n })];
  }
}

/** A refund is done the moment it is asked for. */
export function refundNews(
  order: OrderSnapshot,
  refund: { refundNo: string; amountMinor: bigint },
  nowMs: number,
): SandboxNews {
  const base = eventBase(order, `refunded-${refund.refundNo}`, nowMs);
  const { refundNo, amountMinor } = refund;
  return { event: { ...base, kind: "refunded", refundNo, amountMinor }, dueMs: nowMs, isSent: true };
}

/** Said to a question only: nobody came to the page in time. */
export function expiredEvent(order: OrderSnapshot, atMs: number): PaymentEvent {
  return { ...eventBase(order, "expired", atMs), kind: "expired" };
}

/** Everything of an event that belongs to its kind. */
type EventKind = PaymentEvent extends infer Event
  ? Event extends PaymentEvent
    ? Omit<Event, keyof ReturnType<typeof eventBase>>
    : never
  : never;

function eventBase(order: OrderSnapshot, name: string, atMs: number) {
  return {
    eventId: `evt_${order.orderNo}_${name}`,
    orderNo: order.orderNo,
    transactionId: `txn_${order.orderNo}`,
    at: new Date(atMs),
  };
}
