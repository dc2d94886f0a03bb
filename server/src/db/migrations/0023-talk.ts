import { type Kysely, sql } from "kysely";

/** What people say of themselves to be brought together with somebody whom they can talk to; ids of `wire/src/talk.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Its key to users locks them for a moment; whoever waits longer for that holds up everybody behind.
  await sql`set local lock_timeout = 500`.execute(db);
  await sql`
    create table talk (
      user_id bigint primary key references users (id),
      languages smallint[] not null check (cardinality(languages) <= 5 and 0 <= all (languages) and 62 >= all (languages)),
      interests smallint[] not null check (cardinality(interests) <= 6 and 0 <= all (interests) and 63 >= all (interests)),
      prefer boolean not null,
      changed_at timestamptz not null
    )`.execute(db);
  await sql`comment on table talk is ${sql.lit(tableMeans)}`.execute(db);
  await sql`comment on column talk.prefer is ${sql.lit("Of those who suit, rather somebody with whom something is shared.")}`.execute(
    db,
  );
}

const tableMeans =
  "Languages and interests that a person chose, in their order; nobody else is told more than what they share.";
