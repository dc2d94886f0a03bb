import { type Kysely, sql } from "kysely";

/** People, the identities they sign in with, and their sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id bigint generated always as identity primary key,
      user_no text not null unique check (user_no ~ '^[1-9][0-9]{7}$'),
      external_id text not null unique,
      nickname text not null check (char_length(nickname) between 1 and 40),
      avatar_key text not null default '',
      sex smallint not null default 0 check (sex in (0, 1, 2)),
      birthday date check (birthday >= '1900-01-01'),
      country_id integer not null,
      role smallint not null default 0 check (role in (0, 2, 3)),
      language text not null default 'en',
      created_at timestamptz not null default now(),
      last_login_at timestamptz not null default now(),
      last_login_ip text not null default '',
      device_id text not null default ''
    )`.execute(db);
  await sql`
    create table identities (
      login_type smallint not null check (login_type in (1, 2, 3)),
      third_party_id text not null,
      user_id bigint not null references users (id),
      primary key (login_type, third_party_id)
    )`.execute(db);
  await sql`create index identities_user on identities (user_id)`.execute(db);
  await sql`
    create table age_refusals (
      identity_hash text primary key,
      try_again_on date not null
    )`.execute(db);
  await sql`
    create table bans (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id),
      reason_id smallint not null,
      reason text not null default '',
      created_at timestamptz not null default now(),
      until timestamptz
    )`.execute(db);
  await sql`create index bans_user on bans (user_id)`.execute(db);
  await sql`
    create table sessions (
      id text primary key,
      user_id bigint not null references users (id),
      token_hash text not null unique,
      source smallint not null check (source in (1, 2)),
      ip text not null,
      user_agent text not null,
      language text not null default 'en',
      created_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      expires_at timestamptz not null,
      ended_at timestamptz,
      end_reason text check (end_reason in ('expired', 'kicked', 'deleted', 'signed_out', 'banned')),
      check ((ended_at is null) = (end_reason is null))
    )`.execute(db);
  await sql`create unique index sessions_one_live on sessions (user_id) where ended_at is null`.execute(db);
  await sql`
    create table login_events (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id),
      ip text not null,
      device_id text not null,
      user_agent text not null,
      at timestamptz not null default now()
    )`.execute(db);
  await sql`create index login_events_user on login_events (user_id, at)`.execute(db);
}
