import { type Kysely, sql } from "kysely";

/** Who was rung without a page, and told by a notification. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whoever rings waits behind whoever waits for the table.
  await sql`set local lock_timeout = 500`.execute(db);
  // Servers of the version before ring nobody who is not here.
  await sql`alter table rings add column away boolean not null default false`.execute(db);
  await sql`comment on column rings.away is 'Whoever is rung had no page open when it began.'`.execute(db);
}
