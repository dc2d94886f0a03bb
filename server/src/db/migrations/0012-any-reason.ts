import { type Kysely, sql } from "kysely";

/**
 * Which reasons there are is said in `wire/src/reasons.ts` alone, and what comes in is held to it by the schema of the
 * endpoint: here an id is any positive one, and a new reason needs no migration (decision 020).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["reports", "cases"]) {
    await sql`
      alter table ${sql.table(table)}
        drop constraint ${sql.id(`${table}_reason_id_check`)},
        add constraint ${sql.id(`${table}_reason_id_check`)} check (reason_id > 0)`.execute(db);
  }
}
