import { type Kysely, sql } from "kysely";
import type { CreditReason } from "@fava/wire/endpoints/beans.ts";
import { prepared } from "#db/prepared.ts";
import type { Database } from "#db/schema.ts";

type Db = Kysely<Database>;

// House accounts store no balance, since every transfer would wait for that row.
type HouseAccount = `sales:${string}` | "filter-revenue" | "promotion" | "adjustment" | "write-off";

type AccountRef = { readonly userId: bigint } | { readonly house: HouseAccount };

export type TransferKind =
  | "purchase"
  /** A paid filter in a call: first held, then posted. */
  | "call"
  | "credit"
  | "refund"
  | "dispute_opened"
  | "dispute_won"
  | "adjustment";

export interface TransferOrder {
  /** Idempotency key: only the first transfer with a key moves beans. Decision 009 lists the forms of keys. */
  readonly key: string;
  readonly kind: TransferKind;
  readonly from: AccountRef;
  readonly to: AccountRef;
  /** More than 0. */
  readonly amount: bigint;
  /** Number of the order or id of the call. */
  readonly reference: string;
  readonly reason?: CreditReason;
  /** Whether the balance may fall below 0: only for refunds and chargebacks. */
  readonly overdraft?: boolean;
}

/** Beans that a user cannot spend until they are posted to `filter-revenue` or released. */
export interface HoldOrder {
  readonly key: string;
  readonly userId: bigint;
  readonly amount: bigint;
  readonly reference: string;
}

/** Pays one minute of a call and holds the next. */
export interface MinuteOrder {
  /** The previous minute's hold and the beans to post of it; null for the first minute. */
  readonly settle: { readonly key: string; readonly amount: bigint } | null;
  readonly hold: HoldOrder;
  /** Requires that the call is live with this epoch, because another server may have taken it over. Null: no check. */
  readonly epoch: number | null;
}

interface CallFence {
  readonly callId: string;
  readonly epoch: number;
}

export interface Account {
  balance: bigint;
  held: bigint;
  debt: bigint;
}

export interface OpenHoldRow {
  key: string;
  userId: bigint;
  amount: bigint;
  reference: string;
}

export interface Spendable {
  have: bigint;
  limit: "balance" | "cap";
}

export interface PostRow {
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

/** Each function is one round trip: the functions of `beans.sql` lock, check, write and return the outcome. */
export async function post(db: Db, order: TransferOrder, at: Date): Promise<PostRow> {
  const { rows } = await sql<PostRow>`
    ${prepared("bean_post")} select * from bean_post(
      ${order.key}, ${order.kind}, ${userOf(order.from)}, ${houseOf(order.from)}, ${userOf(order.to)},
      ${houseOf(order.to)}, ${order.amount}, ${order.reference}, ${order.reason ?? null}, ${order.overdraft ?? false},
      ${at}
    )`.execute(db);
  return only(rows);
}

export interface PlainTransfer {
  readonly order: TransferOrder;
  readonly userId: bigint;
  readonly house: string;
  readonly change: bigint;
}

/** The transfer as `postGathered` takes it; null unless it is between a user and the house, without overdraft. */
export function plainTransfer(order: TransferOrder): PlainTransfer | null {
  const { from, to, amount } = order;
  if (order.overdraft) return null;
  if ("userId" in from && "house" in to) return { order, userId: from.userId, house: to.house, change: -amount };
  if ("house" in from && "userId" in to) return { order, userId: to.userId, house: from.house, change: amount };
  return null;
}

/** By round and position; null for a transfer to `post` alone. Each round sees the writes of earlier ones. */
export async function postGathered(
  db: Db,
  rounds: readonly (readonly PlainTransfer[])[],
  at: Date,
): Promise<(bigint | null)[][]> {
  const calls = rounds.map((transfers, round) => {
    const userIds = numbers(transfers.map(({ userId }) => userId));
    const changes = numbers(transfers.map(({ change }) => change));
    const orders = transfers.map(({ order }) => order);
    return sql`select ${sql.lit(round)} as round, number, transfer from bean_post_gathered(
      ${orders.map(({ key }) => key)}, ${orders.map(({ kind }) => kind)}, ${userIds},
      ${transfers.map(({ house }) => house)}, ${changes}, ${orders.map(({ reference }) => reference)},
      ${orders.map(({ reason }) => reason ?? null)}, ${at}
    )`;
  });
  const { rows } = await sql<{ round: number; number: number; transfer: bigint }>`
    ${prepared(`bean_post_gathered_${rounds.length}`)} ${sql.join(calls, sql` union all `)}`.execute(db);
  const posted = rounds.map((transfers) => transfers.map((): bigint | null => null));
  for (const { round, number, transfer } of rows) posted[round]![number - 1] = transfer;
  return posted;
}

export async function hold(db: Db, order: HoldOrder, at: Date): Promise<HoldRow> {
  const { rows } = await sql<HoldRow>`
    ${prepared("bean_hold")} select * from bean_hold(
      ${order.key}, ${order.userId}, ${order.amount}, ${order.reference}, ${at}
    )`.execute(db);
  return only(rows);
}

export async function settle(db: Db, order: { key: string; amount: bigint; at: Date }): Promise<SettleRow> {
  const { rows } = await sql<SettleRow>`
    ${prepared("bean_settle")} select * from bean_settle(${order.key}, ${order.amount}, ${order.at})`.execute(db);
  return only(rows);
}

/** Whether the call is live with this epoch. Stays true until the transaction ends. */
export async function isOwned(db: Db, { callId, epoch }: CallFence): Promise<boolean> {
  const { rows } = await sql<{ owned: boolean }>`
    ${prepared("bean_fence")} select bean_fence(${callId}, ${epoch}) as owned`.execute(db);
  return only(rows).owned;
}

export type MinuteFunds = Spendable & { balance: bigint };

interface MinuteRow {
  number: number;
  balance: bigint;
  have: bigint;
  cap_left: bigint | null;
}

/** Results by position; null for each minute that the caller must `settle` and `hold` alone. */
export async function takeMinutesGathered(
  db: Db,
  minutes: readonly MinuteOrder[],
  at: Date,
): Promise<(MinuteFunds | null)[]> {
  const { rows } = await sql<MinuteRow>`
    ${prepared("bean_minutes_gathered")} select * from bean_minutes_gathered(
      ${numbers(minutes.map(({ hold: { userId } }) => userId))}, ${minutes.map((minute) => minute.settle?.key ?? null)},
      ${numbers(minutes.map((minute) => minute.settle?.amount ?? null))}, ${minutes.map((minute) => minute.hold.key)},
      ${numbers(minutes.map((minute) => minute.hold.amount))}, ${minutes.map((minute) => minute.hold.reference)},
      ${numbers(minutes.map((minute) => minute.epoch))}, ${at}
    )`.execute(db);
  const taken = minutes.map((): MinuteFunds | null => null);
  for (const { number, balance, have, cap_left } of rows) taken[number - 1] = { balance, ...least(have, cap_left) };
  return taken;
}

/** An array literal, because the driver would quote and escape each value. */
function numbers(values: readonly (bigint | number | null)[]): string {
  return `{${values.map((value) => value ?? "null").join(",")}}`;
}

/** Zeros for a user without a row, who never had beans. */
export async function account(db: Db, userId: bigint): Promise<Account> {
  const { rows } = await sql<{ balance: bigint; held: bigint }>`
    ${prepared("bean_account")} select balance, held from bean_accounts where user_id = ${userId}`.execute(db);
  const { balance, held } = rows[0] ?? { balance: 0n, held: 0n };
  return { balance, held, debt: balance < 0n ? -balance : 0n };
}

export async function spendable(db: Db, userId: bigint, at: Date): Promise<Spendable> {
  const { rows } = await sql<{ have: bigint; cap_left: bigint | null }>`
    ${prepared("bean_spendable")} select
      greatest(coalesce(balance - held, 0), 0) as have,
      cap.beans - case when cap.beans is not null then coalesce(bean_spent(account.id, ${at}) + held, 0) end as cap_left
    from (select ${userId}::bigint as id) as person
    cross join lateral (select bean_cap(person.id, ${at}) as beans) as cap
    left join bean_accounts as account on account.user_id = person.id`.execute(db);
  const { have, cap_left: capLeft } = only(rows);
  return least(have, capLeft);
}

function least(have: bigint, capLeft: bigint | null): Spendable {
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

function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error("a ledger function returned no row");
  return row;
}
