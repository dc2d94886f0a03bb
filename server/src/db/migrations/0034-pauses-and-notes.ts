import { type Kysely, sql } from "kysely";

/** Who caused a pause by a report of a suspected minor, who asked for a look, and the reporter's own words. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A migration that waits longer for a table holds up every query behind it.
  await sql`set local lock_timeout = 500`.execute(db);
  // Servers of the version before write pauses without these.
  await sql`
    alter table restraints
      add column accuser_id bigint references users (id),
      add column is_unproven boolean not null default false,
      add column look_asked_at timestamptz`.execute(db);
  await sql`create index restraints_accuser on restraints (from_at) where accuser_id is not null`.execute(db);
  await sql`create index restraints_case on restraints (case_id) where what = 'matching'`.execute(db);
  await sql`
    alter table evidence
      add column report_id bigint,
      drop constraint evidence_kind_check,
      -- The rows that are there meet the narrower check: they need not be read again.
      add constraint evidence_kind_check check (kind in ('frame', 'lines', 'note')) not valid`.execute(db);
  const comments = {
    "restraints.accuser_id": 'Of a pause by a report "may be under 18": the reporter. Null for every other restraint.',
    "restraints.is_unproven":
      "The reporter was new, shared a device or an address with another, or was unfounded before.",
    "restraints.look_asked_at": "When the paused person asked that a moderator looks.",
    "evidence.report_id": "Of a note: the report whose words it holds. Refers to nothing: a report may be gone before.",
  };
  for (const [column, means] of Object.entries(comments)) {
    await sql`comment on column ${sql.ref(column)} is ${sql.lit(means)}`.execute(db);
  }
}
