import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import { type ProviderPaymentEvent, type PaymentProvider, PaymentProviderError } from "#ports/payments.ts";
import { refundOpenMs } from "./billing-metrics.ts";
import { checkLedger } from "./ledger-check.ts";
import type { OrderService } from "./order-service.ts";
import { orderByNo, snapshotOf, type StoredOrder } from "./order-store.ts";

export interface ReconciliationOptions {
  db: Kysely<Database>;
  orders: OrderService;
  providerById: (id: string) => PaymentProvider | null;
  clock: Clock;
  logger: Logger;
}

type FindingKind =
  /** The ledger does not have exactly one purchase with the amount and user of a paid order. */
  | "credit_missing"
  /** The ledger has a purchase of an order that is not paid. */
  | "credit_without_order"
  | "provider_says_paid"
  | "provider_says_unpaid"
  /** The provider has not confirmed a refund for days. */
  | "refund_open"
  /** The ledger does not add up. */
  | "ledger";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const providerDaysMs = 2 * dayMs;
const pageRows = 100;
const ordersMax = 20_000;
const findingsMax = 1_000;
const breachesNotedMax = 5;

/**
 * Compares orders with the ledger and the last two days with the providers, and checks the ledger itself. Wrong beans put
 * an order in review.
 */
export class Reconciliation {
  readonly #options: ReconciliationOptions;

  constructor(options: ReconciliationOptions) {
    this.#options = options;
  }

  /**
   * Makes all comparisons. Returns the number of differences.
   * @throws AggregateError with each comparison that failed; the others were made.
   */
  async run(): Promise<number> {
    let found = 0;
    const failures: unknown[] = [];
    for (const compare of [
      () => this.#ordersWithoutCredit(),
      () => this.#creditsWithoutOrder(),
      () => this.#compareProviders(),
      () => this.#openRefunds(),
      () => this.#ledger(),
    ]) {
      try {
        found += await compare();
      } catch (error) {
        failures.push(error);
      }
    }
    const summary = { found, failed: failures.length };
    const isWell = found === 0 && failures.length === 0;
    this.#options.logger[isWell ? "info" : "error"](summary, "reconciliation finished");
    if (failures.length > 0) throw new AggregateError(failures, "some comparisons failed");
    return found;
  }

  async #ordersWithoutCredit(): Promise<number> {
    const { db, orders } = this.#options;
    const { rows: uncredited } = await sql<{ order_no: string; purchases: bigint }>`
      select orders.order_no, count(transfer.id) as purchases
      from payment_orders as orders
      left join bean_transfers as transfer on transfer.reference = orders.order_no and transfer.kind = 'purchase'
      left join bean_accounts as account on account.id = transfer.to_account
      where orders.paid_at is not null and orders.state <> 'review'
      group by orders.id
      having count(transfer.id) <> 1
        or min(transfer.amount) <> min(orders.beans) or min(account.user_id) <> min(orders.user_id)
      limit ${findingsMax}`.execute(db);
    for (const { order_no: orderNo, purchases } of uncredited) {
      await this.#note("credit_missing", orderNo, `${purchases} purchases`);
      await orders.act(orderNo, { kind: "contradicted", reason: "credit_missing" });
    }
    return uncredited.length;
  }

  async #creditsWithoutOrder(): Promise<number> {
    const { rows: unordered } = await sql<{ reference: string; key: string }>`
      select transfer.reference, transfer.key
      from bean_transfers as transfer
      left join payment_orders as orders on orders.order_no = transfer.reference and orders.paid_at is not null
      where transfer.kind = 'purchase' and orders.id is null
      limit ${findingsMax}`.execute(this.#options.db);
    for (const { reference, key } of unordered) await this.#note("credit_without_order", reference, key);
    return unordered.length;
  }

  async #compareProviders(): Promise<number> {
    const { db, clock } = this.#options;
    const since = new Date(clock.nowMs() - providerDaysMs);
    let found = 0;
    let after = 0n;
    for (let seen = 0; seen < ordersMax; seen += pageRows) {
      const page = await db
        .selectFrom("payment_orders")
        .select(["id", "order_no"])
        .where("created_at", ">", since)
        .where("state", "in", ["created", "pending", "failed", "expired", "paid"])
        .where("id", ">", after)
        .orderBy("id")
        .limit(pageRows)
        .execute();
      for (const row of page) if (await this.#compareOrder(row.order_no)) found += 1;
      const last = page.at(-1);
      if (!last || page.length < pageRows) break;
      after = last.id;
    }
    return found;
  }

  async #compareOrder(orderNo: string): Promise<boolean> {
    const order = await orderByNo(this.#options.db, orderNo);
    const provider = order && this.#options.providerById(order.row.provider);
    if (!order || !provider) return false;
    const event = await this.#query(provider, order);
    if (!event) return false;
    const difference = differenceOf(order, event);
    if (difference) await this.#note(difference, orderNo, `${order.state.name} here, ${event.kind} there`);
    if (difference === "provider_says_unpaid") {
      await this.#options.orders.act(orderNo, { kind: "contradicted", reason: "provider_disagrees" });
    } else {
      await this.#options.orders.process(provider.id, event, { source: "query" });
    }
    return difference !== null;
  }

  async #query(provider: PaymentProvider, order: StoredOrder): Promise<ProviderPaymentEvent | null> {
    try {
      return await provider.query(snapshotOf(order));
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      this.#options.logger.warn(
        { err: error, order: order.row.order_no },
        "failed to compare an order with its provider",
      );
      return null;
    }
  }

  async #openRefunds(): Promise<number> {
    const { db, clock } = this.#options;
    const rows = await db
      .selectFrom("payment_refunds")
      .innerJoin("payment_orders", "payment_orders.id", "order_id")
      .select(["order_no", "refund_no"])
      .where("payment_refunds.state", "in", ["asked", "pending"])
      .where("asked_at", "<", new Date(clock.nowMs() - refundOpenMs))
      .limit(findingsMax)
      .execute();
    for (const row of rows) await this.#note("refund_open", row.order_no, row.refund_no);
    return rows.length;
  }

  /** Without its sums over orders, which the other comparisons make one by one. */
  async #ledger(): Promise<number> {
    const { findings } = await checkLedger(this.#options.db, { withOrders: false });
    const broken = findings.filter(({ breachCount }) => breachCount > 0);
    for (const { name, breachCount, breaches } of broken)
      await this.#note("ledger", name, `${breachCount}: ${breaches.slice(0, breachesNotedMax).join("; ")}`);
    return broken.length;
  }

  async #note(kind: FindingKind, orderNo: string, detail: string): Promise<void> {
    const at = new Date(this.#options.clock.nowMs());
    await this.#options.db
      .insertInto("reconciliation_findings")
      .values({ day: at.toISOString().slice(0, 10), kind, order_no: orderNo, detail, at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Null if both agree, or if the event is applied as if it had arrived by webhook. */
function differenceOf({ state }: StoredOrder, said: ProviderPaymentEvent): FindingKind | null {
  if (said.kind === "paid") return state.name === "paid" ? null : "provider_says_paid";
  if (said.kind === "failed" || said.kind === "expired") return state.name === "paid" ? "provider_says_unpaid" : null;
  return null;
}
