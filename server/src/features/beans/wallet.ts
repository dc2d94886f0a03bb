import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Pack, PriceBook } from "#ports/price-book.ts";
import { type CapReading, readCap } from "./caps.ts";
import type { Ledger } from "./ledger.ts";
import { wireInteger } from "#wire-integer.ts";

export interface WalletParts {
  db: Kysely<Database>;
  ledger: Ledger;
  prices: Pick<PriceBook, "smallestPack">;
}

type Wallet = OutputOf<Endpoints["beanWallet"]>;

/** Balance, debt, cap and rate of a person. */
export async function readWallet(parts: WalletParts, userId: bigint, now: Date): Promise<Wallet> {
  const [{ balance, held, debt }, cap, bought] = await Promise.all([
    parts.ledger.account(userId),
    readCap(parts.db, userId, now),
    lastPackPaid(parts.db, userId),
  ]);
  const rate = bought ?? parts.prices.smallestPack();
  return {
    balance: balance > held ? wireInteger(balance - held) : 0,
    debt: wireInteger(debt),
    held: wireInteger(held),
    cap: wireCap(cap),
    rate: {
      golds: wireInteger(rate.golds),
      price_minor: wireInteger(rate.priceMinor),
      currency_code: rate.currencyCode,
    },
  };
}

/** The cap as the wire says it. */
export function wireCap({ beans, pending, spentToday }: CapReading): Wallet["cap"] {
  return {
    beans: beans === null ? null : wireInteger(beans),
    pending: pending && {
      beans: pending.beans === null ? null : wireInteger(pending.beans),
      from: pending.from.getTime(),
    },
    spent_today: wireInteger(spentToday),
  };
}

/** Rate of the pack this person last paid for; exact numbers of beans go by the smallest pack's. */
async function lastPackPaid(
  db: Kysely<Database>,
  userId: bigint,
): Promise<Pick<Pack, "golds" | "priceMinor" | "currencyCode"> | undefined> {
  return db
    .selectFrom("payment_orders")
    .select(["beans as golds", "amount_minor as priceMinor", "currency_code as currencyCode"])
    .where("user_id", "=", userId)
    .where("pack_id", "is not", null)
    .where("paid_at", "is not", null)
    .orderBy("paid_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}
