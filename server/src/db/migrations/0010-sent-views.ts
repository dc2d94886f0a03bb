import { type Kysely, sql } from "kysely";

/** Who sent the pictures of somebody else by which a case came about: their record is weighed as a reporter's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sent_views (
      id bigint generated always as identity primary key,
      sender_id bigint not null references users (id),
      subject_id bigint not null references users (id),
      -- Refers to nothing: a call is written down a moment after it began.
      call_id text not null,
      at timestamptz not null,
      -- Null: no case came of it.
      case_id bigint references cases (id),
      -- Whether a person found it right: null until its case was decided.
      was_right boolean,
      unique (call_id, subject_id)
    )`.execute(db);
  await sql`create index sent_views_sender on sent_views (sender_id)`.execute(db);
  await sql`create index sent_views_subject on sent_views (subject_id, at)`.execute(db);
  await sql`create index sent_views_case on sent_views (case_id)`.execute(db);
}
