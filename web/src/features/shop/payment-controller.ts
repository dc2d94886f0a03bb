import { createStore } from "zustand/vanilla";
import type { Order } from "@fava/wire/endpoints/shop.ts";
import type { OutsideWindow } from "#lib/outside-window.ts";
import type { PaymentLink } from "./gateway.ts";
import {
  type Choice,
  idlePayment,
  type PaymentEffect,
  type PaymentEvent,
  type PaymentState,
  type PayProblem,
  stepPayment,
} from "./payment-machine.ts";

export interface PaymentPorts {
  /** Opens an empty window; null if the browser blocks it. Call it in a press. */
  openWindow(url?: string): OutsideWindow | null;
  requestLink(choice: Choice): Promise<PaymentLink>;
  /** Why `requestLink` rejected; undefined for a bug. */
  problemOf(error: unknown): PayProblem | undefined;
  /** The state of an order; null without a response. */
  askOrder(orderNo: string, check: boolean): Promise<Order | null>;
  /** The user's balance, loaded again; null without a response. */
  fetchBalance(): Promise<number | null>;
  setChargeStatus(value: 0 | 1): void;
  setPrice(choice: Choice): void;
  rememberOrder(orderNo: string | null): void;
  isHidden(): boolean;
  /** Shows the result by a toast, in case the user does not see the dialog. */
  tellEnd(state: PaymentState): void;
}

/** Runs the effects of the payment machine: the window, the link, the polls; dispatches their results to it. */
export class PaymentController {
  readonly store = createStore<PaymentState>(() => idlePayment);
  readonly #ports: PaymentPorts;
  #window: OutsideWindow | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether a poll was due while the page was hidden. */
  #missedPoll = false;
  /** The number of the current link request, so that the response to an earlier one is ignored. */
  #attempt = 0;

  constructor(ports: PaymentPorts) {
    this.#ports = ports;
  }

  dispatch(event: PaymentEvent): void {
    const before = this.store.getState();
    const { state, effects } = stepPayment(before, event);
    if (state !== before) this.store.setState(state, true);
    if (state.name !== before.name) console.debug(`payment: ${before.name} -> ${state.name} (${event.type})`);
    for (const effect of effects) this.#run(effect);
    const isEnd = state.name === "complete" || state.name === "failed" || state.name === "review";
    if (isEnd && before.name === "waiting") this.#ports.tellEnd(state);
  }

  /** The press on "Continue to payment": opens the window in it, so that no blocker stops it. */
  pay(): void {
    const state = this.store.getState();
    if (state.name !== "pay" || !state.choice.method) return;
    this.#window?.close();
    this.#window = this.#ports.openWindow();
    this.dispatch({ type: "continue", isBlocked: this.#window === null });
  }

  /** The press on "Show the window again": brings it to the front, or opens it again. */
  showWindow(): void {
    const state = this.store.getState();
    if (state.name !== "waiting" || this.#window?.show()) return;
    this.#window = this.#ports.openWindow(state.link.url);
    if (!this.#window) this.dispatch({ type: "blocked" });
  }

  /** Call it when the page is visible again: sends a poll that was due while the page was hidden. */
  looked(): void {
    if (!this.#missedPoll) return;
    this.#missedPoll = false;
    this.dispatch({ type: "poll-due" });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#attempt += 1;
  }

  #run(effect: PaymentEffect): void {
    switch (effect.type) {
      case "request-link":
        this.#ports.setPrice(effect.choice);
        return void this.#requestLink(effect.choice);
      case "send-window":
        return this.#window?.goTo(effect.url);
      case "close-window":
        this.#window?.close();
        this.#window = null;
        return;
      case "ask":
        return void this.#ask(effect.orderNo, effect.check);
      case "poll-after":
        return this.#pollAfter(effect.delayMs);
      case "stop-polling":
        clearTimeout(this.#timer);
        this.#missedPoll = false;
        return;
      case "charge-status":
        return this.#ports.setChargeStatus(effect.value);
      case "remember":
        return this.#ports.rememberOrder(effect.orderNo);
      case "refresh-user":
        return void this.#refreshBalance();
    }
  }

  async #requestLink(choice: Choice): Promise<void> {
    this.#attempt += 1;
    const attempt = this.#attempt;
    const answer = await this.#ports.requestLink(choice).then(
      (link): PaymentEvent => ({ type: "link", link }),
      (error: unknown): PaymentEvent => {
        const problem = this.#ports.problemOf(error);
        if (problem === undefined) console.error("no payment link", error);
        return { type: "refused", problem: problem ?? "provider_failed" };
      },
    );
    if (attempt === this.#attempt) this.dispatch(answer);
  }

  async #ask(orderNo: string, check: boolean): Promise<void> {
    const order = await this.#ports.askOrder(orderNo, check);
    this.dispatch(order ? { type: "order", order } : { type: "silence" });
  }

  async #refreshBalance(): Promise<void> {
    const beans = await this.#ports.fetchBalance();
    if (beans !== null) this.dispatch({ type: "balance", beans });
  }

  #pollAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#missedPoll = false;
    this.#timer = setTimeout(() => {
      if (this.#ports.isHidden()) this.#missedPoll = true;
      else this.dispatch({ type: "poll-due" });
    }, delayMs);
  }
}
