import { type Kysely, sql } from "kysely";

/** Who reported somebody, and has not heard what became of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whoever reports waits behind whoever waits for the table.
  await sql`set local lock_timeout = 500`.execute(db);
  await sql`alter table reports add column outcome_due boolean not null default false`.execute(db);
  await sql`comment on column reports.outcome_due is 'Its case was decided, and whoever sent it has not heard of that.'`.execute(
    db,
  );
}
