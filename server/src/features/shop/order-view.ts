import type { Order, OrderState } from "@fava/wire/endpoints/shop.ts";
import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Ledger } from "#features/beans/ledger.ts";
import { untouchedPurchases } from "#features/beans/purchases.ts";
import { wireInteger } from "#wire-integer.ts";
import type { OrderRow } from "./order-store.ts";
import { payName } from "./pay-methods.ts";

export interface OrderViewParts {
  db: Kysely<Database>;
  ledger: Ledger;
}

/** An order as its owner sees it at this time, in the language of the call. */
export async function viewOf(
  { db, ledger }: OrderViewParts,
  row: OrderRow,
  { now, language }: { now: Date; language: string },
): Promise<Order> {
  const [balance, withdrawUntil] = await Promise.all([ledger.of(row.user_id), withdrawableUntil(db, row, now)]);
  const canBePaid = row.state === "pending" && (row.expires_at === null || row.expires_at > now);
  return {
    order_no: row.order_no,
    state: row.state as OrderState,
    beans: wireInteger(row.beans),
    price_minor: wireInteger(row.amount_minor),
    currency_code: row.currency_code,
    pay_name: payName(row.pay_name, language),
    pay_url: canBePaid ? row.pay_url : "",
    created_at: row.created_at.getTime(),
    paid_at: row.paid_at?.getTime() ?? null,
    withdraw_until: withdrawUntil?.getTime() ?? null,
    balance: wireInteger(balance),
  };
}

async function withdrawableUntil(db: Kysely<Database>, row: OrderRow, now: Date): Promise<Date | null> {
  if (row.state !== "paid") return null;
  const untouched = (await untouchedPurchases(db, row.user_id)).find(({ orderNo }) => orderNo === row.order_no);
  return untouched && untouched.withdrawUntil > now ? untouched.withdrawUntil : null;
}
