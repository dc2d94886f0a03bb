import { type Kysely, sql } from "kysely";

/** Countries whose people somebody does not meet by searching; ids of `wire/src/country-table.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whoever waits longer for the table holds up everybody behind.
  await sql`set local lock_timeout = 500`.execute(db);
  // Servers of the version before write rows without it.
  await sql`
    alter table talk add column leaves_out smallint[] not null default '{}'
      check (cardinality(leaves_out) <= 5 and 1 <= all (leaves_out) and 511 >= all (leaves_out))`.execute(db);
  const means = "Ids of countries: people of them and the person do not meet by searching. Told to nobody else.";
  await sql`comment on column talk.leaves_out is ${sql.lit(means)}`.execute(db);
}
