import type { GatewayError, PayType } from "@fava/wire/gateway.ts";
import type { Order } from "@fava/wire/endpoints/shop.ts";
import type { PaymentLink, Purchase } from "#lib/gateway.ts";

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
