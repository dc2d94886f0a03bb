import { capRaiseDelayMs } from "@fava/wire/limits.ts";
import { type Kysely, sql } from "kysely";
import type { Database } from "#db/schema.ts";

type Db = Kysely<Database>;

/** Beans a UTC day; null: no cap. */
export type CapBeans = bigint | null;

/** What holds now, and what was asked for and holds later. */
export interface Cap {
  beans: CapBeans;
  pending: { beans: CapBeans; from: Date } | null;
}

export interface CapReading extends Cap {
  /** Posted for calls today, and held for one now. */
  spentToday: bigint;
}

interface CapRow {
  beans: CapBeans;
  beans_until: CapBeans;
  from_at: Date;
}

/** The cap and how much of it is used. */
export async function readCap(db: Db, userId: bigint, now: Date): Promise<CapReading> {
  const [row, { rows }] = await Promise.all([
    newestRow(db, userId),
    sql<{ spent: bigint }>`
      select bean_spent(id, ${now}) + held as spent from bean_accounts where user_id = ${userId}`.execute(db),
  ]);
  return { ...capAt(row, now), spentToday: rows[0]?.spent ?? 0n };
}

/**
 * Asks for another cap: a lower one holds at once and ends a raise that was on its way; a higher one, or none, holds
 * after `capRaiseDelayMs` (product decision "Metering", rule BEANS-105). Asking again for the same changes nothing, so
 * that the delay does not begin anew.
 */
export async function askForCap(db: Db, userId: bigint, asked: { beans: CapBeans; now: Date }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The account's lock also keeps a hold of this moment on one side of the change.
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
