import { type Kysely, sql } from "kysely";

/**
 * Search reads these in their own order, so that a page costs the same however many people there are, of whatever
 * country, and however many of them have the same name.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index users_nickname`.execute(db);
  await sql`
    create index users_names on users (lower(nickname) collate "C", id)
    where searchable and deleted_at is null`.execute(db);
  await sql`
    create index users_names_of_country on users (country_id, lower(nickname) collate "C", id)
    where searchable and deleted_at is null`.execute(db);
}
