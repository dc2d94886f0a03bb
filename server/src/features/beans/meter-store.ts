import { freeMatchesPerDayMax } from "@fava/wire/limits.ts";
import { type Kysely, sql } from "kysely";
import type { Database } from "#db/schema.ts";

type Db = Kysely<Database>;

/** One person's side of one call. */
export interface CallSide {
  readonly callId: string;
  readonly userId: bigint;
}

/**
 * Takes one of the day's free beginnings for this call; false when none is left. Asking again for the same call takes
 * none (rule BEANS-262).
 */
export async function claimFreeSeconds(db: Db, { callId, userId }: CallSide, nowMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into free_matches as claimed (user_id, day, matches, call_id)
    values (${userId}, (${new Date(nowMs)}::timestamptz at time zone 'UTC')::date, 1, ${callId})
    on conflict (user_id) do update set
      day = excluded.day,
      matches = case
        when claimed.call_id = excluded.call_id then claimed.matches
        when claimed.day = excluded.day then claimed.matches + 1
        else 1
      end,
      call_id = excluded.call_id
    where claimed.call_id = excluded.call_id or claimed.day <> excluded.day
      or claimed.matches < ${freeMatchesPerDayMax}
    returning claimed.user_id`.execute(db);
  return rows.length > 0;
}

/** Whether a hold was ever made under this key. */
export async function wasHeld(db: Db, key: string): Promise<boolean> {
  const row = await db.selectFrom("bean_holds").select("id").where("key", "=", key).executeTakeFirst();
  return row !== undefined;
}

/** Beans that a call has cost one of its people so far, less those given back for it. */
export async function netCostOf(db: Db, { callId, userId }: CallSide): Promise<bigint> {
  const { rows } = await sql<{ beans: bigint }>`
    select coalesce(sum(-entry.amount), 0)::bigint as beans
    from bean_transfers as transfer
    join bean_accounts as account on account.user_id = ${userId}
    join bean_entries as entry on entry.transfer_id = transfer.id and entry.account_id = account.id
    where transfer.reference = ${callId} and transfer.kind in ('call', 'credit')`.execute(db);
  return rows[0]?.beans ?? 0n;
}

/** Whether this transfer was made. */
export async function wasPosted(db: Db, key: string): Promise<boolean> {
  const row = await db.selectFrom("bean_transfers").select("id").where("key", "=", key).executeTakeFirst();
  return row !== undefined;
}
