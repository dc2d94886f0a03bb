import type { Kysely } from "kysely";
import type { Order } from "@fava/wire/endpoints/shop.ts";
import type { Database } from "#db/schema.ts";
import { badInput, slowDown } from "#lib/errors.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { Clock } from "#ports/clock.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import { PaymentProviderError } from "#ports/payments.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { Ledger } from "./ledger.ts";
import { isChecked, type OrderChecks } from "./order-maker.ts";
import { orderByNo, type OrderRow, type StoredOrder } from "./order-store.ts";
import { payName } from "./pay-methods.ts";
import { type IsStoppedByAge, type UntouchedPurchase, untouchedPurchases, withdrawableUntil } from "./purchases.ts";
import type { RechargeTokens } from "./recharge-tokens.ts";
import type { Withdrawals } from "./withdrawals.ts";

interface ShopHandlerParts extends OrderViewParts {
  tokens: RechargeTokens;
  checks: OrderChecks;
  withdrawals: Withdrawals;
  limits: Limits;
  clock: Clock;
  isStoppedByAge: IsStoppedByAge;
  entry: string;
}

export function shopHandlers(
  parts: ShopHandlerParts,
): Pick<Handlers, "rechargeToken" | "orderStatus" | "orderWithdraw"> {
  const { tokens, withdrawals, limits, clock, isStoppedByAge, entry } = parts;
  const view = async ({ row }: StoredOrder, { language }: SignedInContext) => {
    const isStopped = await isStoppedByAge(row.user_id);
    return viewOf(parts, row, { now: new Date(clock.nowMs()), isStopped, language });
  };
  return {
    rechargeToken: async (context, input) => {
      const userId = selfId(context, input.user_id);
      const { token, expiresAtMs } = await tokens.issue({ userId, sessionId: context.session.id });
      return { token, expires_at: expiresAtMs, entry };
    },
    orderStatus: async (context, input) => {
      const userId = selfId(context, input.user_id);
      const order = await ownOrder(parts, userId, input.order_no);
      if (input.check !== 1 || !isChecked(order)) return view(order, context);
      await askNow(parts, order);
      return view(await ownOrder(parts, userId, input.order_no), context);
    },
    orderWithdraw: async (context, input) => {
      const userId = selfId(context, input.user_id);
      const retryAfter = await limits.take("withdrawByUser", String(userId));
      if (retryAfter !== null) throw slowDown(retryAfter);
      await withdrawals.withdraw(userId, input.order_no);
      return view(await ownOrder(parts, userId, input.order_no), context);
    },
  };
}

async function askNow({ checks, limits }: ShopHandlerParts, order: StoredOrder): Promise<void> {
  if ((await limits.take("orderCheckByOrder", order.row.order_no)) !== null) return;
  try {
    await checks.query(order);
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
  }
}

/** @throws EndpointError 400, equally for another user's order and for an unknown one. */
async function ownOrder({ db }: ShopHandlerParts, userId: bigint, orderNo: string): Promise<StoredOrder> {
  const order = await orderByNo(db, orderNo);
  if (!order || order.row.user_id !== userId) throw badInput("no such order", "order_no");
  return order;
}

function selfId({ session }: SignedInContext, userId: number): bigint {
  if (BigInt(userId) !== session.userId) throw badInput("user_id is not the caller", "user_id");
  return session.userId;
}

interface OrderViewParts {
  db: Kysely<Database>;
  ledger: Ledger;
}

async function viewOf(
  { db, ledger }: OrderViewParts,
  row: OrderRow,
  { now, isStopped, language }: { now: Date; isStopped: boolean; language: string },
): Promise<Order> {
  const [balance, untouched] = await Promise.all([ledger.of(row.user_id), untouchedOf(db, row)]);
  const withdrawUntil = untouched && withdrawableUntil(untouched, { now, isStopped });
  const canBePaid = row.state === "pending" && (row.expires_at === null || row.expires_at > now);
  return {
    order_no: row.order_no,
    state: row.state,
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

async function untouchedOf(db: Kysely<Database>, row: OrderRow): Promise<UntouchedPurchase | null> {
  if (row.state !== "paid") return null;
  return (await untouchedPurchases(db, row.user_id)).find(({ orderNo }) => orderNo === row.order_no) ?? null;
}
