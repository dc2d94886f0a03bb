import { type Kysely, sql } from "kysely";

/**
 * One row a person with all that moderation keeps of them and that decides who may be matched, written in the transaction
 * of whatever changes it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table standing (
      user_id bigint primary key references users (id),
      paused_until timestamptz,
      muted_until timestamptz,
      banned_until timestamptz,
      watched_at timestamptz,
      flagged_at timestamptz
    )`.execute(db);
  await sql`comment on table standing is ${sql.lit(
    "What restraints, bans, strikes, cases, signals and reports say of a person now; no row where they say nothing.",
  )}`.execute(db);
  const comments = {
    paused_until: "Nobody is matched with them until then; infinity: until a person has decided.",
    muted_until: "They may not write until then.",
    banned_until: "The ban that ends last ends then; infinity: for good.",
    watched_at: "They were reported or flagged last.",
    flagged_at: "Software flagged or a person punished them last; infinity: a case waits for a decision.",
  };
  for (const [column, means] of Object.entries(comments)) {
    await sql`comment on column ${sql.ref(`standing.${column}`)} is ${sql.lit(means)}`.execute(db);
  }
  await createFunctions(db);
  await createTriggers(db);
  await sql`
    insert into standing select users.id, found.* from users cross join lateral standing_of(users.id) as found
    where num_nonnulls(found.paused_until, found.muted_until, found.banned_until, found.watched_at, found.flagged_at) > 0
  `.execute(db);
}

/** A case that no person cleared came from findings in texts alone (migration 0038) and says nothing of the user. */
const isCounted = sql`(operation = 1 and decided_by is null) is not true`;
/** Cases of reports alone: what people say makes watched, and no more before a moderator has decided. */
const rulesOfReports = sql`array['report', 'reports_many']`;

async function createFunctions(db: Kysely<unknown>): Promise<void> {
  // What the source tables say; `standing` has to say the same.
  await sql`
    create function standing_of(p_user_id bigint) returns table (
      paused_until timestamptz, muted_until timestamptz, banned_until timestamptz,
      watched_at timestamptz, flagged_at timestamptz
    ) language sql stable as $$
      select
        (
          select max(coalesce(until, 'infinity')) from restraints
          where user_id = p_user_id and lifted_at is null and what = 'matching'
        ),
        (select max(until) from restraints where user_id = p_user_id and lifted_at is null and what = 'chat'),
        (select max(coalesce(until, 'infinity')) from bans where user_id = p_user_id and ended_early_at is null),
        greatest(
          noticed.at,
          (select max(at) from reports where reported_id = p_user_id),
          (select max(opened_at) from cases where subject_id = p_user_id and ${isCounted})
        ),
        greatest(
          noticed.at,
          (
            select max(case when state = 'decided' then opened_at else 'infinity' end) from cases
            where subject_id = p_user_id and rule <> all(${rulesOfReports}) and ${isCounted}
          ),
          (select max(at) from strikes where user_id = p_user_id and revoked_at is null),
          (select max(created_at) from bans where user_id = p_user_id and ended_because is distinct from 'lifted')
        )
      from (select max(at) as at from signals where user_id = p_user_id and not dry_run) as noticed
    $$`.execute(db);
  // The row is locked before the tables are read: whoever waited for another transaction sees what it has committed.
  await sql`
    create function keep_standing() returns trigger language plpgsql as $$
    declare
      v_user_id bigint;
    begin
      if tg_op = 'DELETE' then
        v_user_id := (to_jsonb(old) ->> tg_argv[0])::bigint;
      else
        v_user_id := (to_jsonb(new) ->> tg_argv[0])::bigint;
      end if;
      insert into standing (user_id) values (v_user_id) on conflict do nothing;
      perform from standing where user_id = v_user_id for update;
      update standing set (paused_until, muted_until, banned_until, watched_at, flagged_at) =
        (select * from standing_of(v_user_id))
      where user_id = v_user_id;
      return null;
    end $$`.execute(db);
}

/**
 * At the end of the transaction: a row that was locked earlier could wait for the lock of a person (`lockSubject`) that
 * another transaction has, which waits for the row. Reports and signals are deleted only when they are too old to count.
 */
async function createTriggers(db: Kysely<unknown>): Promise<void> {
  const sources = {
    restraints: ["user_id", "insert or delete or update of until, lifted_at"],
    bans: ["user_id", "insert or delete or update of until, created_at, ended_early_at, ended_because"],
    strikes: ["user_id", "insert or delete or update of at, revoked_at"],
    cases: ["subject_id", "insert or delete or update of rule, state, operation, decided_by, opened_at"],
    signals: ["user_id", "insert"],
    reports: ["reported_id", "insert"],
  } as const;
  for (const [table, [column, events]] of Object.entries(sources)) {
    await sql`
      create constraint trigger ${sql.ref(`${table}_standing`)} after ${sql.raw(events)} on ${sql.table(table)}
      deferrable initially deferred for each row execute function keep_standing(${sql.lit(column)})`.execute(db);
  }
}
