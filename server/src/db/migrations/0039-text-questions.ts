import { type Kysely, sql } from "kysely";

/** What people ask a moderator: whether a refused name or text may stand, and whether a mute was right. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Locks `users` and `restraints` for the references: a migration that waits holds up every query behind it.
  await sql`set local lock_timeout = 500`.execute(db);
  await sql`
    create table text_questions (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id),
      place text not null check (place in ('nickname', 'about', 'location', 'mute')),
      source text not null check (source in ('person', 'provider')),
      text text not null,
      text_hash bytea,
      before text not null,
      findings text not null,
      restraint_id bigint references restraints (id),
      state text not null default 'open' check (state in ('open', 'accepted', 'refused')),
      asked_at timestamptz not null,
      due_at timestamptz not null,
      answered_at timestamptz,
      answered_by bigint references users (id),
      told_at timestamptz,
      check ((place = 'mute') = (restraint_id is not null)),
      check ((state = 'open') = (answered_at is null)),
      check (text_hash is null or state <> 'open')
    )`.execute(db);
  await sql`
    create unique index text_questions_open on text_questions (user_id, place, source) where state = 'open'`.execute(
    db,
  );
  await sql`create index text_questions_waiting on text_questions (due_at, id) where state = 'open'`.execute(db);
  await sql`create index text_questions_user on text_questions (user_id)`.execute(db);
  await sql`comment on table text_questions is ${sql.lit(
    "Names, texts and mutes that a moderator is asked about; at most one open question a person, place and source.",
  )}`.execute(db);
  const comments = {
    source: "`provider`: the name came with a sign-in and is in use.",
    text: "As it was asked; empty for a mute, and once the answer is as old as evidence is kept.",
    text_hash: "Of an answered text: keyed hash of place and text, by which it is known again once the text is erased.",
    before: "What stood in that place of the profile when it was asked; erased with the text.",
    findings: "JSON: what was found in the text; erased with it.",
    restraint_id: "Of a mute: the restraint that ends latest.",
    told_at: "When the answer was sent to the user; null before. A kept name of a provider is marked without a notice.",
  };
  for (const [column, means] of Object.entries(comments)) {
    await sql`comment on column ${sql.ref(`text_questions.${column}`)} is ${sql.lit(means)}`.execute(db);
  }
}
