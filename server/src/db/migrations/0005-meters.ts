import { type Kysely, sql } from "kysely";

/** One row a person: how many matches of the newest day began with free seconds, and which was the last of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table free_matches (
      user_id bigint primary key references users (id),
      day date not null,
      matches smallint not null check (matches > 0),
      call_id text not null
    )`.execute(db);
}
