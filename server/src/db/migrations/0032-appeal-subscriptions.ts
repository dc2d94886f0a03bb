import { type Kysely, sql } from "kysely";

/** Where people are told that their appeal was answered, who were banned and so have no session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Its keys lock users and appeals for a moment; whoever waits longer for that holds up everybody behind.
  await sql`set local lock_timeout = 500`.execute(db);
  await sql`
    create table appeal_subscriptions (
      appeal_id bigint primary key references appeals (id) on delete cascade,
      user_id bigint not null references users (id),
      endpoint_hash text not null,
      sealed bytea not null,
      language text not null,
      offset_min smallint not null check (offset_min between -840 and 840),
      failures smallint not null default 0,
      created_at timestamptz not null,
      next_try_at timestamptz not null
    )`.execute(db);
  await sql`create index appeal_subscriptions_user on appeal_subscriptions (user_id)`.execute(db);
  for (const [what, means] of comments) await sql`comment on ${sql.raw(what)} is ${sql.lit(means)}`.execute(db);
}

const comments = [
  ["table appeal_subscriptions", "The browser that is told once that an appeal was answered; gone once it was."],
  ["column appeal_subscriptions.endpoint_hash", "SHA-256 of the address at the push service, hex."],
  ["column appeal_subscriptions.sealed", "That address and the keys of the browser, sealed under the hash."],
  ["column appeal_subscriptions.language", "In which it is told."],
  ["column appeal_subscriptions.offset_min", "How far the browser's clock is ahead of UTC, in minutes."],
  ["column appeal_subscriptions.failures", "In a row."],
  ["column appeal_subscriptions.next_try_at", "Not told before: of several servers the one that moves it on tells."],
] as const;
