import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "./schema.ts";

/**
 * Condition: no authority's hold keeps the data of the user in this column. Every job that rule PRIV-7 names has it;
 * records of calls and rings go at their age.
 */
export function isNotHeld(column: string, at: Date): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from authority_requests as hold where hold.subject_id = ${sql.ref(column)} and hold.hold_until > ${at}
  )`;
}

/** Accounts whose data a hold keeps. */
export async function heldCount(db: Kysely<Database>, at: Date): Promise<number> {
  const { rows } = await sql<{ held: bigint }>`
    select count(distinct subject_id) as held from authority_requests where hold_until > ${at}`.execute(db);
  return Number(rows[0]?.held ?? 0n);
}
