import { type Kysely, sql } from "kysely";

/**
 * In how many calls a picture of the person passed the checks; whoever has few is covered until one of the call passes.
 * Of earlier calls nobody knows, so that everybody begins at none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column passed_calls smallint not null default 0 check (passed_calls between 0 and 10)`.execute(db);
  await sql`comment on column users.passed_calls is ${sql.lit("Calls in which a picture of theirs passed the checks; counted up to 10.")}`.execute(
    db,
  );
}
