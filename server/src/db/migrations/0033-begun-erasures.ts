import { type Kysely, sql } from "kysely";

/** Of which accounts it is decided that they are erased: nobody comes back to them any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whoever waits longer for the table holds up everybody behind.
  await sql`set local lock_timeout = 500`.execute(db);
  // Servers of the version before erase without it.
  await sql`alter table users add column erasure_began_at timestamptz`.execute(db);
  const means = "It is decided that the account is erased, which takes a while: from then on nobody comes back to it.";
  await sql`comment on column users.erasure_began_at is ${sql.lit(means)}`.execute(db);
}
