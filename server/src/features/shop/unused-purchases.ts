import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import { untouchedPurchases } from "#features/beans/purchases.ts";

/** A purchase that could be withdrawn now. */
export interface UnusedPurchase {
  orderNo: string;
  beans: bigint;
  amountMinor: bigint;
  currencyCode: string;
}

/** Everything that `Withdrawals.withdraw` would take back at that time, oldest first (rule BEANS-165). */
export async function unusedPurchases(db: Kysely<Database>, userId: bigint, at: Date): Promise<UnusedPurchase[]> {
  const untouched = await untouchedPurchases(db, userId);
  const orderNos = untouched.filter(({ withdrawUntil }) => withdrawUntil > at).map(({ orderNo }) => orderNo);
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
