import { type Kysely, sql } from "kysely";

/** What people say of themselves, what they are to each other, what they write, and their pictures. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column about text not null default '' check (char_length(about) <= 160),
      add column location text not null default '' check (char_length(location) <= 60),
      add column nickname_changed_at timestamptz,
      add column searchable boolean not null default true,
      add column official boolean not null default false,
      add column deleted_at timestamptz,
      add column erased_at timestamptz`.execute(db);
  await sql`create index users_nickname on users (lower(nickname) text_pattern_ops) where deleted_at is null`.execute(
    db,
  );
  await sql`create index users_deleted on users (deleted_at) where deleted_at is not null and erased_at is null`.execute(
    db,
  );
  await relations(db);
  await messages(db);
  await images(db);
  await records(db);
}

async function relations(db: Kysely<unknown>): Promise<void> {
  for (const table of ["follows", "likes", "blocks", "meet_wishes"]) {
    await sql`
      create table ${sql.table(table)} (
        user_id bigint not null references users (id),
        other_id bigint not null references users (id),
        at timestamptz not null,
        primary key (user_id, other_id),
        check (user_id <> other_id)
      )`.execute(db);
    await sql`create index ${sql.id(`${table}_newest`)} on ${sql.table(table)} (user_id, at desc, other_id)`.execute(
      db,
    );
    await sql`create index ${sql.id(`${table}_others`)} on ${sql.table(table)} (other_id, at desc, user_id)`.execute(
      db,
    );
  }
}

async function messages(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table conversations (
      id bigint generated always as identity primary key,
      low_id bigint not null references users (id),
      high_id bigint not null references users (id),
      -- Who asked; null once the other accepted, or where both were friends from the start.
      requested_by bigint references users (id),
      -- A request was accepted: both may write, friends or not.
      accepted boolean not null default false,
      created_at timestamptz not null,
      unique (low_id, high_id),
      check (low_id < high_id)
    )`.execute(db);
  await sql`
    create table messages (
      id bigint generated always as identity primary key,
      conversation_id bigint not null references conversations (id),
      sender_id bigint not null references users (id),
      client_id text not null,
      kind text not null check (kind in ('text', 'met')),
      text text not null check (char_length(text) <= 1000),
      sent_at timestamptz not null,
      unique (sender_id, client_id)
    )`.execute(db);
  await sql`create index messages_newest on messages (conversation_id, id desc)`.execute(db);
  // One row for each of the two: lists read their own rows in order, and nothing else.
  await sql`
    create table conversation_sides (
      user_id bigint not null references users (id),
      other_id bigint not null references users (id),
      conversation_id bigint not null references conversations (id),
      last_message_id bigint not null references messages (id),
      unread_count integer not null default 0 check (unread_count >= 0),
      read_up_to bigint not null default 0,
      -- The other's request waits for this side's answer.
      request boolean not null default false,
      declined boolean not null default false,
      primary key (user_id, other_id)
    )`.execute(db);
  await sql`create index conversation_sides_newest on conversation_sides (user_id, last_message_id desc)`.execute(db);
  await sql`create index conversation_sides_unread on conversation_sides (user_id) where unread_count > 0`.execute(db);
  await sql`create index conversation_sides_requests on conversation_sides (user_id, last_message_id desc) where request`.execute(
    db,
  );
}

async function images(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table images (
      id bigint generated always as identity primary key,
      -- What the world knows it by.
      public_id text not null unique,
      user_id bigint not null references users (id),
      kind text not null default 'unused' check (kind in ('unused', 'avatar', 'photo')),
      status text not null default 'pending' check (status in ('pending', 'approved', 'refused')),
      reason_id smallint,
      blob_key text not null,
      thumb_key text not null,
      width integer not null check (width > 0),
      height integer not null check (height > 0),
      position integer not null default 0,
      created_at timestamptz not null,
      decided_at timestamptz,
      decided_by bigint references users (id),
      removed_at timestamptz
    )`.execute(db);
  await sql`create index images_owner on images (user_id, kind, position) where removed_at is null`.execute(db);
  await sql`create index images_queue on images (kind, status, id) where removed_at is null`.execute(db);
  // Whether anybody still shows a blob, and what is removed but not yet deleted from storage.
  await sql`create index images_blobs on images (blob_key) where removed_at is null`.execute(db);
  await sql`create index images_thumbs on images (thumb_key) where removed_at is null`.execute(db);
  await sql`create index images_leftover on images (user_id) where removed_at is not null and blob_key <> ''`.execute(
    db,
  );
  await sql`create index users_avatars on users (avatar_key) where avatar_key <> ''`.execute(db);
}

/** Reports, texts that were stopped, and exports. */
async function records(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reports (
      id bigint generated always as identity primary key,
      reporter_id bigint not null references users (id),
      reported_id bigint not null references users (id),
      reason_id smallint not null check (reason_id between 4 and 11),
      call_id text references calls (id),
      message_id bigint references messages (id),
      at timestamptz not null,
      check (reporter_id <> reported_id)
    )`.execute(db);
  await sql`create index reports_reported on reports (reported_id, at)`.execute(db);
  await sql`create index reports_reporter on reports (reporter_id, at)`.execute(db);
  await sql`
    create table stopped_texts (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id),
      place text not null check (place in ('message', 'nickname', 'about', 'location')),
      findings text not null,
      at timestamptz not null
    )`.execute(db);
  await sql`create index stopped_texts_user on stopped_texts (user_id, at)`.execute(db);
  await sql`
    create table data_exports (
      user_id bigint primary key references users (id),
      state text not null check (state in ('preparing', 'ready', 'failed')),
      percent smallint not null default 0 check (percent between 0 and 100),
      file_key text,
      size_bytes integer,
      begun_at timestamptz not null,
      until timestamptz
    )`.execute(db);
}
