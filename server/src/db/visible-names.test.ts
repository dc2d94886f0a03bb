import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestDatabase } from "#test/fixtures/database.ts";
import { migrate } from "./migrate.ts";

/** More than one batch of the migration. */
const crowd = 2_300;

async function oldDatabase() {
  const { db } = await createTestDatabase({ migrated: false });
  await migrate(db, { upTo: "0034-pauses-and-notes" });
  return db;
}

test("[PEOPLE-684] a migration folds every name, and gives the number to names that nobody can see or may bear", async () => {
  const db = await oldDatabase();
  const kept = ["ana", "Işıl", "أحمد", "Fava Bianchi", "Modesta", "👍", `Z${"\u0301".repeat(4)}`];
  const lost = ["\u3164", "\u2800\u200b", "\u0301", "Fava", "fava support", "M0derator", "الدعم", "客服"];
  const trimmed = `A${"\u0323".repeat(30)}`;
  await sql`
    insert into users (user_no, external_id, nickname, country_id, nickname_changed_at, official)
    select (20000000 + n)::text, 'person ' || n, name, 1, now(), false
    from unnest(${[...kept, ...lost, trimmed]}::text[]) with ordinality as named (name, n)`.execute(db);
  await sql`
    insert into users (user_no, external_id, nickname, country_id, official) values ('10000000', 'official', 'Fava', 1, true)`.execute(
    db,
  );
  await sql`
    insert into users (user_no, external_id, nickname, country_id)
    select (30000000 + n)::text, 'crowd ' || n, 'Crowd ' || n, 1 from generate_series(1, ${crowd}::integer) as n`.execute(
    db,
  );
  expect(await migrate(db)).toEqual(expect.arrayContaining(["0035-search-names", "0036-visible-names"]));
  const people = await db.selectFrom("users").selectAll().orderBy("id").limit(16).execute();
  expect(people.slice(0, kept.length).map(({ nickname }) => nickname)).toEqual(kept);
  for (const { nickname, user_no, nickname_changed_at } of people.slice(kept.length, kept.length + lost.length))
    expect([nickname, nickname_changed_at]).toEqual([user_no, null]);
  expect(people.at(-1)?.nickname).toBe(`A${"\u0323".repeat(4)}`);
  expect(people.slice(0, 3).map(({ search_name }) => search_name)).toEqual(["ana", "isil", "احمد"]);
  const official = db.selectFrom("users").select(["nickname", "search_name"]).where("official", "=", true);
  expect(await official.execute()).toEqual([{ nickname: "Fava", search_name: "fava" }]);
  const folded = await sql<{ n: number }>`
    select count(*)::integer as n from users where search_name like 'crowd %' and search_name = lower(nickname)`.execute(
    db,
  );
  expect(folded.rows).toEqual([{ n: crowd }]);
});

test("[PEOPLE-684] what a server of the version before writes while the names are folded is folded too", async () => {
  const db = await oldDatabase();
  await migrate(db, { upTo: "0035-search-names" });
  await sql`
    insert into users (user_no, external_id, nickname, country_id) values ('20000001', 'new', 'Zoë', 1)`.execute(db);
  await sql`update users set nickname = 'Çiğdem' where external_id = 'new'`.execute(db);
  await migrate(db);
  expect(await db.selectFrom("users").select("search_name").execute()).toEqual([{ search_name: "cigdem" }]);
});

test("the folded name has at most 40 letters, whatever a sign decomposes into", async () => {
  const { db } = await createTestDatabase();
  const { rows } = await sql<{ folded: string }>`select fold_name(${"\ufdfa".repeat(40)}) as folded`.execute(db);
  expect(Array.from(rows[0]?.folded ?? "")).toHaveLength(40);
});
