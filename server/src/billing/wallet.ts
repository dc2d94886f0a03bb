import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { capRaiseDelayMs } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { Pack, PriceBook } from "#ports/billing.ts";
import type { Ledger } from "./ledger.ts";

export interface WalletParts {
  db: Kysely<Database>;
  ledger: Ledger;
  prices: Pick<PriceBook, "smallestPack">;
}

type Wallet = OutputOf<Endpoints["beanWallet"]>;

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

/** The pack that the user paid for last; undefined if none. */
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

type Db = Kysely<Database>;

/** Beans per UTC day; null without a cap. */
export type CapBeans = bigint | null;

/** `pending`: a requested cap that applies from a later time. */
interface Cap {
  beans: CapBeans;
  pending: { beans: CapBeans; from: Date } | null;
}

interface CapReading extends Cap {
  /** Beans posted for calls today, and beans held now. */
  spentToday: bigint;
}

interface CapRow {
  beans: CapBeans;
  beans_until: CapBeans;
  from_at: Date;
}

export async function readCap(db: Db, userId: bigint, now: Date): Promise<CapReading> {
  const [row, { rows }] = await Promise.all([
    newestRow(db, userId),
    sql<{ spent: bigint }>`
      select bean_spent(id, ${now}) + held as spent from bean_accounts where user_id = ${userId}`.execute(db),
  ]);
  return { ...capAt(row, now), spentToday: rows[0]?.spent ?? 0n };
}

/**
 * Requests a spending cap. A lower one applies at once, a higher one or none after `capRaiseDelayMs` (rule BEANS-105).
 * Repeating a request does not restart the delay.
 */
export async function requestCap(db: Db, userId: bigint, asked: { beans: CapBeans; now: Date }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The lock of the account puts a simultaneous hold before or after the change.
    await sql`select from bean_accounts where id = bean_account(${userId}, null) for no key update`.execute(trx);
    const change = capChange(capAt(await newestRow(trx, userId), asked.now), asked);
    if (!change) return;
    await trx
      .insertInto("bean_caps")
      .values({ user_id: userId, ...change, asked_at: asked.now })
      .execute();
  });
}

function newestRow(db: Db, userId: bigint): Promise<CapRow | undefined> {
  return db
    .selectFrom("bean_caps")
    .select(["beans", "beans_until", "from_at"])
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

function capAt(row: CapRow | undefined, now: Date): Cap {
  if (!row) return { beans: null, pending: null };
  if (now >= row.from_at) return { beans: row.beans, pending: null };
  return { beans: row.beans_until, pending: { beans: row.beans, from: row.from_at } };
}

function capChange(cap: Cap, { beans, now }: { beans: CapBeans; now: Date }): CapRow | null {
  const isSame = beans === cap.beans;
  if (isSame ? !cap.pending : cap.pending?.beans === beans) return null;
  const isLower = beans !== null && (cap.beans === null || beans < cap.beans);
  if (isSame || isLower) return { beans, beans_until: beans, from_at: now };
  return { beans, beans_until: cap.beans, from_at: new Date(now.getTime() + capRaiseDelayMs) };
}

/** Gives beans to a user, as support would. Returns false for an unknown account number. */
export async function grantPromo(
  parts: { db: Kysely<Database>; ledger: Ledger },
  gift: { userNo: string; beans: bigint },
): Promise<boolean> {
  const user = await parts.db.selectFrom("users").select("id").where("user_no", "=", gift.userNo).executeTakeFirst();
  if (!user) return false;
  await parts.ledger.post({
    key: `adjust:${randomUUID()}`,
    kind: "adjustment",
    from: { house: "adjustment" },
    to: { userId: user.id },
    amount: gift.beans,
    reference: gift.userNo,
    reason: "support",
  });
  return true;
}
