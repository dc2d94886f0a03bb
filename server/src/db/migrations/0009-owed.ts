import { type Kysely, sql } from "kysely";

/** What people are owed until they have it: beans of calls that were cut, and the words of a warning. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table owed_beans (
      -- Refers to nothing: a call is written down a moment after it began.
      call_id text not null,
      user_id bigint not null references users (id),
      since timestamptz not null,
      tries smallint not null default 0,
      primary key (call_id, user_id)
    )`.execute(db);
  await sql`create index owed_beans_since on owed_beans (since)`.execute(db);
  // Of a warning: when the person was told.
  await sql`alter table cases add column told_at timestamptz`.execute(db);
  await sql`update cases set told_at = decided_at where operation = 3`.execute(db);
  await sql`create index cases_untold on cases (subject_id) where operation = 3 and told_at is null`.execute(db);
}
