import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { settings } from "#testing/fixtures.ts";
import { orderOf } from "#testing/shop-world.ts";
import { orderNumber } from "#testing/shop-fixtures.ts";

export type StatementPage = OutputOf<Endpoints["beanStatement"]>;
type StatementRow = StatementPage["rows"][number];
export type Wallet = OutputOf<Endpoints["beanWallet"]>;
type Order = OutputOf<Endpoints["orderStatus"]>;

const dayMs = 86_400_000;

export const emptyStatement: StatementPage = { rows: [], next: null };

/** A statement with a row of every kind, newest first, with more to load. */
export function fullStatement(nowMs: number): StatementPage {
  const row = (id: number, about: Pick<StatementRow, "kind" | "beans"> & Partial<StatementRow>): StatementRow => ({
    id: String(id),
    reason: null,
    balance_after: 48_200,
    at: nowMs - id * 5_000_000,
    order_no: null,
    paid_seconds: null,
    withdraw_until: null,
    ...about,
  });
  const rows = [
    row(1, { kind: "call", beans: -20_267, paid_seconds: 760 }),
    row(2, { kind: "credit", beans: 1_600, reason: "moderated_call", balance_after: 68_467 }),
    row(3, { kind: "call", beans: -1_600, paid_seconds: 60, balance_after: 66_867 }),
    row(4, {
      kind: "purchase",
      beans: 10_000,
      order_no: orderNumber,
      withdraw_until: nowMs + 13 * dayMs,
      balance_after: 68_467,
    }),
    row(5, { kind: "refund", beans: -10_000, order_no: "fv26112m9t3a0001", balance_after: 58_467 }),
    row(6, { kind: "dispute", beans: -3_200, order_no: "fv26112m9t2b0002", balance_after: 68_467 }),
    row(7, { kind: "adjustment", beans: 467, reason: "support", balance_after: 71_667 }),
    row(8, { kind: "purchase", beans: 101_000, order_no: "fv26112m9t1d0003", balance_after: 101_000 }),
  ];
  return { rows, next: "8" };
}

/** The purchase of that statement that can be withdrawn. */
export function unusedOrder(nowMs: number, change: Partial<Order> = {}): Order {
  return orderOf({
    order_no: orderNumber,
    state: "paid",
    pay_url: "",
    created_at: nowMs - dayMs,
    paid_at: nowMs - dayMs,
    withdraw_until: nowMs + 13 * dayMs,
    balance: 48_200,
    ...change,
  });
}

export function walletOf(change: Partial<Wallet> = {}): Wallet {
  return {
    balance: 48_200,
    debt: 0,
    held: 0,
    cap: { beans: null, pending: null, spent_today: 0 },
    rate: settings.smallest_pack,
    ...change,
  };
}
