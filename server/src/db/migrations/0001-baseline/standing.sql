create table standing (
  user_id bigint primary key references users (id),
  paused_until timestamptz,
  muted_until timestamptz,
  banned_until timestamptz,
  watched_at timestamptz,
  flagged_at timestamptz,
  age_asked_at timestamptz,
  contradicted_at timestamptz,
  age_seen_at timestamptz
);
comment on table standing is 'Summary of a user''s restraints, bans, strikes, cases, signals, reports and frames of partners, written in the transaction that changes one of them; no row before the first.';
comment on column standing.paused_until is 'The user is not matched until then; infinity: until a moderator decides.';
comment on column standing.muted_until is 'The user may not write in calls until then.';
comment on column standing.banned_until is 'End of the longest ban that was not ended early; infinity: permanent.';
comment on column standing.watched_at is 'When the user was last reported or flagged.';
comment on column standing.flagged_at is 'When software last flagged the user or a moderator last sanctioned them; infinity: a case is open.';
comment on column standing.age_seen_at is 'When an administrator last found the user to be no minor; from then on software estimates no age.';
comment on column standing.age_asked_at is 'Since when the user is not matched before an age check that a moderator asked for.';
comment on column standing.contradicted_at is 'When frames of partners last contradicted the user''s own and led to a case, unless a moderator found them wrong.';

-- Computes a row from the source tables. A case of reports alone sets watched_at and not flagged_at.
create function standing_of(p_user_id bigint) returns table (
  paused_until timestamptz, muted_until timestamptz, banned_until timestamptz,
  watched_at timestamptz, flagged_at timestamptz, age_asked_at timestamptz, contradicted_at timestamptz,
  age_seen_at timestamptz
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
      (select max(opened_at) from cases where subject_id = p_user_id)
    ),
    greatest(
      noticed.at,
      (
        select max(case when state = 'decided' then opened_at else 'infinity' end) from cases
        where subject_id = p_user_id and rule not in ('report', 'reports_many')
      ),
      (select max(at) from strikes where user_id = p_user_id and revoked_at is null),
      (
        select max(created_at) from bans
        where user_id = p_user_id and coalesce(ended_because, '') not in ('lifted', 'reopened')
      )
    ),
    (select max(from_at) from restraints where user_id = p_user_id and lifted_at is null and what = 'age'),
    (
      select max(at) from sent_views
      where subject_id = p_user_id and case_id is not null and was_right is distinct from false
    ),
    (
      select max(decided_at) from cases
      where subject_id = p_user_id and queue = 'restricted' and state = 'decided' and operation <> 4
    )
  from (select max(at) as at from signals where user_id = p_user_id and not dry_run) as noticed
$$;

-- Locks the row before it reads the tables, so that it reads what a transaction that had the row has committed.
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
  update standing set (
    paused_until, muted_until, banned_until, watched_at, flagged_at, age_asked_at, contradicted_at, age_seen_at
  ) =
    (select * from standing_of(v_user_id))
  where user_id = v_user_id;
  return null;
end $$;

-- Deferred to the end of the transaction, which holds the lock of `lockSubject` by then: in the other order two
-- transactions could deadlock. Reports, signals and frames of partners are deleted only when they are too old to count.
create constraint trigger restraints_standing
  after insert or delete or update of until, lifted_at on restraints
  deferrable initially deferred for each row execute function keep_standing('user_id');
create constraint trigger bans_standing
  after insert or delete or update of until, created_at, ended_early_at, ended_because on bans
  deferrable initially deferred for each row execute function keep_standing('user_id');
create constraint trigger strikes_standing
  after insert or delete or update of at, revoked_at on strikes
  deferrable initially deferred for each row execute function keep_standing('user_id');
create constraint trigger cases_standing
  after insert or delete or update of rule, state, opened_at on cases
  deferrable initially deferred for each row execute function keep_standing('subject_id');
create constraint trigger signals_standing
  after insert on signals
  deferrable initially deferred for each row execute function keep_standing('user_id');
create constraint trigger reports_standing
  after insert on reports
  deferrable initially deferred for each row execute function keep_standing('reported_id');
create constraint trigger sent_views_standing
  after insert or update of case_id, was_right on sent_views
  deferrable initially deferred for each row execute function keep_standing('subject_id');
