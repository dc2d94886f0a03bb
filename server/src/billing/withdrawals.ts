import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#db/schema.ts";
import { refused } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import { type PaymentProvider, PaymentProviderError, type RefundAnswer } from "#ports/payments.ts";
import { type Ledger, NotEnoughBeansError } from "./ledger.ts";
import type { OrderService } from "./order-service.ts";
import { lockedOrder, orderByNo, snapshotOf, type StoredOrder, type StoredRefund } from "./order-store.ts";
import { type IsStoppedByAge, untouchedPurchases, withdrawableUntil } from "./purchases.ts";
import { webhookAddress } from "./webhook-route.ts";

type Db = Kysely<Database>;

interface WithdrawalsOptions {
  db: Db;
  orders: OrderService;
  ledger: Ledger;
  providerById: (id: string) => PaymentProvider | null;
  isStoppedByAge: IsStoppedByAge;
  /** This site's origin; null if unknown. */
  publicOrigin: string | null;
  clock: Clock;
  logger: Logger;
}

/** An open refund is retried when its age has doubled, within these bounds. */
const askAgainMinMs = 300_000;
const askAgainMaxMs = 86_400_000;
const batchMax = 20;

/**
 * Refunds unused purchases. First takes the beans, so that the user cannot spend them, then requests the refund from
 * the provider. A rejection returns the beans. Without an answer, the same refund number is retried.
 */
export class Withdrawals {
  readonly #options: WithdrawalsOptions;

  constructor(options: WithdrawalsOptions) {
    this.#options = options;
  }

  /** @throws EndpointError 406 `not_withdrawable`, or `refund_failed` if the provider rejected the refund. */
  async withdraw(userId: bigint, orderNo: string): Promise<void> {
    const refundNo = await this.#takeBeans(userId, orderNo);
    this.#options.ledger.announce(userId);
    if ((await this.#query(orderNo, refundNo)) === "failed") throw refused("refund_failed");
  }

  async runDue(): Promise<void> {
    const now = this.#now();
    const { rows } = await sql<{ order_no: string; refund_no: string }>`
      update payment_refunds as refund set next_ask_at = ${now}::timestamptz + least(
        greatest(${now}::timestamptz - asked_at, ${askAgainMinMs} * interval '1 millisecond'),
        ${askAgainMaxMs} * interval '1 millisecond'
      )
      from payment_orders as orders
      where orders.id = refund.order_id and (refund.order_id, refund.refund_no) in (
        select order_id, refund_no from payment_refunds where next_ask_at <= ${now}
        order by next_ask_at limit ${batchMax} for update skip locked
      )
      returning orders.order_no, refund.refund_no`.execute(this.#options.db);
    for (const row of rows) await this.#query(row.order_no, row.refund_no);
  }

  async #takeBeans(userId: bigint, orderNo: string): Promise<string> {
    const { db, orders, isStoppedByAge } = this.#options;
    const isStopped = await isStoppedByAge(userId);
    try {
      return await db.transaction().execute(async (trx) => {
        const order = await lockedOrder(trx, orderNo);
        if (!order || order.row.user_id !== userId || order.state.name !== "paid") throw refused("not_withdrawable");
        await trx.selectFrom("bean_accounts").select("id").where("user_id", "=", userId).forNoKeyUpdate().execute();
        const untouched = (await untouchedPurchases(trx, userId)).find((one) => one.orderNo === orderNo);
        if (!untouched || withdrawableUntil(untouched, { now: this.#now(), isStopped }) === null)
          throw refused("not_withdrawable");
        const refundNo = `${orderNo}r${order.refunds.length + 1}`;
        await orders.act(orderNo, { kind: "withdrawn", refundNo }, trx);
        // Keeps the periodic retry away until the provider's answer arrives.
        await trx
          .updateTable("payment_refunds")
          .set({ next_ask_at: new Date(this.#now().getTime() + askAgainMinMs) })
          .where("order_id", "=", order.row.id)
          .where("refund_no", "=", refundNo)
          .execute();
        return refundNo;
      });
    } catch (error) {
      if (error instanceof NotEnoughBeansError) throw refused("not_withdrawable");
      throw error;
    }
  }

  async #query(orderNo: string, refundNo: string): Promise<"failed" | "asked"> {
    const { db, providerById, publicOrigin } = this.#options;
    const order = await orderByNo(db, orderNo);
    const refund = order?.refunds.find((one) => one.refundNo === refundNo);
    if (!order || !refund || refund.state === "done" || refund.state === "failed") return "asked";
    const provider = providerById(order.row.provider);
    const answer = await this.#answer(order, refund, () => {
      if (!provider) throw new PaymentProviderError("the provider is not configured", { isTemporary: true });
      return provider.refund(snapshotOf(order), {
        refundNo,
        amountMinor: refund.amountMinor,
        reason: "withdrawn",
        notifyUrl: publicOrigin === null ? null : webhookAddress(publicOrigin, provider.id),
      });
    });
    if (answer === null) return "asked";
    return this.#take(orderNo, { ...refund, transactionId: order.row.transaction_id ?? "" }, answer);
  }

  /** The provider's answer; null if unknown. A rejected retry does not decide an earlier accepted refund. */
  async #answer(
    { row }: StoredOrder,
    refund: StoredRefund,
    ask: () => Promise<RefundAnswer>,
  ): Promise<RefundAnswer | null> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      this.#options.logger.warn({ err: error, order: row.order_no }, "failed to refund at the provider");
      return error.isTemporary || refund.state === "pending" ? null : { providerRefundId: "", state: "failed" };
    }
  }

  /** The refund stays due until the order has applied the answer, so that after a crash the provider is asked again. */
  async #take(
    orderNo: string,
    refund: StoredRefund & { transactionId: string },
    answer: RefundAnswer,
  ): Promise<"failed" | "asked"> {
    const { db, orders } = this.#options;
    const { refundNo, amountMinor, transactionId } = refund;
    const { providerRefundId, state } = answer;
    await db
      .updateTable("payment_refunds")
      .set({
        provider_refund_id: providerRefundId === "" ? refund.providerRefundId : providerRefundId,
        ...(state === "pending" ? { state } : {}),
      })
      .where("refund_no", "=", refundNo)
      .where("state", "in", ["asked", "pending"])
      .execute();
    if (state === "pending") return "asked";
    const kind = state === "done" ? "refunded" : "refund_failed";
    const step = await orders.act(orderNo, { kind, transactionId, refundNo, amountMinor });
    return state === "failed" && step?.result !== "parked" ? "failed" : "asked";
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

export interface UnusedPurchase {
  orderNo: string;
  beans: bigint;
  amountMinor: bigint;
  currencyCode: string;
}

/** The purchases that `Withdrawals.withdraw` accepts at `now`, oldest first (rule BEANS-165). */
export async function unusedPurchases(
  db: Kysely<Database>,
  userId: bigint,
  at: { now: Date; isStopped: boolean },
): Promise<UnusedPurchase[]> {
  const untouched = await untouchedPurchases(db, userId);
  const orderNos = untouched.filter((one) => withdrawableUntil(one, at) !== null).map(({ orderNo }) => orderNo);
  if (orderNos.length === 0) return [];
  return db
    .selectFrom("payment_orders")
    .select(["order_no as orderNo", "beans", "amount_minor as amountMinor", "currency_code as currencyCode"])
    .where("user_id", "=", userId)
    .where("order_no", "in", orderNos)
    .where("state", "=", "paid")
    .orderBy("id")
    .execute();
}
