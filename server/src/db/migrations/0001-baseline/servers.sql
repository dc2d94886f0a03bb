-- Running servers, and work that only one of them may do.

create table processes (
  id text primary key,
  lock_number integer generated always as identity unique,
  beat_at timestamptz not null default clock_timestamp(),
  draining boolean not null default false,
  dead_at timestamptz,
  job_workers text[] not null default '{}'
);
comment on table processes is 'Servers of this database; each start has its own row.';
comment on column processes.lock_number is 'Second part of the advisory lock that the server holds.';
comment on column processes.dead_at is 'When another server declared it dead; it never comes back.';
comment on column processes.job_workers is 'Ids of its workers in the job engine; their jobs are released when this row is deleted.';

-- Without this the engine keeps the jobs of a killed server locked for four hours.
create function free_jobs_of_process() returns trigger language plpgsql as $$
begin
  perform graphile_worker.force_unlock_workers(old.job_workers);
  return null;
end
$$;
create trigger free_jobs after delete on processes for each row execute function free_jobs_of_process();

create table leases (
  name text primary key,
  epoch bigint not null,
  holder text not null,
  held_at timestamptz not null
);
comment on table leases is 'Exclusive work of one server: fencing number, and current or last holder.';

create table job_runs (
  name text primary key,
  ran_at timestamptz not null,
  took_ms integer not null,
  runs bigint not null,
  failures bigint not null,
  last_failed_at timestamptz
);
comment on table job_runs is 'The last run of each periodic job; the next run is in graphile_worker.jobs.';
comment on column job_runs.took_ms is 'Duration of the last run, failed or not.';
