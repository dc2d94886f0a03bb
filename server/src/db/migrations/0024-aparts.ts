import { type Kysely, sql } from "kysely";

/** Whom people do not want to meet again for a while. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Its keys to users lock them for a moment; whoever waits longer for that holds up everybody behind.
  await sql`set local lock_timeout = 500`.execute(db);
  await sql`
    create table aparts (
      user_id bigint not null references users (id),
      other_id bigint not null references users (id),
      until timestamptz not null,
      primary key (user_id, other_id),
      check (user_id <> other_id)
    )`.execute(db);
  await sql`create index aparts_newest on aparts (user_id, until desc, other_id)`.execute(db);
  await sql`create index aparts_others on aparts (other_id)`.execute(db);
  await sql`create index aparts_until on aparts (until)`.execute(db);
  await sql`comment on table aparts is ${sql.lit("The one person does not want to be matched with the other until then.")}`.execute(
    db,
  );
}
