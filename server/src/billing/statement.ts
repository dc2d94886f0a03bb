import { type Kysely, sql } from "kysely";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import type { CreditReason, StatementKind } from "@fava/wire/endpoints/beans.ts";
import { listPageRows } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { TransferKind } from "./ledger.ts";
import { untouchedPurchases, withdrawableUntil } from "./purchases.ts";

type Db = Kysely<Database>;
type Statement = OutputOf<Endpoints["beanStatement"]>;
type StatementRow = Statement["rows"][number];

export interface StatementQuery {
  userId: bigint;
  filter: 0 | 1 | 2 | 3;
  /** Only transfers with a lower id; null for the first page. */
  before: bigint | null;
  now: Date;
  /** The age gate stops the user, who can then withdraw older purchases too. */
  isStopped: boolean;
}

/** Kinds of transfers that each filter shows. Every kind is in exactly one of the filters 1 to 3. */
const kindsOfFilter: Readonly<Record<StatementQuery["filter"], readonly TransferKind[]>> = {
  0: ["purchase", "refund", "dispute_opened", "call", "credit", "dispute_won", "adjustment"],
  1: ["purchase", "refund", "dispute_opened"],
  2: ["call"],
  3: ["credit", "dispute_won", "adjustment"],
};

const kindShown: Readonly<Record<TransferKind, StatementKind>> = {
  purchase: "purchase",
  call: "call",
  credit: "credit",
  refund: "refund",
  dispute_opened: "dispute",
  dispute_won: "credit",
  adjustment: "adjustment",
};

interface Row {
  id: bigint;
  kind: TransferKind;
  reason: CreditReason | null;
  reference: string;
  beans: bigint;
  balance_after: bigint;
  at: Date;
}

/** A page of the user's transfers, newest first. A call is one row, however many minutes were posted. */
export async function readStatement(db: Db, order: StatementQuery): Promise<Statement> {
  const [found, untouched] = await Promise.all([readRows(db, order), untouchedPurchases(db, order.userId)]);
  const prices = await readPrices(db, order.userId, found);
  const shown = found.slice(0, listPageRows);
  const withdrawable = new Map(
    untouched.map((one) => [one.transferId, withdrawableUntil(one, order)?.getTime() ?? null]),
  );
  return {
    rows: shown.map((row) =>
      statementRow(row, {
        paidSeconds: paidSeconds(row, prices.get(row.reference)),
        withdrawUntil: withdrawable.get(row.id) ?? null,
      }),
    ),
    next: found.length > shown.length ? String(shown.at(-1)?.id) : null,
  };
}

function statementRow(row: Row, more: { paidSeconds: number | null; withdrawUntil: number | null }): StatementRow {
  const isOfOrder = row.kind !== "call" && row.kind !== "credit" && row.kind !== "adjustment";
  return {
    id: String(row.id),
    kind: kindShown[row.kind],
    reason: row.kind === "dispute_won" ? "dispute_won" : row.reason,
    beans: wireInteger(row.beans),
    balance_after: wireInteger(row.balance_after),
    at: row.at.getTime(),
    order_no: isOfOrder ? row.reference : null,
    paid_seconds: more.paidSeconds,
    withdraw_until: more.withdrawUntil,
  };
}

/** Computed from beans and price, so that a part of a minute counts as such. */
function paidSeconds({ kind, beans }: Row, price: number | undefined): number | null {
  return kind === "call" && price ? wireInteger((-beans * 60n) / BigInt(price)) : null;
}

/** From `calls`, or from `call_prices` once the table of the call's day is dropped. */
async function readPrices(db: Db, userId: bigint, found: readonly Row[]): Promise<ReadonlyMap<string, number>> {
  const ids = found.flatMap(({ kind, reference }) => (kind === "call" ? [reference] : []));
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; price: number }>`
    select id, case ${userId}::bigint when offerer_id then offerer_price when answerer_id then answerer_price end as price
    from calls where id = any (${ids})
    union all
    select call_id, price from call_prices where call_id = any (${ids}) and user_id = ${userId}`.execute(db);
  return new Map(rows.map(({ id, price }) => [id, price]));
}

/** A call has the position of its newest transfer, so that a running call is never on two pages. */
async function readRows(db: Db, { userId, filter, before }: StatementQuery): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select
      transfer.id, transfer.kind, transfer.reason, transfer.reference, transfer.at, entry.balance_after,
      coalesce(-whole.beans, entry.amount) as beans
    from bean_accounts as account
    join bean_entries as entry on entry.account_id = account.id
    join bean_transfers as transfer on transfer.id = entry.transfer_id
    left join lateral (
      select sum(minute.amount)::bigint as beans from bean_transfers as minute
      where transfer.kind = 'call' and minute.kind = 'call'
        and minute.from_account = account.id and minute.reference = transfer.reference
    ) as whole on true
    where account.user_id = ${userId}
      and entry.transfer_id < coalesce(${before}::bigint, 9223372036854775807)
      and transfer.kind = any(${[...kindsOfFilter[filter]]}::text[])
      and not (transfer.kind = 'call' and exists (
        select from bean_transfers as later
        where later.kind = 'call' and later.from_account = account.id
          and later.reference = transfer.reference and later.id > transfer.id
      ))
    order by entry.transfer_id desc
    limit ${listPageRows + 1}`.execute(db);
  return rows;
}
