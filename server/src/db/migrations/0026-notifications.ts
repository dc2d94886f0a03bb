import { type Kysely, sql } from "kysely";

/** Where people are told who have no page open, and which conversations they were told of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Their keys to users lock them for a moment; whoever waits longer for that holds up everybody behind.
  await sql`set local lock_timeout = 500`.execute(db);
  await sql`
    create table push_subscriptions (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id),
      session_id text not null,
      endpoint_hash text not null unique,
      sealed bytea not null,
      kinds smallint[] not null check (cardinality(kinds) <= 16 and 0 <= all (kinds) and 15 >= all (kinds)),
      names boolean not null,
      quiet boolean not null,
      offset_min smallint not null check (offset_min between -840 and 840),
      failures smallint not null default 0,
      created_at timestamptz not null,
      used_at timestamptz not null
    )`.execute(db);
  await sql`create index push_subscriptions_user on push_subscriptions (user_id)`.execute(db);
  await sql`
    create table message_notifications (
      user_id bigint not null references users (id),
      other_id bigint not null references users (id),
      message_id bigint not null,
      at timestamptz not null,
      primary key (user_id, other_id)
    )`.execute(db);
  for (const [what, means] of comments) await sql`comment on ${sql.raw(what)} is ${sql.lit(means)}`.execute(db);
}

const comments = [
  ["table push_subscriptions", "Browsers that are told something while no page of the person is open."],
  ["column push_subscriptions.session_id", "Of the last visit with this browser: signing out of it ends this, too."],
  ["column push_subscriptions.endpoint_hash", "SHA-256 of the address at the push service, hex."],
  ["column push_subscriptions.sealed", "That address and the keys of the browser, sealed under the hash."],
  ["column push_subscriptions.kinds", "Ids of wire/src/notifications.ts."],
  ["column push_subscriptions.names", "Notifications say who."],
  ["column push_subscriptions.quiet", "Nothing comes in the quiet hours."],
  ["column push_subscriptions.offset_min", "How far the browser's clock is ahead of UTC, in minutes."],
  ["column push_subscriptions.failures", "In a row."],
  ["column push_subscriptions.used_at", "When the person was here with this browser last."],
  ["table message_notifications", "The last message of a conversation of which the person was told without a page."],
] as const;
