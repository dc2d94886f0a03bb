import { type Kysely, sql } from "kysely";

/** Match wishes and calls. Call events are append only: the database itself refuses anything else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table match_wishes (
      user_id bigint primary key references users (id),
      sex smallint not null check (sex in (0, 1, 2)),
      country integer not null check (country >= -1),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table calls (
      id text primary key,
      offerer_id bigint not null references users (id),
      answerer_id bigint not null references users (id),
      offerer_price integer not null check (offerer_price >= 0),
      answerer_price integer not null check (answerer_price >= 0),
      matched_at timestamptz not null,
      connected_at timestamptz,
      ended_at timestamptz,
      end_reason text check (
        end_reason in ('next', 'stop', 'left', 'not_joined', 'lost', 'kicked', 'banned', 'restart')
      ),
      check (offerer_id <> answerer_id),
      check ((ended_at is null) = (end_reason is null))
    )`.execute(db);
  await sql`create index calls_offerer on calls (offerer_id, matched_at)`.execute(db);
  await sql`create index calls_answerer on calls (answerer_id, matched_at)`.execute(db);
  await sql`create index calls_live on calls (id) where ended_at is null`.execute(db);
  await sql`
    create table call_events (
      id bigint generated always as identity primary key,
      call_id text not null references calls (id),
      user_id bigint,
      kind text not null,
      at timestamptz not null
    )`.execute(db);
  await sql`create index call_events_call on call_events (call_id)`.execute(db);
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'append only table %', tg_table_name;
    end $$`.execute(db);
  await sql`
    create trigger call_events_append_only before update or delete on call_events
    for each row execute function refuse_change()`.execute(db);
  await sql`
    create trigger call_events_no_truncate before truncate on call_events
    for each statement execute function refuse_change()`.execute(db);
}
