import { type Kysely, sql } from "kysely";
import { withdrawDays } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";

const dayMs = 86_400_000;

export interface UntouchedPurchase {
  transferId: bigint;
  orderNo: string;
  beans: bigint;
  at: Date;
  /** May be in the past. */
  withdrawUntil: Date;
}

/** Whether an age check that the user has not passed keeps them from using beans. */
export type IsStoppedByAge = (userId: bigint) => Promise<boolean>;

/**
 * Until when an untouched purchase can be withdrawn; null: no longer. For users whom the age gate stops the
 * period always begins now, because the rule changed after the sale.
 */
export function withdrawableUntil(
  { withdrawUntil }: Pick<UntouchedPurchase, "withdrawUntil">,
  { now, isStopped }: { now: Date; isStopped: boolean },
): Date | null {
  if (isStopped) return new Date(now.getTime() + withdrawDays * dayMs);
  return withdrawUntil > now ? withdrawUntil : null;
}

/**
 * Purchases whose beans are all unused, oldest first. Calls (less their credits) and open holds use the oldest beans
 * first. A refund or dispute uses its own purchase; a won dispute restores it. To withdraw, the caller locks the user's
 * account in the same transaction.
 */
export async function untouchedPurchases(db: Kysely<Database>, userId: bigint): Promise<UntouchedPurchase[]> {
  const { rows } = await sql<UntouchedPurchase>`
    with account as (
      select id, balance, held from bean_accounts where user_id = ${userId}
    ), movement as (
      select
        transfer.id, transfer.kind, transfer.reference, transfer.at, entry.amount,
        -- A refund that failed is given back as an adjustment under the number of its order.
        transfer.kind in ('refund', 'dispute_opened', 'dispute_won') or transfer.kind = 'adjustment' and exists (
          select from bean_transfers as bought
          where bought.kind = 'purchase' and bought.to_account = account.id and bought.reference = transfer.reference
        ) as is_of_purchase
      from account
      join bean_entries as entry on entry.account_id = account.id
      join bean_transfers as transfer on transfer.id = entry.transfer_id
    ), used as (
      select greatest(
        (select held from account) - coalesce(sum(amount) filter (
          where kind in ('call', 'credit') or kind = 'adjustment' and amount < 0 and not is_of_purchase
        ), 0), 0
      ) as beans
      from movement
    ), lot as (
      select
        arrival.id, arrival.kind, arrival.reference, arrival.at, arrival.amount,
        arrival.amount + coalesce(taken.amount, 0) as remaining
      from movement as arrival
      left join (
        select reference, sum(amount) as amount from movement where is_of_purchase group by reference
      ) as taken on arrival.kind = 'purchase' and taken.reference = arrival.reference
      where arrival.kind = 'purchase'
        or arrival.kind = 'adjustment' and arrival.amount > 0 and not arrival.is_of_purchase
    ), queue as (
      select lot.*, sum(greatest(remaining, 0)) over (order by id) - greatest(remaining, 0) as before from lot
    )
    select
      id as "transferId", reference as "orderNo", amount as beans, at,
      at + make_interval(days => ${withdrawDays}) as "withdrawUntil"
    from queue
    where kind = 'purchase' and remaining = amount
      and before >= (select beans from used)
      and (select balance - held from account) >= amount
    order by id`.execute(db);
  return rows;
}
