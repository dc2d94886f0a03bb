export interface Terms {
  readonly beans: bigint;
  readonly amountMinor: bigint;
  readonly currencyCode: string;
}

export interface Refund {
  readonly refundNo: string;
  readonly amountMinor: bigint;
  /** `open`: the provider has not confirmed the refund. `failed`: the money was not returned. */
  readonly state: "open" | "done" | "failed";
}

export interface Dispute {
  readonly caseId: string;
  readonly amountMinor: bigint;
  readonly state: "open" | "won" | "lost";
}

export interface Payment {
  readonly transactionId: string;
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
}

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

type CreditedName = "paid" | "refunded" | "disputed" | "charged_back";

/** A state has `payment` only if beans were credited. */
export type OrderMachineState = UnpaidState | CreditedState | ReviewState;

type UnpaidState =
  | { readonly name: "created" | "pending" | "expired" }
  | { readonly name: "failed"; readonly closedByPerson: boolean };
type CreditedState = { readonly name: CreditedName; readonly payment: Payment };
type ReviewState = {
  readonly name: "review";
  readonly reason: ReviewReason;
  /** The payment that an operator must decide about; null for none. */
  readonly transactionId: string | null;
  readonly payment: Payment | null;
};

type PaidEvent = {
  readonly kind: "paid";
  readonly transactionId: string;
  readonly amountMinor: bigint;
  readonly currencyCode: string;
  /** The same transaction has paid for another order. */
  readonly usedByOtherOrder: boolean;
};
type RefundEvent = {
  readonly kind: "refunded" | "refund_failed";
  readonly transactionId: string;
  readonly refundNo: string;
  readonly amountMinor: bigint;
};
type DisputeEvent = {
  readonly kind: "dispute_opened" | "dispute_won" | "dispute_lost";
  readonly transactionId: string;
  readonly caseId: string;
  readonly amountMinor: bigint;
};

export type OrderEvent =
  | { readonly kind: "opened" | "open_failed" | "timed_out" }
  | { readonly kind: "failed" | "expired" | "early_fraud" }
  | PaidEvent
  | RefundEvent
  | DisputeEvent
  /** The user withdraws the purchase: the money that was not refunded yet is refunded. */
  | { readonly kind: "withdrawn"; readonly refundNo: string }
  /** The nightly reconciliation found that the order disagrees with the ledger or the provider. */
  | { readonly kind: "contradicted"; readonly reason: ReviewReason }
  | { readonly kind: "resolved"; readonly decision: "credit" | "close"; readonly refundNo: string };

/** Transfers of beans: `credit` and `give_back` to the user, `take` from the user. */
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
  /** `parked`: the event cannot apply before the order is paid or decided, and is retried then. */
  readonly result: "applied" | "ignored" | "parked" | "review";
}

/** Beans to take back, in proportion to the money refunded or disputed, rounded up. */
export function beansTaken(terms: Terms, payment: Payment): bigint {
  const disputed = payment.disputes.filter(({ state }) => state !== "won");
  const minor = refundedMinor(payment) + sumMinor(disputed);
  if (minor >= terms.amountMinor) return terms.beans;
  return (terms.beans * minor + terms.amountMinor - 1n) / terms.amountMinor;
}

/** Money that was refunded or is about to be, in minor units. */
function refundedMinor({ refunds }: Pick<Payment, "refunds">): bigint {
  return sumMinor(refunds.filter(({ state }) => state !== "failed"));
}

export function creditedState(terms: Terms, payment: Payment): CreditedState {
  const has = (wanted: Dispute["state"]) => payment.disputes.some(({ state }) => state === wanted);
  if (has("open")) return { name: "disputed", payment };
  if (has("lost")) return { name: "charged_back", payment };
  return { name: refundedMinor(payment) >= terms.amountMinor ? "refunded" : "paid", payment };
}

function sumMinor(parts: readonly { amountMinor: bigint }[]): bigint {
  return parts.reduce((sum, part) => sum + part.amountMinor, 0n);
}

/**
 * The order of a pack, from payment to refunds. It credits beans once, for exactly the ordered amount, and takes them
 * back in proportion to refunds, rounded up. An operator decides everything else.
 */
export function stepOrder(terms: Terms, state: OrderMachineState, event: OrderEvent): OrderStep {
  switch (state.name) {
    case "created":
    case "pending":
    case "expired":
    case "failed":
      return stepUnpaid(terms, state, event);
    case "paid":
    case "refunded":
    case "disputed":
    case "charged_back":
      return stepCredited(terms, state, event);
    case "review":
      return stepReview(terms, state, event);
  }
}

function stepUnpaid(terms: Terms, state: UnpaidState, event: OrderEvent): OrderStep {
  const isOpen = state.name === "created" || state.name === "pending";
  switch (event.kind) {
    case "opened":
      return state.name === "created" ? applied({ name: "pending" }) : ignored(state);
    case "open_failed":
    case "failed":
      return isOpen ? applied({ name: "failed", closedByPerson: false }) : ignored(state);
    case "timed_out":
    case "expired":
      return isOpen ? applied({ name: "expired" }) : ignored(state);
    case "paid":
      return stepPaid(terms, state, event);
    case "refunded":
    case "refund_failed":
    case "dispute_opened":
    case "dispute_won":
    case "dispute_lost":
      return { state, effects: [], result: "parked" };
    case "early_fraud":
    case "withdrawn":
    case "contradicted":
    case "resolved":
      return ignored(state);
  }
}

/** A payment counts also after failed and expired, because money was taken and beans are owed (rule BEANS-145). */
function stepPaid(terms: Terms, state: UnpaidState, event: PaidEvent): OrderStep {
  const { transactionId } = event;
  const odd = oddity(terms, event) ?? (state.name === "failed" && state.closedByPerson ? "paid_after_close" : null);
  if (odd !== null) return review({ reason: odd, transactionId, payment: null });
  return credited(terms, transactionId);
}

function oddity(terms: Terms, event: PaidEvent): ReviewReason | null {
  if (event.currencyCode !== terms.currencyCode) return "currency_mismatch";
  if (event.amountMinor !== terms.amountMinor) return "amount_mismatch";
  return event.usedByOtherOrder ? "transaction_used_elsewhere" : null;
}

function stepCredited(terms: Terms, state: CreditedState, event: OrderEvent): OrderStep {
  const { payment } = state;
  const toReview = (reason: ReviewReason) => review({ reason, transactionId: null, payment });
  switch (event.kind) {
    case "paid":
      return stepPaidAgain(terms, state, event);
    case "refunded":
    case "refund_failed":
      if (event.transactionId !== payment.transactionId) return toReview("unknown_transaction");
      return event.kind === "refunded" ? stepRefunded(terms, state, event) : stepRefundFailed(terms, state, event);
    case "dispute_opened":
    case "dispute_won":
    case "dispute_lost":
      if (event.transactionId !== payment.transactionId) return toReview("unknown_transaction");
      return stepDispute(terms, state, event);
    case "withdrawn":
      if (state.name !== "paid") return ignored(state);
      return refund(terms, payment, { refundNo: event.refundNo, state: "open" });
    case "contradicted":
      return toReview(event.reason);
    case "opened":
    case "open_failed":
    case "failed":
    case "expired":
    case "timed_out":
    case "early_fraud":
    case "resolved":
      return ignored(state);
  }
}

function stepPaidAgain(terms: Terms, state: CreditedState, event: PaidEvent): OrderStep {
  const { payment } = state;
  const toReview = (reason: ReviewReason) => review({ reason, transactionId: null, payment });
  if (event.transactionId !== payment.transactionId) return toReview("second_transaction");
  if (state.name === "refunded" || state.name === "charged_back") return toReview("paid_after_refund");
  const odd = oddity(terms, { ...event, usedByOtherOrder: false });
  return odd === null ? ignored(state) : toReview(odd);
}

function stepRefunded(terms: Terms, state: CreditedState, event: RefundEvent): OrderStep {
  const { payment } = state;
  const { refundNo, amountMinor } = event;
  const toReview = () => review({ reason: "refund_mismatch", transactionId: null, payment });
  const known = payment.refunds.find((one) => one.refundNo === refundNo);
  if (known && (known.amountMinor !== amountMinor || known.state === "failed")) return toReview();
  if (known?.state === "done") return ignored(state);
  const others = payment.refunds.filter((one) => one !== known);
  if (amountMinor <= 0n || refundedMinor({ refunds: others }) + amountMinor > terms.amountMinor) return toReview();
  const refunds = [...others, { refundNo, amountMinor, state: "done" } as const];
  return moved(terms, payment, { to: { ...payment, refunds }, cause: "refund", id: refundNo });
}

function stepRefundFailed(terms: Terms, state: CreditedState, { refundNo, amountMinor }: RefundEvent): OrderStep {
  const { payment } = state;
  const known = payment.refunds.find((one) => one.refundNo === refundNo);
  if (known?.state === "failed" || amountMinor < 0n) return ignored(state);
  const others = payment.refunds.filter((one) => one !== known);
  const refunds = [...others, { refundNo, amountMinor: known?.amountMinor ?? amountMinor, state: "failed" } as const];
  return moved(terms, payment, { to: { ...payment, refunds }, cause: "refund", id: refundNo });
}

function stepDispute(terms: Terms, state: CreditedState, event: DisputeEvent): OrderStep {
  const { payment } = state;
  const { caseId, amountMinor } = event;
  const next = event.kind === "dispute_opened" ? "open" : event.kind === "dispute_won" ? "won" : "lost";
  const known = payment.disputes.find((one) => one.caseId === caseId);
  if (amountMinor < 0n) return review({ reason: "amount_mismatch", transactionId: null, payment });
  // The event that opened a dispute may arrive after its decision and does not reopen it.
  if (known && (known.state === next || next === "open")) return ignored(state);
  if (known && known.state !== "open") return review({ reason: "dispute_reopened", transactionId: null, payment });
  const others = payment.disputes.filter((one) => one !== known);
  const disputes = [...others, { caseId, amountMinor: known?.amountMinor ?? amountMinor, state: next } as const];
  return moved(terms, payment, { to: { ...payment, disputes }, cause: "dispute", id: caseId });
}

/** Events of this server, which do not apply to an order under review. */
const ownKinds: ReadonlySet<OrderEvent["kind"]> = new Set([
  "opened",
  "open_failed",
  "timed_out",
  "withdrawn",
  "contradicted",
]);

function stepReview(terms: Terms, state: ReviewState, event: OrderEvent): OrderStep {
  const { payment, transactionId, reason } = state;
  if (ownKinds.has(event.kind)) return ignored(state);
  if (event.kind !== "resolved") return { state, effects: [], result: "parked" };
  if (event.decision === "close") {
    if (!payment) return applied({ name: "failed", closedByPerson: true });
    return refund(terms, payment, { refundNo: event.refundNo, state: "done" });
  }
  if (payment) {
    const credit = { kind: "credit", transactionId: payment.transactionId, beans: terms.beans } as const;
    // Crediting is idempotent, so this credits only if the credit is missing.
    return { ...applied(creditedState(terms, payment)), effects: reason === "credit_missing" ? [credit] : [] };
  }
  if (transactionId === null || reason === "transaction_used_elsewhere") return ignored(state);
  return credited(terms, transactionId);
}

function credited(terms: Terms, transactionId: string): OrderStep {
  const payment = { transactionId, refunds: [], disputes: [] };
  return { ...applied({ name: "paid", payment }), effects: [{ kind: "credit", transactionId, beans: terms.beans }] };
}

function refund(
  terms: Terms,
  payment: Payment,
  { refundNo, state }: { refundNo: string; state: "open" | "done" },
): OrderStep {
  const amountMinor = terms.amountMinor - refundedMinor(payment);
  if (amountMinor <= 0n) return applied(creditedState(terms, payment));
  const refunds = [...payment.refunds, { refundNo, amountMinor, state }];
  return moved(terms, payment, { to: { ...payment, refunds }, cause: "refund", id: refundNo });
}

function moved(
  terms: Terms,
  from: Payment,
  { to, cause, id }: { to: Payment; cause: "refund" | "dispute"; id: string },
): OrderStep {
  const beans = beansTaken(terms, to) - beansTaken(terms, from);
  const effects: OrderEffect[] = [];
  if (beans > 0n) effects.push({ kind: "take", cause, id, beans });
  if (beans < 0n) effects.push({ kind: "give_back", cause, id, beans: -beans });
  return { state: creditedState(terms, to), effects, result: "applied" };
}

function applied(state: OrderMachineState): OrderStep {
  return { state, effects: [], result: "applied" };
}

function ignored(state: OrderMachineState): OrderStep {
  return { state, effects: [], result: "ignored" };
}

function review(data: Omit<ReviewState, "name">): OrderStep {
  return { state: { name: "review", ...data }, effects: [], result: "review" };
}
