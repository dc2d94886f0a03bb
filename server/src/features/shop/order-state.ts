/** What was ordered; fixed when the order is made. */
export interface Terms {
  readonly beans: bigint;
  readonly amountMinor: bigint;
  readonly currencyCode: string;
}

export interface Refund {
  readonly refundNo: string;
  readonly amountMinor: bigint;
  /** `open`: the provider has not confirmed it. `failed`: the money stayed here. */
  readonly state: "open" | "done" | "failed";
}

export interface Dispute {
  readonly caseId: string;
  readonly amountMinor: bigint;
  readonly state: "open" | "won" | "lost";
}

/** The payment whose beans were credited, and what was taken back of it. */
export interface Payment {
  readonly transactionId: string;
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
}

/** Why a person has to look at an order. */
export type ReviewReason =
  | "amount_mismatch"
  | "currency_mismatch"
  | "unknown_transaction"
  | "transaction_used_elsewhere"
  | "second_transaction"
  | "paid_after_refund"
  | "paid_after_close"
  | "refund_mismatch"
  | "dispute_reopened"
  | "credit_missing"
  | "provider_disagrees";

export type CreditedName = "paid" | "refunded" | "disputed" | "charged_back";

/** `payment` is there exactly where beans were credited. */
export type OrderMachineState = UnpaidState | CreditedState | ReviewState;

export type UnpaidState =
  | { readonly name: "created" | "pending" | "expired" }
  | { readonly name: "failed"; readonly closedByPerson: boolean };
export type CreditedState = { readonly name: CreditedName; readonly payment: Payment };
export type ReviewState = {
  readonly name: "review";
  readonly reason: ReviewReason;
  /** Of the payment that waits for a decision; null where none does. */
  readonly transactionId: string | null;
  readonly payment: Payment | null;
};

export type PaidEvent = {
  readonly kind: "paid";
  readonly transactionId: string;
  readonly amountMinor: bigint;
  readonly currencyCode: string;
  /** The transaction paid for another order. */
  readonly usedElsewhere: boolean;
};
export type RefundEvent = {
  readonly kind: "refunded" | "refund_failed";
  readonly transactionId: string;
  readonly refundNo: string;
  readonly amountMinor: bigint;
};
export type DisputeEvent = {
  readonly kind: "dispute_opened" | "dispute_won" | "dispute_lost";
  readonly transactionId: string;
  readonly caseId: string;
  readonly amountMinor: bigint;
};

/** News of a provider, and what we ourselves do with an order. */
export type OrderEvent =
  | { readonly kind: "opened" | "open_failed" | "timed_out" }
  | { readonly kind: "failed" | "expired" | "early_fraud" }
  | PaidEvent
  | RefundEvent
  | DisputeEvent
  /** Its owner withdraws the purchase: what is left of the money goes back. */
  | { readonly kind: "withdrawn"; readonly refundNo: string }
  /** The nightly comparison found that ledger or provider say otherwise. */
  | { readonly kind: "contradicted"; readonly reason: ReviewReason }
  | { readonly kind: "resolved"; readonly decision: "credit" | "close"; readonly refundNo: string };

/** Beans that move: to the person with `credit` and `give_back`, away from them with `take`. */
export type OrderEffect =
  | { readonly kind: "credit"; readonly transactionId: string; readonly beans: bigint }
  | {
      readonly kind: "take" | "give_back";
      readonly cause: "refund" | "dispute";
      readonly id: string;
      readonly beans: bigint;
    };

export interface OrderStep {
  readonly state: OrderMachineState;
  readonly effects: readonly OrderEffect[];
  /** `parked`: means something only once the order is paid, or decided, and is to be tried again then. */
  readonly result: "applied" | "ignored" | "parked" | "review";
}

/** Beans of an order that were taken back, by the money that went back. */
export function beansTaken(terms: Terms, payment: Payment): bigint {
  const disputed = payment.disputes.filter(({ state }) => state !== "won");
  const minor = refundedMinor(payment) + sumMinor(disputed);
  if (minor >= terms.amountMinor) return terms.beans;
  return (terms.beans * minor + terms.amountMinor - 1n) / terms.amountMinor;
}

/** Minor units of a payment that were refunded, or are about to be. */
export function refundedMinor({ refunds }: Pick<Payment, "refunds">): bigint {
  return sumMinor(refunds.filter(({ state }) => state !== "failed"));
}

/** Where an order stands whose beans were credited. */
export function creditedState(terms: Terms, payment: Payment): CreditedState {
  const has = (wanted: Dispute["state"]) => payment.disputes.some(({ state }) => state === wanted);
  if (has("open")) return { name: "disputed", payment };
  if (has("lost")) return { name: "charged_back", payment };
  return { name: refundedMinor(payment) >= terms.amountMinor ? "refunded" : "paid", payment };
}

function sumMinor(parts: readonly { amountMinor: bigint }[]): bigint {
  return parts.reduce((sum, part) => sum + part.amountMinor, 0n);
}
