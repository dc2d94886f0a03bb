import { type Kysely, sql } from "kysely";

/** Periodic work on the job engine: which workers a server runs, and how each job's last run went (decision 056). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table processes add column job_workers text[] not null default '{}'`.execute(db);
  // The engine itself would keep the jobs of a killed server locked for four hours.
  await sql`
    create function free_jobs_of_process() returns trigger language plpgsql as $$
    begin
      perform graphile_worker.force_unlock_workers(old.job_workers);
      return null;
    end
    $$`.execute(db);
  await sql`
    create trigger free_jobs after delete on processes
    for each row execute function free_jobs_of_process()`.execute(db);
  await sql`
    create table job_runs (
      name text primary key,
      ran_at timestamptz not null,
      took_ms integer not null,
      runs bigint not null,
      failures bigint not null,
      last_failed_at timestamptz
    )`.execute(db);
  for (const [what, means] of comments) await sql`comment on ${sql.raw(what)} is ${sql.lit(means)}`.execute(db);
}

const comments = [
  ["column processes.job_workers", "Workers of the job engine that run in it: their jobs are free once it is gone."],
  ["table job_runs", "How the last run of each periodic job went; when the next one comes stands in graphile_worker.jobs."],
  ["column job_runs.took_ms", "Duration of the last run, failed or not."],
] as const;
