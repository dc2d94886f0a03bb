import type { Order } from "@fava/wire/endpoints/shop.ts";
import type { GatewayError, PayType } from "@fava/wire/gateway.ts";
import type { PaymentLink, Purchase } from "./gateway.ts";

/** The purchase, and the chosen one of its payment methods. */
export interface Choice {
  readonly purchase: Purchase;
  readonly methods: readonly PayType[];
  /** The chosen payment method; null: none chosen yet. */
  readonly method: PayType | null;
}

/** Why the payment page could not be opened. */
export type PayProblem = GatewayError | "silence";

/**
 * - `pay`: the user chooses a method; `problem` is why the page could not be opened last time.
 * - `opening`: the payment link is being requested.
 * - `waiting`: the user pays in another window. Closing the dialog changes nothing here.
 * - `failed`: declined, cancelled at the provider or too late; nothing was charged.
 * - `review`: something does not match, and a person reviews the order.
 */
export type PaymentState =
  | { readonly name: "idle" }
  | { readonly name: "pay"; readonly choice: Choice; readonly problem: PayProblem | null }
  | { readonly name: "opening"; readonly choice: Choice; readonly isBlocked: boolean }
  | Waiting
  | { readonly name: "complete"; readonly order: Order; readonly balance: number | null }
  | { readonly name: "failed"; readonly order: Order; readonly choice: Choice | null }
  | { readonly name: "review"; readonly order: Order };

export interface Waiting {
  readonly name: "waiting";
  readonly purchase: Purchase;
  /** Null: the page was reloaded meanwhile. */
  readonly choice: Choice | null;
  readonly link: PaymentLink;
  /** The browser blocked the window: the user needs a link. */
  readonly isBlocked: boolean;
  /** The number of polls so far. */
  readonly polls: number;
  /** The result of "check now". */
  readonly check: "none" | "asking" | "not-yet" | "silence";
  /** The question whether to cancel is open. */
  readonly isCancelling: boolean;
}

export type PaymentEvent =
  | { type: "chosen"; purchase: Purchase; methods: readonly PayType[]; method: PayType | null }
  | { type: "method"; method: PayType }
  /** The user pressed "Continue to payment", which opened the payment window unless the browser blocked it. */
  | { type: "continue"; isBlocked: boolean }
  | { type: "link"; link: PaymentLink }
  | { type: "refused"; problem: PayProblem }
  /** The page was reloaded while this order was waiting. */
  | { type: "restored"; order: Order }
  | { type: "order"; order: Order }
  /** The server did not respond about the order. */
  | { type: "silence" }
  | { type: "poll-due" }
  /** Another tab reports "paid", or the balance has changed: poll now. */
  | { type: "news" }
  /** The user wanted to see the window again, and the browser blocked it. */
  | { type: "blocked" }
  | { type: "check-now" }
  | { type: "ask-cancel" }
  | { type: "keep-waiting" }
  | { type: "cancel" }
  | { type: "balance"; beans: number }
  | { type: "again" }
  | { type: "done" }
  /** Another user, or none, is signed in now. */
  | { type: "reset" };

export type PaymentEffect =
  | { type: "request-link"; choice: Choice }
  | { type: "send-window"; url: string }
  | { type: "close-window" }
  | { type: "ask"; orderNo: string; check: boolean }
  /** Plans the next poll, in place of an earlier plan. */
  | { type: "poll-after"; delayMs: number }
  | { type: "stop-polling" }
  | { type: "charge-status"; value: 0 | 1 }
  /** Stored, so that a reloaded page finds its payment; null: none waits. */
  | { type: "remember"; orderNo: string | null }
  | { type: "refresh-user" };

/** Delays between polls while the user pays; the last one repeats. */
export const pollDelaysMs = [2_000, 3_000, 5_000, 5_000, 10_000, 10_000, 20_000, 30_000] as const;
/**
 * Polls of one payment: they take a little more than half an hour, longer than a payment page is valid. After that only
 * "check now" polls.
 */
export const pollsMax = 75;

export const idlePayment: PaymentState = { name: "idle" };

interface PaymentStep {
  readonly state: PaymentState;
  readonly effects: readonly PaymentEffect[];
}

/** One payment from the choice of a method to its result. An event without a meaning in the state changes nothing. */
export function stepPayment(state: PaymentState, event: PaymentEvent): PaymentStep {
  switch (event.type) {
    case "chosen":
      return chosen(state, event);
    case "method":
      return state.name === "pay"
        ? to({ name: "pay", choice: { ...state.choice, method: event.method }, problem: null })
        : same(state);
    case "continue":
      return proceed(state, event.isBlocked);
    case "link":
    case "refused":
      return state.name === "opening" ? opened(state, event) : same(state);
    case "restored":
      return state.name === "idle" ? restored(event.order) : same(state);
    case "again":
      return state.name === "failed" && state.choice
        ? to({ name: "pay", choice: state.choice, problem: null })
        : same(state);
    case "done":
      return state.name === "opening" || state.name === "waiting" ? same(state) : to(idlePayment);
    case "balance":
      return state.name === "complete" ? to({ ...state, balance: event.beans }) : same(state);
    case "reset":
      // The user has signed out, or another one has signed in: leaves the storage as it is.
      return to(idlePayment, { type: "stop-polling" }, ...(state.name === "opening" ? [closeWindow] : []));
    case "order":
    case "silence":
    case "poll-due":
    case "news":
    case "blocked":
    case "check-now":
    case "ask-cancel":
    case "keep-waiting":
    case "cancel":
      return state.name === "waiting" ? wait(state, event) : same(state);
  }
}

const closeWindow: PaymentEffect = { type: "close-window" };
const forget: PaymentEffect = { type: "remember", orderNo: null };
const givenUp: readonly PaymentEffect[] = [closeWindow, { type: "charge-status", value: 0 }];
const stop: readonly PaymentEffect[] = [{ type: "stop-polling" }, { type: "charge-status", value: 0 }, forget];

/**
 * A single method is chosen automatically, one of several is not. Drops the earlier choice: an order whose link is
 * still being requested was never shown, and expires unpaid.
 */
function chosen(state: PaymentState, event: Extract<PaymentEvent, { type: "chosen" }>): PaymentStep {
  const { purchase, methods } = event;
  const only = methods.length === 1 ? (methods[0] ?? null) : null;
  const choice = { purchase, methods, method: event.method ?? only };
  return to({ name: "pay", choice, problem: null }, ...lettingGo(state));
}

function lettingGo(state: PaymentState): readonly PaymentEffect[] {
  if (state.name === "opening") return givenUp;
  return state.name === "waiting" ? stop : [];
}

function proceed(state: PaymentState, isBlocked: boolean): PaymentStep {
  if (state.name !== "pay" || !state.choice.method) return same(state);
  return to(
    { name: "opening", choice: state.choice, isBlocked },
    { type: "charge-status", value: 1 },
    { type: "request-link", choice: state.choice },
  );
}

function opened(
  state: Extract<PaymentState, { name: "opening" }>,
  event: Extract<PaymentEvent, { type: "link" | "refused" }>,
): PaymentStep {
  const { choice, isBlocked } = state;
  if (event.type === "refused") {
    return to({ name: "pay", choice, problem: event.problem }, ...givenUp);
  }
  const { link } = event;
  return to(
    waitingFor({ purchase: choice.purchase, choice, link, isBlocked }),
    { type: "send-window", url: link.url },
    { type: "remember", orderNo: link.orderNo },
    { type: "poll-after", delayMs: pollDelaysMs[0] },
  );
}

function restored(order: Order): PaymentStep {
  // The order is over: balance and statement show its result already.
  if (!isOpen(order)) return to(idlePayment, forget);
  const purchase = {
    packId: 0,
    beans: order.beans,
    priceMinor: order.price_minor,
    currencyCode: order.currency_code,
  };
  const link = { url: order.pay_url, orderNo: order.order_no };
  const state = waitingFor({ purchase, choice: null, link, isBlocked: false });
  return to(state, { type: "poll-after", delayMs: pollDelaysMs[0] });
}

function waitingFor(about: Pick<Waiting, "purchase" | "choice" | "link" | "isBlocked">): Waiting {
  return { name: "waiting", ...about, polls: 0, check: "none", isCancelling: false };
}

type WaitingEvent = Extract<
  PaymentEvent,
  {
    type:
      | "order"
      | "silence"
      | "poll-due"
      | "news"
      | "blocked"
      | "check-now"
      | "ask-cancel"
      | "keep-waiting"
      | "cancel";
  }
>;

function wait(state: Waiting, event: WaitingEvent): PaymentStep {
  const { orderNo } = state.link;
  switch (event.type) {
    case "order":
      if (event.order.order_no !== orderNo) return same(state);
      return isOpen(event.order) ? heard(state, "not-yet") : settled(event.order, state.choice);
    case "silence":
      return heard(state, "silence");
    case "poll-due":
      return to({ ...state, polls: state.polls + 1 }, { type: "ask", orderNo, check: false });
    case "news":
      return to(state, { type: "ask", orderNo, check: false });
    case "blocked":
      return to({ ...state, isBlocked: true });
    case "check-now":
      if (state.check === "asking") return same(state);
      return to({ ...state, check: "asking" }, { type: "ask", orderNo, check: true });
    case "ask-cancel":
      return to({ ...state, isCancelling: true });
    case "keep-waiting":
      return to({ ...state, isCancelling: false });
    case "cancel":
      return to(idlePayment, ...stop, closeWindow);
  }
}

/** Nothing new: the next poll comes after a longer delay, and none after the last. */
function heard(state: Waiting, check: "not-yet" | "silence"): PaymentStep {
  const next = state.check === "asking" ? { ...state, check } : state;
  if (state.polls >= pollsMax) return to(next, { type: "stop-polling" });
  const delayMs = pollDelaysMs[Math.min(state.polls, pollDelaysMs.length - 1)] ?? pollDelaysMs[0];
  return to(next, { type: "poll-after", delayMs });
}

/** The payment has a result. A paid order stays paid, whatever else has happened to it meanwhile. */
function settled(order: Order, choice: Choice | null): PaymentStep {
  switch (order.state) {
    case "created":
    case "pending":
    case "failed":
    case "expired":
      return to({ name: "failed", order, choice }, ...stop);
    case "review":
      return to({ name: "review", order }, ...stop);
    case "paid":
    case "refunded":
    case "disputed":
    case "charged_back":
      return to({ name: "complete", order, balance: null }, ...stop, { type: "refresh-user" });
  }
}

function isOpen(order: Order): boolean {
  return order.state === "created" || order.state === "pending";
}

function to(state: PaymentState, ...effects: PaymentEffect[]): PaymentStep {
  return { state, effects };
}

function same(state: PaymentState): PaymentStep {
  return { state, effects: [] };
}
