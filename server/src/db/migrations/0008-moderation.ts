import { type Kysely, sql } from "kysely";

/** Cases, evidence, decisions, strikes, bans with their facts, appeals, and the log of everything that moderators do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await cases(db);
  await decisions(db);
  await people(db);
  await log(db);
}

async function cases(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table cases (
      id bigint generated always as identity (start with 20001) primary key,
      subject_id bigint not null references users (id),
      -- reports, or restricted: suspected minors, for administrators.
      box text not null check (box in ('reports', 'restricted')),
      reason_id smallint not null check (reason_id between 4 and 11),
      rule text not null,
      harm smallint not null check (harm between 1 and 4),
      -- Refers to nothing: a call is written down a moment after it began, and a case must not wait for that.
      call_id text,
      message_id bigint references messages (id),
      state text not null default 'open' check (state in ('open', 'second', 'decided')),
      opened_at timestamptz not null,
      changed_at timestamptz not null,
      decided_at timestamptz,
      decided_by bigint references users (id),
      operation smallint check (operation between 1 and 4),
      -- With 'second': the ban for good that the first moderator asked for.
      asked_reason_id smallint,
      asked_note text not null default '',
      lapses_at timestamptz,
      -- What the models said of the frame that opened it.
      explicit real,
      model text,
      shadow boolean not null default false
    )`.execute(db);
  // One case of a kind waits for a person; what comes in meanwhile joins it.
  await sql`create unique index cases_waiting on cases (subject_id, box) where state <> 'decided'`.execute(db);
  await sql`create index cases_queue on cases (box, harm, opened_at) where state = 'open'`.execute(db);
  await sql`create index cases_subject on cases (subject_id, id)`.execute(db);
  await sql`create index cases_decided on cases (decided_at) where state = 'decided'`.execute(db);
  await sql`alter table reports add column case_id bigint references cases (id)`.execute(db);
  // Whether a person found the report right: null until its case was decided.
  await sql`alter table reports add column was_right boolean`.execute(db);
  await sql`create index reports_case on reports (case_id)`.execute(db);
  await sql`
    create table evidence (
      id bigint generated always as identity primary key,
      public_id text not null unique,
      case_id bigint not null references cases (id),
      kind text not null check (kind in ('frame', 'lines')),
      -- Of a frame: the sender's own picture, or what the other received.
      view text check (view in ('own', 'received')),
      at timestamptz not null,
      -- Sealed bytes in blob storage; null once erased, and always in the restricted box.
      blob_key text,
      -- Perceptual hash and scores as JSON.
      facts text not null default '{}',
      erase_at timestamptz not null,
      erased_at timestamptz
    )`.execute(db);
  await sql`create index evidence_case on evidence (case_id, at)`.execute(db);
  await sql`create index evidence_due on evidence (erase_at) where erased_at is null`.execute(db);
  await sql`
    create table claims (
      -- case:<id>, image:<public id> or appeal:<id>.
      item text primary key,
      moderator_id bigint not null references users (id),
      until timestamptz not null
    )`.execute(db);
}

async function decisions(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bans
      add column case_id bigint references cases (id),
      -- Null: software.
      add column decided_by bigint references users (id),
      add column seconded_by bigint references users (id),
      add column is_provisional boolean not null default false,
      add column rule text,
      add column call_id text,
      add column strike smallint not null default 0,
      add column ended_early_at timestamptz,
      -- lifted, shortened, replaced or lapsed.
      add column ended_because text`.execute(db);
  await sql`create index bans_case on bans (case_id)`.execute(db);
  await sql`
    alter table calls
      drop constraint calls_end_reason_check,
      add constraint calls_end_reason_check check (
        end_reason in ('next', 'stop', 'left', 'not_joined', 'lost', 'kicked', 'banned', 'restart', 'violation', 'unchecked')
      )`.execute(db);
  await sql`
    create table strikes (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id),
      case_id bigint references cases (id),
      ban_id bigint references bans (id),
      reason_id smallint not null,
      at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create index strikes_user on strikes (user_id, expires_at)`.execute(db);
  await sql`
    create table appeals (
      id bigint generated always as identity (start with 5001) primary key,
      ban_id bigint not null unique references bans (id),
      user_id bigint not null references users (id),
      ground smallint not null check (ground between 1 and 4),
      text text not null,
      email text not null default '',
      language text not null,
      state text not null default 'received' check (state in ('received', 'upheld', 'shortened', 'lifted')),
      at timestamptz not null,
      answer_by timestamptz not null,
      decided_at timestamptz,
      decided_by bigint references users (id),
      answer text not null default '',
      new_until timestamptz,
      beans_returned bigint not null default 0
    )`.execute(db);
  await sql`create index appeals_waiting on appeals (answer_by) where state = 'received'`.execute(db);
}

async function people(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table restraints (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id),
      -- matching: is matched with nobody; chat: may not write.
      what text not null check (what in ('matching', 'chat')),
      rule text not null,
      case_id bigint references cases (id),
      from_at timestamptz not null,
      -- Null: until a person decides.
      until timestamptz,
      lifted_at timestamptz
    )`.execute(db);
  await sql`create index restraints_user on restraints (user_id) where lifted_at is null`.execute(db);
  await sql`
    create table person_labels (
      user_id bigint not null references users (id),
      label_id smallint not null,
      by_id bigint not null references users (id),
      at timestamptz not null,
      primary key (user_id, label_id)
    )`.execute(db);
  await sql`
    create table unrelated_accounts (
      low_id bigint not null references users (id),
      high_id bigint not null references users (id),
      by_id bigint not null references users (id),
      at timestamptz not null,
      primary key (low_id, high_id)
    )`.execute(db);
  await sql`
    create table removed_pictures (
      id bigint generated always as identity primary key,
      -- 64 bits as 16 hex digits: of the picture, and of its mirror image.
      phash text not null,
      mirrored text not null,
      reason_id smallint not null,
      at timestamptz not null
    )`.execute(db);
  await sql`
    alter table images
      add column why text not null default 'new'
        check (why in ('unsure', 'reported', 'contact', 'like_removed', 'random', 'new')),
      add column explicit real,
      add column phash text`.execute(db);
  // What software noticed and did not act on by itself: counted, looked at, forgotten.
  await sql`
    create table signals (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id),
      rule text not null,
      dry_run boolean not null,
      detail text not null default '{}',
      at timestamptz not null
    )`.execute(db);
  await sql`create index signals_user on signals (user_id, rule, at)`.execute(db);
  await sql`create index signals_at on signals (at)`.execute(db);
}

async function log(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      -- Null: software.
      actor_id bigint references users (id),
      kind text not null,
      subject_id bigint references users (id),
      case_id bigint references cases (id),
      reason_id smallint,
      note text not null default '',
      -- Facts as JSON: versions, scores and thresholds of a judgement; before and after of a change.
      detail text not null default '{}'
    )`.execute(db);
  await sql`create index audit_log_subject on audit_log (subject_id, id)`.execute(db);
  await sql`create index audit_log_kind on audit_log (kind, at)`.execute(db);
  await sql`create index audit_log_actor on audit_log (actor_id, at)`.execute(db);
  // Every reading of the restricted box, apart from everything else.
  await sql`
    create table restricted_access (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      actor_id bigint not null references users (id),
      case_id bigint references cases (id),
      act text not null
    )`.execute(db);
  // The function that refuses stands since 0002.
  for (const table of ["audit_log", "restricted_access"]) {
    await sql`
      create trigger ${sql.id(`${table}_append_only`)} before update or delete or truncate on ${sql.table(table)}
      for each statement execute function refuse_change()`.execute(db);
  }
}
