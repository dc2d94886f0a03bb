import type { Order } from "@fava/wire/endpoints/shop.ts";
import type { GatewayError, PayType } from "@fava/wire/gateway.ts";
import type { PaymentLink, Purchase } from "./gateway.ts";

/** What is to be paid, and by which of the methods. */
export interface Choice {
  readonly purchase: Purchase;
  readonly methods: readonly PayType[];
  /** Null: not chosen yet. */
  readonly method: PayType | null;
}

/** Why no payment page could be opened. */
export type PayProblem = GatewayError | "silence";

/**
 * - `pay`: the method is chosen; `problem` says why the last try to open the page failed.
 * - `opening`: the payment link is being fetched.
 * - `waiting`: the person pays in another window. Closing the dialog changes nothing here.
 * - `failed`: declined, cancelled at the provider or too late; nothing was charged.
 * - `review`: something does not fit, and a person looks at it.
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
  /** Null: the page was loaded anew meanwhile. */
  readonly choice: Choice | null;
  readonly link: PaymentLink;
  /** The browser let no window open: the person needs a link. */
  readonly isBlocked: boolean;
  /** How often the server was asked without being told to. */
  readonly polls: number;
  /** What became of "check now". */
  readonly check: "none" | "asking" | "not-yet" | "silence";
  /** The question whether to cancel is shown. */
  readonly isCancelling: boolean;
}

export type PaymentEvent =
  | { type: "chosen"; purchase: Purchase; methods: readonly PayType[]; method: PayType | null }
  | { type: "method"; method: PayType }
  /** Pressed, with the window opened or refused in the same press. */
  | { type: "continue"; isBlocked: boolean }
  | { type: "link"; link: PaymentLink }
  | { type: "refused"; problem: PayProblem }
  /** The page was loaded anew, and this order was waiting. */
  | { type: "restored"; order: Order }
  | { type: "order"; order: Order }
  /** The server did not say what became of the order. */
  | { type: "silence" }
  | { type: "poll-due" }
  /** Another tab says "paid", or the balance has changed: it is worth asking now. */
  | { type: "news" }
  /** The window was to be shown again, and the browser did not let it open. */
  | { type: "blocked" }
  | { type: "check-now" }
  | { type: "ask-cancel" }
  | { type: "keep-waiting" }
  | { type: "cancel" }
  | { type: "balance"; beans: number }
  | { type: "again" }
  | { type: "done" }
  /** Somebody else, or nobody, is signed in now. */
  | { type: "reset" };

export type PaymentEffect =
  | { type: "request-link"; choice: Choice }
  | { type: "send-window"; url: string }
  | { type: "close-window" }
  | { type: "ask"; orderNo: string; check: boolean }
  /** Takes the place of the poll that was planned. */
  | { type: "poll-after"; delayMs: number }
  | { type: "stop-polling" }
  | { type: "charge-status"; value: 0 | 1 }
  /** Kept, so that a page that is loaded anew finds its payment; null: nothing waits. */
  | { type: "remember"; orderNo: string | null }
  | { type: "refresh-user" };

/** From one question to the next while somebody pays; the last one repeats. */
export const pollDelaysMs = [2_000, 3_000, 5_000, 5_000, 10_000, 10_000, 20_000, 30_000] as const;
/** A little more than half an hour, longer than a payment page lives; afterwards "check now" is the way. */
export const pollsMax = 75;

export const idlePayment: PaymentState = { name: "idle" };

interface PaymentStep {
  readonly state: PaymentState;
  readonly effects: readonly PaymentEffect[];
}

/** One payment from the choice of a method to its end. What does not fit the state changes nothing. */
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
      // The storage has been cleared or is somebody else's by now: nothing is written to it.
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
 * One method alone needs no choice; of several none is chosen in advance. What was chosen before is let go: nobody has seen
 * the page of an order whose link was still on its way, and unpaid it ends by itself.
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
  // The balance and the statement show it already.
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

/** Nothing new: the next question comes later than the last one, and after the last of them none. */
function heard(state: Waiting, check: "not-yet" | "silence"): PaymentStep {
  const next = state.check === "asking" ? { ...state, check } : state;
  if (state.polls >= pollsMax) return to(next, { type: "stop-polling" });
  const delayMs = pollDelaysMs[Math.min(state.polls, pollDelaysMs.length - 1)] ?? pollDelaysMs[0];
  return to(next, { type: "poll-after", delayMs });
}

/** The money's side is over. What is paid stays paid, whatever else has become of the order meanwhile. */
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
