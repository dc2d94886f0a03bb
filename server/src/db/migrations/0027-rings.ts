import { type Kysely, sql } from "kysely";

/** Friends who ring each other, and who does not want to be rung. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Its keys to users lock them for a moment; whoever waits longer for that holds up everybody behind.
  await sql`set local lock_timeout = 500`.execute(db);
  await sql`alter table users add column ringable boolean not null default true`.execute(db);
  // What is there already is one of the first two.
  await sql`
    alter table messages
      drop constraint messages_kind_check,
      add constraint messages_kind_check check (kind in ('text', 'met', 'missed')) not valid`.execute(db);
  await sql`
    create table rings (
      id text primary key,
      ringer_id bigint not null references users (id),
      rung_id bigint not null references users (id),
      at timestamptz not null,
      until timestamptz not null,
      state text not null check (state in ('ringing', 'accepted', 'declined', 'cancelled', 'missed')),
      ended_at timestamptz,
      offer text,
      check (ringer_id <> rung_id),
      check ((state = 'ringing') = (ended_at is null))
    )`.execute(db);
  await sql`create index rings_ringer on rings (ringer_id)`.execute(db);
  await sql`create index rings_rung on rings (rung_id)`.execute(db);
  await sql`create index rings_until on rings (until)`.execute(db);
  await sql`
    create table ring_mutes (
      user_id bigint not null references users (id),
      other_id bigint not null references users (id),
      until timestamptz not null,
      primary key (user_id, other_id),
      check (user_id <> other_id)
    )`.execute(db);
  await sql`create index ring_mutes_others on ring_mutes (other_id)`.execute(db);
  await sql`create index ring_mutes_until on ring_mutes (until)`.execute(db);
  for (const [what, means] of comments) await sql`comment on ${sql.raw(what)} is ${sql.lit(means)}`.execute(db);
}

const comments = [
  ["column users.ringable", "Friends may ring the person."],
  ["table rings", "Who rings whom; forgotten minutes after it is over."],
  ["column rings.until", "When it ends by itself."],
  ["column rings.offer", "Session description that whoever rings has prepared; gone once the ring is over."],
  ["table ring_mutes", "The one person does not want to be rung by the other until then."],
] as const;
