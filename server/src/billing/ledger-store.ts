import { type Kysely, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { AccountRef, HoldOrder, TransferOrder } from "./ledger.ts";

type Db = Kysely<Database>;

export interface Account {
  balance: bigint;
  held: bigint;
  debt: bigint;
}

export interface OpenHoldRow {
  key: string;
  userId: bigint;
  amount: bigint;
  /** Call id. */
  reference: string;
}

export interface Spendable {
  have: bigint;
  limit: "balance" | "cap";
}

interface PostRow {
  outcome: "posted" | "known" | "not_enough" | "conflict";
  transfer: bigint | null;
  have: bigint | null;
}

interface HoldRow {
  outcome: "held" | "known" | "balance" | "cap" | "conflict";
  have: bigint | null;
}

interface SettleRow {
  outcome: "settled" | "known" | "unknown" | "conflict";
  user_id: bigint | null;
  released: bigint | null;
}

/** One round trip each: the functions of migration 0003 lock, check, write and say what came of it. */
export async function post(db: Db, order: TransferOrder, at: Date): Promise<PostRow> {
  const { rows } = await sql<PostRow>`
    select * from bean_post(
      ${order.key}, ${order.kind}, ${userOf(order.from)}, ${houseOf(order.from)}, ${userOf(order.to)},
      ${houseOf(order.to)}, ${order.amount}, ${order.reference}, ${order.reason ?? null}, ${order.overdraft ?? false},
      ${at}
    )`.execute(db);
  return only(rows);
}

export async function hold(db: Db, order: HoldOrder, at: Date): Promise<HoldRow> {
  const { rows } = await sql<HoldRow>`
    select * from bean_hold(${order.key}, ${order.userId}, ${order.amount}, ${order.reference}, ${at})`.execute(db);
  return only(rows);
}

export async function settle(db: Db, order: { key: string; amount: bigint; at: Date }): Promise<SettleRow> {
  const { rows } = await sql<SettleRow>`
    select * from bean_settle(${order.key}, ${order.amount}, ${order.at})`.execute(db);
  return only(rows);
}

/** A person who never had beans has no row, and nothing. */
export async function account(db: Db, userId: bigint): Promise<Account> {
  const row = await db
    .selectFrom("bean_accounts")
    .select(["balance", "held"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const balance = row?.balance ?? 0n;
  return { balance, held: row?.held ?? 0n, debt: balance < 0n ? -balance : 0n };
}

export async function spendable(db: Db, userId: bigint, at: Date): Promise<Spendable> {
  const { rows } = await sql<{ have: bigint; cap_left: bigint | null }>`
    select
      greatest(coalesce(balance - held, 0), 0) as have,
      bean_cap(person.id, ${at}) - coalesce(bean_spent(account.id, ${at}) + held, 0) as cap_left
    from (select ${userId}::bigint as id) as person
    left join bean_accounts as account on account.user_id = person.id`.execute(db);
  const { have, cap_left: capLeft } = only(rows);
  if (capLeft === null || capLeft >= have) return { have, limit: "balance" };
  return { have: capLeft < 0n ? 0n : capLeft, limit: "cap" };
}

export async function openHolds(db: Db): Promise<OpenHoldRow[]> {
  const { rows } = await sql<OpenHoldRow>`
    select hold.key, account.user_id as "userId", hold.amount, hold.reference
    from bean_accounts as account join bean_holds as hold on hold.account_id = account.id
    where account.held > 0 and not exists (select from bean_hold_ends as ended where ended.hold_id = hold.id)
    order by hold.id`.execute(db);
  return rows;
}

function userOf(account: AccountRef): bigint | null {
  return "userId" in account ? account.userId : null;
}

function houseOf(account: AccountRef): string | null {
  return "house" in account ? account.house : null;
}

/** The functions answer with exactly one row. */
function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error("the ledger answered nothing");
  return row;
}
