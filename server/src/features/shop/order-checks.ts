import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import { PaymentProviderError, type PaymentProvider } from "#ports/payments.ts";
import type { OrderDesk } from "./order-desk.ts";
import { orderByNo, snapshotOf, type StoredOrder } from "./order-store.ts";

const minuteMs = 60_000;
/** When the provider is asked about an order that nobody has reported, counted from its making (rule BEANS-170). */
export const checkTimesMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, 60 * minuteMs, 24 * 60 * minuteMs] as const;
export const firstCheckMs = checkTimesMs[0];
/** A provider that does not answer is asked again after this long; also for how long a process has claimed an order. */
const againMs = 5 * minuteMs;
const batchMax = 50;
const atOnceMax = 5;
/** States in which the provider may know more than we do. */
const checkedStates = ["created", "pending", "expired"] as const;

export interface OrderChecksOptions {
  db: Kysely<Database>;
  desk: OrderDesk;
  providerById: (id: string) => PaymentProvider | null;
  clock: Clock;
  logger: Logger;
}

/** Asks providers about orders whose webhook may be lost, and lets orders expire. */
export class OrderChecks {
  readonly #options: OrderChecksOptions;

  constructor(options: OrderChecksOptions) {
    this.#options = options;
  }

  /** Asks about every order that is due, a batch at most. */
  async runDue(): Promise<void> {
    const due = await this.#claim();
    for (let start = 0; start < due.length; start += atOnceMax) {
      await Promise.all(due.slice(start, start + atOnceMax).map((orderNo) => this.#checkDue(orderNo)));
    }
  }

  /**
   * Asks the provider now, and takes what it says.
   *
   * @throws PaymentProviderError
   */
  async ask(order: StoredOrder): Promise<void> {
    const provider = this.#options.providerById(order.row.provider);
    if (!provider) throw new PaymentProviderError("the provider is not configured any more", { isTemporary: false });
    const event = await provider.query(snapshotOf(order));
    if (event) await this.#options.desk.take(provider.id, event, { source: "query" });
  }

  /** Each order goes to one process only, and comes back by itself where that one dies. */
  async #claim(): Promise<string[]> {
    const now = this.#now();
    const { rows } = await sql<{ order_no: string }>`
      update payment_orders set next_check_at = ${new Date(now.getTime() + againMs)}
      where id in (
        select id from payment_orders where next_check_at <= ${now}
        order by next_check_at limit ${batchMax} for update skip locked
      )
      returning order_no`.execute(this.#options.db);
    return rows.map((row) => row.order_no);
  }

  async #checkDue(orderNo: string): Promise<void> {
    const { db, logger } = this.#options;
    const order = await orderByNo(db, orderNo);
    if (!order || !isChecked(order)) return;
    try {
      await this.ask(order);
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      logger.warn({ err: error, order: orderNo }, "a provider could not be asked about an order");
      // What it will say is not known: the same question stays open.
      if (error.isTemporary) return;
    }
    await this.#checked(orderNo);
  }

  /** Plans the next question, and lets an order expire whose time is over. */
  async #checked(orderNo: string): Promise<void> {
    const { db, desk } = this.#options;
    const order = await orderByNo(db, orderNo);
    if (!order || !isChecked(order)) return;
    const nowMs = this.#now().getTime();
    const sinceMs = order.row.created_at.getTime();
    const nextMs = checkTimesMs.find((afterMs) => sinceMs + afterMs > nowMs);
    const isOver = nextMs === undefined || (order.row.expires_at !== null && order.row.expires_at.getTime() <= nowMs);
    await db
      .updateTable("payment_orders")
      .set({
        checks: order.row.checks + 1,
        next_check_at: nextMs === undefined ? null : new Date(sinceMs + nextMs),
      })
      .where("id", "=", order.row.id)
      .where("state", "in", checkedStates)
      .execute();
    if (isOver) await desk.act(orderNo, { kind: "timed_out" });
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

/** Whether a question to the provider can change anything. */
export function isChecked({ state }: Pick<StoredOrder, "state">): boolean {
  return checkedStates.some((name) => name === state.name);
}
