import { type Kysely, sql } from "kysely";

/** Messages that may hurt, which their reader sees after a press. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A migration that waits longer for a table holds up every query behind it.
  await sql`set local lock_timeout = 500`.execute(db);
  await sql`alter table messages add column cover text`.execute(db);
  // No row has a cover yet.
  await sql`
    alter table messages
      add constraint messages_cover_check check (cover in ('insult', 'threat', 'hate', 'solicitation'))
      not valid`.execute(db);
  const means = "Why the text may hurt, so that its reader sees it after a press; null: it is not covered.";
  await sql`comment on column messages.cover is ${sql.lit(means)}`.execute(db);
}
