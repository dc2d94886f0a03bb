import type { Insertable, Kysely, Selectable } from "kysely";
import type { Database } from "#db/schema.ts";
import type { OrderSnapshot } from "#ports/payments.ts";
import {
  creditedState,
  type Dispute,
  type OrderMachineState,
  type Payment,
  type Refund,
  type ReviewReason,
  type Terms,
} from "./order-machine.ts";

type Db = Kysely<Database>;
export type OrderRow = Selectable<Database["payment_orders"]>;

export interface StoredRefund {
  refundNo: string;
  amountMinor: bigint;
  state: "asked" | "pending" | "done" | "failed";
  providerRefundId: string | null;
}

export interface StoredOrder {
  row: OrderRow;
  userNo: string;
  terms: Terms;
  state: OrderMachineState;
  refunds: readonly StoredRefund[];
}

export async function orderByNo(db: Db, orderNo: string): Promise<StoredOrder | null> {
  const row = await db.selectFrom("payment_orders").selectAll().where("order_no", "=", orderNo).executeTakeFirst();
  return row ? withParts(db, row) : null;
}

/** Locks the order's row until the transaction ends. */
export async function lockedOrder(trx: Db, orderNo: string): Promise<StoredOrder | null> {
  const row = await trx
    .selectFrom("payment_orders")
    .selectAll()
    .where("order_no", "=", orderNo)
    .forUpdate()
    .executeTakeFirst();
  return row ? withParts(trx, row) : null;
}

async function withParts(db: Db, row: OrderRow): Promise<StoredOrder> {
  const refunds = await db
    .selectFrom("payment_refunds")
    .selectAll()
    .where("order_id", "=", row.id)
    .orderBy("asked_at")
    .execute();
  const disputes = await db.selectFrom("payment_disputes").selectAll().where("order_id", "=", row.id).execute();
  const user = await db.selectFrom("users").select("user_no").where("id", "=", row.user_id).executeTakeFirstOrThrow();
  const terms = { beans: row.beans, amountMinor: row.amount_minor, currencyCode: row.currency_code };
  const stored = refunds.map((refund) => ({
    refundNo: refund.refund_no,
    amountMinor: refund.amount_minor,
    state: refund.state,
    providerRefundId: refund.provider_refund_id,
  }));
  const payment =
    row.transaction_id === null
      ? null
      : {
          transactionId: row.transaction_id,
          refunds: stored.map(({ refundNo, amountMinor, state }) => ({
            refundNo,
            amountMinor,
            state: state === "done" || state === "failed" ? state : ("open" as const),
          })),
          disputes: disputes.map((dispute) => ({
            caseId: dispute.case_id,
            amountMinor: dispute.amount_minor,
            state: dispute.state,
          })),
        };
  return { row, userNo: user.user_no, terms, state: stateOf(row, terms, payment), refunds: stored };
}

function stateOf(row: OrderRow, terms: Terms, payment: Payment | null): OrderMachineState {
  const name = row.state;
  switch (name) {
    case "created":
    case "pending":
    case "expired":
      return { name };
    case "failed":
      return { name, closedByPerson: row.closed_by_person };
    case "paid":
    case "refunded":
    case "disputed":
    case "charged_back":
      if (!payment) throw new Error(`order ${row.order_no} is ${name} without a payment`);
      return creditedState(terms, payment);
    case "review":
      return {
        name,
        reason: row.review_reason as ReviewReason,
        transactionId: row.review_transaction_id,
        payment,
      };
  }
}

export async function saveState(trx: Db, { row }: StoredOrder, change: { state: OrderMachineState; at: Date }) {
  const { state, at } = change;
  const payment = "payment" in state ? state.payment : null;
  const isOpen = state.name === "created" || state.name === "pending";
  await trx
    .updateTable("payment_orders")
    .set({
      state: state.name,
      closed_by_person: state.name === "failed" && state.closedByPerson,
      review_reason: state.name === "review" ? state.reason : null,
      review_transaction_id: state.name === "review" ? state.transactionId : null,
      transaction_id: payment?.transactionId ?? null,
      paid_at: payment ? (row.paid_at ?? at) : null,
      changed_at: at,
      ...(isOpen ? {} : { pay_url: "" }),
      // Queries continue for an expired order, which may still have been paid.
      ...(isOpen || state.name === "expired" ? {} : { next_check_at: null }),
    })
    .where("id", "=", row.id)
    .execute();
  for (const refund of payment?.refunds ?? []) await saveRefund(trx, row.id, { refund, at });
  for (const dispute of payment?.disputes ?? []) await saveDispute(trx, row.id, dispute);
}

async function saveRefund(trx: Db, orderId: bigint, { refund, at }: { refund: Refund; at: Date }): Promise<void> {
  const state = refund.state === "open" ? "asked" : refund.state;
  await trx
    .insertInto("payment_refunds")
    .values({
      order_id: orderId,
      refund_no: refund.refundNo,
      amount_minor: refund.amountMinor,
      state,
      provider_refund_id: null,
      asked_at: at,
      next_ask_at: refund.state === "open" ? at : null,
    })
    .onConflict((conflict) => {
      const known = conflict.columns(["order_id", "refund_no"]);
      return refund.state === "open" ? known.doNothing() : known.doUpdateSet({ state, next_ask_at: null });
    })
    .execute();
}

async function saveDispute(trx: Db, orderId: bigint, dispute: Dispute): Promise<void> {
  await trx
    .insertInto("payment_disputes")
    .values({ order_id: orderId, case_id: dispute.caseId, amount_minor: dispute.amountMinor, state: dispute.state })
    .onConflict((conflict) => conflict.columns(["order_id", "case_id"]).doUpdateSet({ state: dispute.state }))
    .execute();
}

export async function insertOrder(trx: Db, order: Insertable<Database["payment_orders"]>): Promise<void> {
  await trx.insertInto("payment_orders").values(order).execute();
}

export async function isUsedByOtherOrder(trx: Db, row: OrderRow, transactionId: string): Promise<boolean> {
  const other = await trx
    .selectFrom("payment_orders")
    .select("id")
    .where("provider", "=", row.provider)
    .where("transaction_id", "=", transactionId)
    .where("id", "<>", row.id)
    .executeTakeFirst();
  return other !== undefined;
}

export function snapshotOf({ row, userNo, state }: Pick<StoredOrder, "row" | "userNo" | "state">): OrderSnapshot {
  const payment = "payment" in state ? state.payment : null;
  return {
    orderNo: row.order_no,
    userNo,
    beans: row.beans,
    amountMinor: row.amount_minor,
    currencyCode: row.currency_code,
    countryCode: row.country_code,
    payType: row.pay_type,
    language: row.language,
    createdAt: row.created_at,
    providerRef: row.provider_ref,
    transactionId: payment?.transactionId ?? null,
  };
}
