import { type Kysely, sql } from "kysely";

/** Whom people asked to be told of while nobody who suits them is there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Its key to users locks them for a moment; whoever waits longer for that holds up everybody behind.
  await sql`set local lock_timeout = 500`.execute(db);
  await sql`
    create table match_tells (
      user_id bigint primary key references users (id),
      sex smallint not null check (sex between 0 and 2),
      country_id integer not null check (country_id >= -1),
      own_sex smallint not null check (own_sex in (1, 2)),
      own_country_id integer not null check (own_country_id >= 0),
      created_at timestamptz not null,
      until timestamptz not null
    )`.execute(db);
  await sql`create index match_tells_oldest on match_tells (own_sex, sex, created_at)`.execute(db);
  for (const [what, means] of comments) await sql`comment on ${sql.raw(what)} is ${sql.lit(means)}`.execute(db);
}

const comments = [
  ["table match_tells", "Whom people asked to be told of, once, when somebody like this waits."],
  ["column match_tells.sex", "0 both, 1 men, 2 women."],
  ["column match_tells.country_id", "0 everywhere, -1 balanced, otherwise the country."],
  ["column match_tells.own_sex", "Of the person when they asked."],
  ["column match_tells.own_country_id", "Of the person when they asked; 0 unknown."],
] as const;
