import { type Kysely, sql } from "kysely";

/** Which process a call is of, which processes there are, and who does the work that only one may do (decision 029). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column owner text`.execute(db);
  await sql`comment on column calls.owner is ${sql.lit("The process that the room is in, or was in last; null for calls from before there were owners.")}`.execute(
    db,
  );
  await sql`drop index calls_live`.execute(db);
  await sql`create index calls_live on calls (owner) where ended_at is null`.execute(db);
  await sql`alter table data_exports add column owner text`.execute(db);
  await sql`comment on column data_exports.owner is ${sql.lit("The process that prepares it, or did.")}`.execute(db);
  await sql`
    create table processes (
      id text primary key,
      lock_number integer generated always as identity unique,
      beat_at timestamptz not null default clock_timestamp(),
      draining boolean not null default false,
      dead_at timestamptz
    )`.execute(db);
  await sql`comment on table processes is ${sql.lit("Servers that run over this database, each start a row of its own.")}`.execute(
    db,
  );
  await sql`comment on column processes.lock_number is ${sql.lit("Second half of the advisory lock that its connection holds.")}`.execute(
    db,
  );
  await sql`comment on column processes.dead_at is ${sql.lit("When another process took it for dead: from then on it is.")}`.execute(
    db,
  );
  await sql`
    create table leases (
      name text primary key,
      epoch bigint not null,
      holder text not null,
      held_at timestamptz not null
    )`.execute(db);
  await sql`comment on table leases is ${sql.lit("Work that one process does for all: how often it changed hands, and who has it or had it last.")}`.execute(
    db,
  );
}
