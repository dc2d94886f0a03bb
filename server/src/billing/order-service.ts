import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { MailOutbox } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import type { ProviderPaymentEvent, PaymentProviderId } from "#ports/payments.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { BillingMetrics } from "./billing-metrics.ts";
import * as events from "./event-store.ts";
import type { Ledger, TransferOrder } from "./ledger.ts";
import { type OrderEffect, type OrderEvent, type OrderStep, stepOrder } from "./order-machine.ts";
import { isUsedByOtherOrder, lockedOrder, type OrderRow, saveState, type StoredOrder } from "./order-store.ts";

type Db = Kysely<Database>;

interface OrderServiceOptions {
  db: Db;
  ledger: Ledger;
  clock: Clock;
  limits: Limits;
  mails: Pick<MailOutbox, "add">;
  metrics: Pick<BillingMetrics, "order">;
  logger: Logger;
}

/** Applies events to orders: locks the order, and stores transfers, event and result at once (rule BEANS-140). */
export class OrderService {
  readonly #options: OrderServiceOptions;

  constructor(options: OrderServiceOptions) {
    this.#options = options;
  }

  async process(provider: PaymentProviderId, event: ProviderPaymentEvent, origin: events.EventOrigin): Promise<void> {
    const { db, logger } = this.#options;
    const at = this.#now();
    const done = await db.transaction().execute(async (trx) => {
      const id = await events.insertEvent(trx, event, { provider, origin, at });
      if (id === null) return null;
      const order = await lockedOrder(trx, event.orderNo);
      if (!order || order.row.provider !== provider) {
        const result = order ? "foreign_provider" : "unknown_order";
        await events.insertResult(trx, id, { result, at });
        return { result, order: null } as const;
      }
      const step = await this.#step(trx, order, await machineEvent(trx, order, event));
      await events.insertResult(trx, id, { result: step.result, at });
      await this.#processParked(trx, order.row.order_no, step);
      return { result: step.result, order };
    });
    if (!done) return;
    const { result, order } = done;
    const level = result === "applied" || result === "ignored" ? "info" : "warn";
    logger[level]({ provider, order: event.orderNo, kind: event.kind, result }, "payment event applied");
    if (!order) return;
    if (result === "applied") this.#options.ledger.announce(order.row.user_id);
    // The user's next order checks this count: five declined payments stop a user who tests cards.
    if (event.kind === "failed") await this.#options.limits.take("declineByUser", String(order.row.user_id));
  }

  /**
   * Applies an event to an order.
   * @returns the step; null for an unknown order.
   * @throws NotEnoughBeansError if the user cannot cover a withdrawal. Nothing has changed then.
   */
  async act(orderNo: string, event: OrderEvent, within?: Db): Promise<OrderStep | null> {
    const work = async (trx: Db) => {
      const order = await lockedOrder(trx, orderNo);
      if (!order) return null;
      const step = await this.#step(trx, order, event);
      await this.#processParked(trx, orderNo, step);
      return { order, step };
    };
    const done = within ? await work(within) : await this.#options.db.transaction().execute(work);
    if (done && !within && done.step.result === "applied") this.#options.ledger.announce(done.order.row.user_id);
    return done?.step ?? null;
  }

  async #step(trx: Db, order: StoredOrder, event: OrderEvent): Promise<OrderStep> {
    const step = stepOrder(order.terms, order.state, event);
    if (step.result === "ignored" || step.result === "parked") return step;
    for (const effect of step.effects) {
      const isWithdrawal = event.kind === "withdrawn";
      await this.#options.ledger.post(transferOf(order.row, effect, { overdraft: !isWithdrawal }), trx);
      if (effect.kind === "credit") await this.#mailReceipt(trx, order.row, effect.beans);
    }
    await saveState(trx, order, { state: step.state, at: this.#now() });
    if (step.state.name !== order.state.name) this.#options.metrics.order(order.row.provider, step.state.name);
    return step;
  }

  async #mailReceipt(trx: Db, order: OrderRow, beans: bigint): Promise<void> {
    const { mails, clock } = this.#options;
    const { user_id: userId, order_no: orderNo, amount_minor: amountMinor, currency_code: currency } = order;
    const facts = { orderNo, currency, beans: String(beans), amountMinor: String(amountMinor), atMs: clock.nowMs() };
    await mails.add(trx, { template: "receipt", matter: `order:${orderNo}`, facts, userId });
  }

  /** Applies events that came before the credit, once each and in order. */
  async #processParked(trx: Db, orderNo: string, step: OrderStep): Promise<void> {
    if (step.result !== "applied" || !("payment" in step.state)) return;
    const order = await lockedOrder(trx, orderNo);
    if (!order) return;
    let current = order;
    for (const { id, event } of await events.parkedEvents(trx, { provider: order.row.provider, orderNo })) {
      const { result } = await this.#step(trx, current, await machineEvent(trx, current, event));
      await events.insertResult(trx, id, { result, at: this.#now() });
      current = (await lockedOrder(trx, orderNo)) ?? current;
      if (current.state.name === "review") return;
    }
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

async function machineEvent(trx: Db, order: StoredOrder, event: ProviderPaymentEvent): Promise<OrderEvent> {
  if (event.kind === "paid") {
    return { ...event, usedByOtherOrder: await isUsedByOtherOrder(trx, order.row, event.transactionId) };
  }
  if (event.kind === "refunded" || event.kind === "refund_failed") {
    return { ...event, refundNo: ownRefundNo(order, event) };
  }
  return event;
}

/** Our own refund number. An event may have the provider's, even before the response that tells it to us. */
function ownRefundNo({ refunds }: StoredOrder, event: { refundNo: string; amountMinor: bigint }): string {
  const known = refunds.find(
    ({ refundNo, providerRefundId }) => refundNo === event.refundNo || providerRefundId === event.refundNo,
  );
  const requested = refunds.find(
    ({ state, providerRefundId, amountMinor }) =>
      state === "asked" && providerRefundId === null && amountMinor === event.amountMinor,
  );
  return (known ?? requested)?.refundNo ?? event.refundNo;
}

/** The transfer for an effect of the machine. Its key names the event (decision 009). */
function transferOf(order: OrderRow, effect: OrderEffect, options: { overdraft: boolean }): TransferOrder {
  const { provider, order_no: reference } = order;
  const house = { house: `sales:${provider}` } as const;
  const person = { userId: order.user_id };
  const common = { amount: effect.beans, reference };
  switch (effect.kind) {
    case "credit":
      return { ...common, key: `pay:${provider}:${effect.transactionId}`, kind: "purchase", from: house, to: person };
    case "take": {
      const taken = { ...common, from: person, to: house, overdraft: options.overdraft };
      return effect.cause === "refund"
        ? { ...taken, key: `refund:${provider}:${effect.id}`, kind: "refund" }
        : { ...taken, key: `dispute:${provider}:${effect.id}:open`, kind: "dispute_opened" };
    }
    case "give_back": {
      const given = { ...common, from: house, to: person };
      // Kind `refund` again, in reverse, so that the purchase counts as untouched.
      return effect.cause === "refund"
        ? { ...given, key: `refund:${provider}:${effect.id}:back`, kind: "refund" }
        : { ...given, key: `dispute:${provider}:${effect.id}:won`, kind: "dispute_won", reason: "dispute_won" };
    }
  }
}
