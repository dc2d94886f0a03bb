import { type Kysely, sql } from "kysely";
import { hasVisibleSign, limitMarks } from "@fava/wire/visible-text.ts";
import { isReservedName } from "#lib/reserved-names.ts";

/** Statements stay short: each looks at this many people. */
const batchRows = 1_000;

/** Fills the folded names of everybody, replaces names that nobody can see or may bear, and has searches read the folded ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`set local lock_timeout = 500`.execute(db);
  let last = 0n;
  for (;;) {
    const { rows } = await sql<Named>`
      select id, user_no, nickname, official from users where id > ${last} order by id limit ${batchRows}`.execute(db);
    const newest = rows.at(-1);
    if (!newest) break;
    for (const person of rows) await rename(db, person);
    await sql`
      update users set search_name = fold_name(nickname)
      where id > ${last} and id <= ${newest.id} and search_name = ''`.execute(db);
    last = newest.id;
  }
  await sql`drop index users_names, users_names_of_country`.execute(db);
  await sql`
    create index users_names on users (search_name, id) where searchable and deleted_at is null`.execute(db);
  await sql`
    create index users_names_of_country on users (country_id, search_name, id)
    where searchable and deleted_at is null`.execute(db);
}

interface Named {
  id: bigint;
  user_no: string;
  nickname: string;
  official: boolean;
}

/** Replaces a name that is no longer allowed by the user number; the user may choose another name at once. */
async function rename(db: Kysely<unknown>, { id, user_no, nickname, official }: Named): Promise<void> {
  if (official) return;
  if (!hasVisibleSign(nickname) || isReservedName(nickname)) {
    await sql`update users set nickname = ${user_no}, nickname_changed_at = null where id = ${id}`.execute(db);
    return;
  }
  const trimmed = limitMarks(nickname);
  if (trimmed !== nickname) await sql`update users set nickname = ${trimmed} where id = ${id}`.execute(db);
}
